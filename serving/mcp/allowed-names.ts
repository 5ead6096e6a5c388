/** Under which names this server may be asked: a page that another site makes a browser open must not reach it under a name of its own. */
import type { FastifyRequest } from 'fastify'

const loopback = ['localhost', '127.0.0.1', '[::1]']
const isLoopback = (address: string | undefined) =>
  address === undefined || address === '::1' || /^(::ffff:)?127\./.test(address)

export interface NamedServer {
  readonly publicUrl: string | null
  readonly isBehindProxy: boolean
}

/** @returns what is wrong with the names in a request; null where nothing is */
export function wrongName(
  { headers, host, socket }: Pick<FastifyRequest, 'headers' | 'host' | 'socket'>,
  { publicUrl, isBehindProxy }: NamedServer,
): string | null {
  const own = publicUrl === null ? [] : [new URL(publicUrl).hostname]
  const isKnown = (name: string | null) => name !== null && (own.includes(name) || loopback.includes(name))
  const asked = hostnameOf(`http://${host}`)
  // Who listens to others than itself and was not told its name can be asked under any.
  const knowsItsNames = publicUrl !== null || (!isBehindProxy && isLoopback(socket.localAddress))
  if (knowsItsNames && !isKnown(asked)) return `This server is not ${host}; ASSAY_PUBLIC_URL says what it is called`
  const { origin } = headers
  if (origin === undefined) return null
  const from = hostnameOf(origin)
  if (isKnown(from) || (!knowsItsNames && from === asked)) return null
  return `Pages of ${origin.slice(0, 100)} may not ask this server`
}

function hostnameOf(url: string): string | null {
  return URL.canParse(url) ? new URL(url).hostname : null
}
