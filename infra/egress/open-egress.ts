/** The one way out: requests to addresses that others gave, to public hosts only, pinned to what was checked, bounded in all. */
import { type Agent, type IncomingHttpHeaders, type IncomingMessage, request as plainRequest } from 'node:http'
import { request as secureRequest } from 'node:https'
import { isIP, type Socket } from 'node:net'
import { pipeline, type Readable } from 'node:stream'
import { EgressError, type EgressErrorCode } from '../../schemas/egress-error.ts'
import { acceptEncoding, boundedBody } from './bounded-body.ts'
import { closedUnused, keptConnections, namedBy } from './kept-connections.ts'
import { orAborted } from './or-aborted.ts'
import { connected, hostAt, pinnedTo } from './pinned-connection.ts'
import { rangesOf } from './public-addresses.ts'
import { hostOf, readTarget } from './read-target.ts'
import { addressesOf, type Resolve, type Resolved, systemResolve } from './resolve.ts'

export interface Ask {
  /** A GET is followed to other addresses, each checked anew; the others to none. */
  readonly method?: 'GET' | 'POST' | 'PUT'
  /** A stream is opened once the address was checked; its length is in the headers. */
  readonly body?: string | Uint8Array | (() => Readable)
  /** Never credentials: they would go to wherever the address leads. */
  readonly headers?: Readonly<Record<string, string>>
  /** Whether plain http is taken too, as for pages of old shops. */
  readonly http?: boolean
  readonly maxBytes: number
  /** For all steps together, without the waiting in `admit`. */
  readonly withinMs: number
  readonly signal?: AbortSignal
  /** Over a connection that is kept, for hosts that are asked again and again; one request in many may then come twice. */
  readonly keep?: boolean
  /** Before each step: waits for its turn, or throws where this address is not to be asked. @returns gives the turn back */
  readonly admit?: (step: URL, signal: AbortSignal | undefined) => Promise<() => void>
}

export interface Answer {
  /** The last address that was asked. */
  readonly url: URL
  readonly status: number
  readonly headers: IncomingHttpHeaders
  /** Unpacked. */
  readonly body: AsyncIterable<Uint8Array>
}

export interface Egress {
  /** @throws EgressError `refused_address`; sends nothing */
  check(address: string, rules?: { http?: boolean }): URL
  /** The same for a host of a protocol of its own. */
  checkHost(host: string, port: number): void
  /**
   * @param read what it leaves unread is dropped with the connection
   * @throws EgressError
   */
  ask<T>(address: string, ask: Ask, read: (answer: Answer) => Promise<T>): Promise<T>
  /**
   * A connection for a protocol of its own.
   * @param host a name or an address
   * @throws EgressError
   */
  connect(
    host: string,
    port: number,
    within: { readonly withinMs: number; readonly signal: AbortSignal },
  ): Promise<Socket>
}

interface Parts {
  /** Ranges that are asked although they are not public. */
  readonly allow: readonly string[]
  readonly userAgent: string
  readonly resolve?: Resolve
  /** Until the host has answered with its headers. */
  readonly answerWithinMs?: number
  /** Within a body. */
  readonly silentMs?: number
}

const mostRedirects = 5
const headerBytes = 16_384
const redirecting = new Set([301, 302, 303, 307, 308])

/** Headers come as Latin-1; addresses in them are UTF-8 wherever they are more than ASCII. */
function locationOf({ statusCode = 0, headers }: IncomingMessage): string | undefined {
  if (!redirecting.has(statusCode) || headers.location === undefined) return undefined
  return Buffer.from(headers.location, 'latin1').toString()
}

export function openEgress({
  allow,
  userAgent,
  resolve = systemResolve,
  answerWithinMs = 10_000,
  silentMs = 60_000,
}: Parts): Egress {
  const allowed = rangesOf(allow)
  const agents = keptConnections()
  const rules = (http = false) => ({ http, allowed, anyAllowed: allow.length > 0 })

  /** One request to one address. What `read` throws itself is thrown as it is. */
  async function step<T>(
    url: URL,
    ask: Ask,
    leftMs: number,
    read: (answer: IncomingMessage, told: Told) => Promise<T>,
  ) {
    const late = AbortSignal.timeout(Math.max(1, Math.ceil(leftMs)))
    const signal = ask.signal ? AbortSignal.any([late, ask.signal]) : late
    const told: Told = (error) => {
      ask.signal?.throwIfAborted()
      return late.aborted ? new EgressError('timeout', error) : meantBy(error)
    }
    const asked = async () => {
      const pinned = await orAborted(addressesOf(url, { resolve, allowed, http: ask.http ?? false }), signal)
      const rules = { signal, userAgent, answerWithinMs, silentMs }
      if (!ask.keep) return send(url, pinned, ask, { ...rules, agent: false })
      return send(url, pinned, ask, { ...rules, agent: agents[url.protocol] ?? false }).catch((error: unknown) => {
        if (!(error instanceof ClosedUnused)) throw error
        return send(url, pinned, ask, { ...rules, agent: false })
      })
    }
    const answer = await asked().catch((error: unknown) => {
      throw told(error)
    })
    try {
      return await read(answer, told)
    } finally {
      answer.destroy()
    }
  }

  return {
    check: (address, { http } = {}) => readTarget(address, rules(http)),
    checkHost: (host, port) => void hostAt(host, port, rules(true)),
    async ask(address, ask, read) {
      let url = readTarget(address, rules(ask.http))
      let left = ask.withinMs
      for (let hops = 0; ; hops++) {
        const release = (await ask.admit?.(url, ask.signal)) ?? (() => {})
        const began = performance.now()
        try {
          const came = await step(url, ask, left, async (answer, told) => {
            const to = (ask.method ?? 'GET') === 'GET' ? locationOf(answer) : undefined
            if (to !== undefined) return { to }
            const { statusCode: status = 0, headers } = answer
            return {
              value: await read({
                url,
                status,
                headers,
                body: toldBody(() => boundedBody(answer, ask.maxBytes), told),
              }),
            }
          })
          if ('value' in came) return came.value as Awaited<ReturnType<typeof read>>
          if (hops >= mostRedirects) throw new EgressError('too_many_redirects')
          const next = readTarget(URL.parse(came.to ?? '', url.href)?.href ?? '', rules(ask.http))
          // What was asked for in secret is not asked for again in the open.
          if (url.protocol === 'https:' && next.protocol !== 'https:') throw new EgressError('refused_address')
          url = next
        } finally {
          left -= performance.now() - began
          release()
        }
      }
    },
    async connect(host, port, { withinMs, signal }) {
      const url = hostAt(host, port, rules(true))
      const late = AbortSignal.any([AbortSignal.timeout(withinMs), signal])
      const told = (error: unknown) => {
        signal.throwIfAborted()
        return late.aborted ? new EgressError('timeout', error) : meantBy(error)
      }
      const open = async () => {
        const pinned = await orAborted(addressesOf(url, { resolve, allowed, http: true }), late)
        return connected(hostOf(url), port, pinned, late)
      }
      return open().catch((error: unknown) => {
        throw told(error)
      })
    },
  }
}

/** A kept connection had been closed by then. */
class ClosedUnused extends Error {}

function send(
  url: URL,
  pinned: readonly Resolved[],
  { method = 'GET', body, headers }: Ask,
  rules: { signal: AbortSignal; userAgent: string; answerWithinMs: number; silentMs: number; agent: Agent | false },
): Promise<IncomingMessage> {
  const request = url.protocol === 'https:' ? secureRequest : plainRequest
  const { signal, userAgent, answerWithinMs, silentMs, agent } = rules
  const host = hostOf(url)
  return new Promise((resolve, reject) => {
    const asked = request(
      {
        method,
        host,
        port: url.port,
        path: `${url.pathname}${url.search}`,
        headers: {
          host: url.host,
          'user-agent': userAgent,
          accept: '*/*',
          'accept-encoding': acceptEncoding,
          ...headers,
        },
        ...(isIP(host) === 0 ? { servername: host } : {}),
        // One that is kept was made to the same addresses.
        ...{ agent, pinned: namedBy(pinned), lookup: pinnedTo(pinned) },
        maxHeaderSize: headerBytes,
        signal,
      },
      (answer) => {
        clearTimeout(timer)
        answer.setTimeout(silentMs, () => answer.destroy(new EgressError('timeout')))
        resolve(answer)
      },
    )
    let timer: NodeJS.Timeout | undefined
    const awaitAnswer = () => {
      timer = setTimeout(() => asked.destroy(new EgressError('timeout')), answerWithinMs)
    }
    asked.on('error', (error) => {
      clearTimeout(timer)
      reject(closedUnused(error, asked.reusedSocket) ? new ClosedUnused() : error)
    })
    if (typeof body !== 'function') {
      awaitAnswer()
      asked.end(body)
      return
    }
    // It may be hours until all is sent; who takes nothing for a while is gone.
    asked.setTimeout(silentMs, () => asked.destroy(new EgressError('timeout')))
    pipeline(body(), asked, (error) => (error ? reject(error) : awaitAnswer()))
  })
}

type Told = (error: unknown) => unknown

/** Who reads only the status is not told of a body that could not be read. */
async function* toldBody(open: () => AsyncIterable<Uint8Array>, told: Told): AsyncGenerator<Uint8Array> {
  try {
    yield* open()
  } catch (error) {
    throw told(error)
  }
}

/** Beginnings of the codes of errors of Node, OpenSSL and zlib. */
const causes: readonly (readonly [string, EgressErrorCode])[] = [
  ['HPE_HEADER_OVERFLOW', 'too_large'],
  ['HPE_', 'bad_answer'],
  ['Z_', 'bad_answer'],
  ['ERR__', 'bad_answer'],
  ['ERR_TLS', 'untrusted'],
  ['CERT_', 'untrusted'],
  ['DEPTH_ZERO', 'untrusted'],
  ['SELF_SIGNED', 'untrusted'],
  ['UNABLE_TO_', 'untrusted'],
  ['ERR_SSL', 'untrusted'],
  ['ETIMEDOUT', 'timeout'],
  ['ECONN', 'unreachable'],
  ['EHOST', 'unreachable'],
  ['ENET', 'unreachable'],
  ['EPIPE', 'unreachable'],
  ['EADDRNOTAVAIL', 'unreachable'],
]

function meantBy(error: unknown): unknown {
  const code = (error as { code?: unknown } | null)?.code
  if (error instanceof EgressError || typeof code !== 'string') return error
  const found = causes.find(([start]) => code.startsWith(start))
  return found ? new EgressError(found[1], error) : error
}
