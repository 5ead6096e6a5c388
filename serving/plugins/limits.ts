/** Rates by channel, as data; counted in fixed windows, told in four headers. */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { ServiceError } from '../../schemas/errors.ts'
import { samplesForm } from './errors.ts'
import type { Counted, Window, WindowCounter } from './rate-window.ts'

/** Counted by key, by key and address, by address, or by workspace; seconds of the window, and requests in it. */
interface Rate {
  readonly by: 'credential' | 'credential+ip' | 'ip' | 'workspace'
  readonly seconds: number
  readonly limit: number
}

const minute = 60
const hour = 3_600

/** interface.md's table; the last line is ours, and `ASSAY_WORKSPACE_RATE` sets it: the contract gives workspace endpoints none. */
export const rates = {
  feed: [{ by: 'credential', seconds: minute, limit: 60 }],
  search: [
    { by: 'credential', seconds: minute, limit: 1_000 },
    { by: 'credential+ip', seconds: minute, limit: 100 },
  ],
  'search-anonymous': [{ by: 'ip', seconds: minute, limit: 100 }],
  tools: [
    { by: 'credential', seconds: minute, limit: 200 },
    { by: 'credential+ip', seconds: minute, limit: 50 },
  ],
  'hub-clone': [{ by: 'workspace', seconds: hour, limit: 5 }],
  'hub-search': [{ by: 'credential', seconds: minute, limit: 60 }],
  'hub-preview': [{ by: 'credential', seconds: minute, limit: 30 }],
  workspace: [{ by: 'credential', seconds: minute, limit: 1_200 }],
} as const satisfies Record<string, readonly Rate[]>

export type RateName = keyof typeof rates

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The rate that this route is under, where it is another than its channel's or the workspace's. */
    rate?: RateName
    /** Open to all, and counted by address. */
    anonymous?: true
  }
}

export interface LimitPorts {
  readonly counter: WindowCounter
  readonly now: () => Date
  /** Rates that replace those of the table, for a deployment or a test. */
  readonly rates?: Partial<Record<RateName, readonly Rate[]>>
  /** Requests that one address may have under way at once. */
  readonly concurrentPerIp?: number
}

/** After access: who asks is known. A refused request moves no window and counts for nothing (KF-33). */
export function registerLimits(app: FastifyInstance, ports: LimitPorts) {
  app.addHook('onRequest', (request, reply, done) => {
    if (!request.bearer && !request.person && !request.routeOptions.config.anonymous) return done()
    const nowMs = ports.now().getTime()
    const windows = windowsOf(request, ports)
    if (windows.length === 0) return done()
    const passed = (counted: readonly Counted[]) => {
      tell(tightest(counted), reply, request, nowMs)
      done()
    }
    const counted = ports.counter.hit(windows, nowMs)
    if (counted instanceof Promise) counted.then(passed).catch(done)
    else passed(counted)
  })
}

/** For a request that has several in it, beyond the one that it was counted as. @throws where they are too many */
export async function countAlso(request: FastifyRequest, reply: FastifyReply, ports: LimitPorts, more: number) {
  const nowMs = ports.now().getTime()
  const windows = windowsOf(request, ports)
  for (let i = 0; i < more && windows.length > 0; i++)
    tell(tightest(await ports.counter.hit(windows, nowMs)), reply, request, nowMs)
}

function windowsOf(request: FastifyRequest, ports: LimitPorts): Window[] {
  const { channel, rate } = request.routeOptions.config
  const name: RateName = rate ?? channel ?? 'workspace'
  return (ports.rates?.[name] ?? rates[name]).map(({ by, limit, seconds }) => ({
    key: `${name}:${by}:${keyOf(by, request)}`,
    limit,
    seconds,
  }))
}

const tightest = (counted: readonly Counted[]) =>
  counted.reduce((a, b) => (b.limit - b.hits < a.limit - a.hits ? b : a))

function keyOf(by: Rate['by'], { bearer, person, ip }: FastifyRequest): string {
  if (by === 'workspace') return bearer?.workspace ?? ''
  if (by === 'ip') return ip
  const who = bearer ? `${bearer.workspace} ${bearer.subject}` : `person ${person?.subject}`
  return by === 'credential' ? who : `${who} ${ip}`
}

function tell({ limit, hits, endsMs }: Counted, reply: FastifyReply, request: FastifyRequest, nowMs: number) {
  reply
    .header('x-ratelimit-limit', limit)
    .header('x-ratelimit-remaining', Math.max(0, limit - hits))
    .header('x-ratelimit-reset', Math.ceil(endsMs / 1_000))
  if (hits <= limit) return
  // Whole seconds, at least one: after them a request passes.
  reply.header('retry-after', Math.max(1, Math.ceil((endsMs - nowMs) / 1_000)))
  const { config, url } = request.routeOptions
  throw new ServiceError(
    config.channel ? 'RATE_001' : samplesForm.test(url ?? '') ? 'RATE_LIMIT_EXCEEDED' : 'RATE_LIMITED',
  )
}
