/** How the brokers are spoken to: TLS and SASL as they are configured, in the driver's words. */
import { readFile } from 'node:fs/promises'
import type { ConnectionOptions } from '@platformatic/kafka'
import { StartError } from '../start-error.ts'

const saslMechanisms = {
  plain: 'PLAIN',
  'scram-sha-256': 'SCRAM-SHA-256',
  'scram-sha-512': 'SCRAM-SHA-512',
  oauthbearer: 'OAUTHBEARER',
} as const
type Sasl = keyof typeof saslMechanisms

export interface KafkaSecurity {
  /** PEM files; each may be left out. null: without TLS. */
  readonly tls: {
    readonly ca?: string | undefined
    readonly cert?: string | undefined
    readonly key?: string | undefined
  } | null
  readonly sasl:
    | { readonly mechanism: Exclude<Sasl, 'oauthbearer'>; readonly username: string; readonly password: string }
    | { readonly mechanism: 'oauthbearer'; readonly tokenFile: string }
    | null
}

/** @throws StartError where a file cannot be read */
export async function connectionOptions({
  tls,
  sasl,
}: KafkaSecurity): Promise<Pick<ConnectionOptions, 'tls' | 'sasl'>> {
  const [ca, cert, key] = await Promise.all([tls?.ca, tls?.cert, tls?.key].map((path) => path && read(path)))
  return {
    ...(tls && { tls: { ...(ca && { ca }), ...(cert && { cert }), ...(key && { key }) } }),
    ...(sasl && { sasl: sasl.mechanism === 'oauthbearer' ? bearer(sasl.tokenFile) : withPassword(sasl) }),
  }
}

const withPassword = ({ mechanism, username, password }: { mechanism: Sasl; username: string; password: string }) => ({
  mechanism: saslMechanisms[mechanism],
  username,
  password,
})

/** Read anew for every connection: whoever renews the token writes the file. */
const bearer = (path: string) => ({
  mechanism: saslMechanisms.oauthbearer,
  token: async () => (await read(path)).trim(),
})

async function read(path: string): Promise<string> {
  try {
    return await readFile(path, 'utf8')
  } catch (cause) {
    throw new StartError(`${path} cannot be read (${(cause as NodeJS.ErrnoException).code}).`, { cause })
  }
}
