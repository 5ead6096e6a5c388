/** Asks a server of the HTTP API, and puts what it refuses into one sentence. */
import { createReadStream } from 'node:fs'
import { Readable } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import { CommandError } from './command-error.ts'

/** The server cannot be reached, or says that it cannot answer now. */
class AwayError extends CommandError {}

export interface Client {
  get<T>(path: string): Promise<T>
  post<T>(path: string, body: object): Promise<T>
  /** Some bytes, said by their hash. @param sha256 in base64 */
  put<T>(path: string, bytes: Uint8Array, sha256: string): Promise<T>
  /** A file as the body, read as it is sent. */
  send<T>(path: string, file: string): Promise<T>
}

/** A server that is started again while something is asked of it is back within this. */
const awayMs = 60_000
const askAgainMs = 250

/** Asks again while the server is away; for what may be asked twice. */
export async function patiently<T>(ask: () => Promise<T>): Promise<T> {
  for (const since = Date.now(); ; await sleep(askAgainMs)) {
    try {
      return await ask()
    } catch (error) {
      if (!(error instanceof AwayError) || Date.now() - since > awayMs) throw error
    }
  }
}

export function client(base: string, token: string): Client {
  const headers = { authorization: `Bearer ${token}` }
  const answer = async <T>(path: string, init: RequestInit): Promise<T> => {
    const response = await fetch(new URL(path, base), init).catch((cause: Error) => {
      throw new AwayError(`No server answers at ${base}: start one with \`assay serve\`, or set ASSAY_URL.`, {
        cause,
      })
    })
    const body = (await response.json().catch(() => null)) as
      | (T & { error?: string | { message?: string }; details?: { message?: string } })
      | null
    if (response.ok && body) return body
    const said = typeof body?.error === 'object' ? body.error.message : (body?.details?.message ?? body?.error)
    const Refusal = response.status === 503 ? AwayError : CommandError
    throw new Refusal(`The server answered ${response.status}: ${said ?? response.statusText}`)
  }
  return {
    get: (path) => answer(path, { headers }),
    post: (path, body) =>
      answer(path, {
        method: 'POST',
        headers: { ...headers, 'content-type': 'application/json' },
        body: JSON.stringify(body),
      }),
    put: (path, bytes, sha256) =>
      answer(path, {
        method: 'PUT',
        headers: { ...headers, 'content-type': 'application/octet-stream', 'content-digest': `sha-256=:${sha256}:` },
        body: bytes as Uint8Array<ArrayBuffer>,
      }),
    send: async (path, file) => {
      const body = createReadStream(file, { highWaterMark: 2 ** 20 })
      let unread: NodeJS.ErrnoException | undefined
      body.on('error', (error) => {
        unread = error
      })
      return answer<never>(path, {
        method: 'POST',
        headers: { ...headers, 'content-type': 'application/octet-stream' },
        body: Readable.toWeb(body),
        duplex: 'half',
      } as RequestInit).catch((error: Error) => {
        throw unread ? new CommandError(`${file} cannot be read (${unread.code}).`, { cause: unread }) : error
      })
    },
  }
}
