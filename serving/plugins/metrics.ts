/** GET /metrics for Prometheus: requests, log lag, imports and jobs, pools, the process. Not public. */
import { hash, timingSafeEqual } from 'node:crypto'
import { BlockList } from 'node:net'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'
import { z } from 'zod'
import type { StateCount } from '../../infra/catalog/gauge-queries.ts'
import { ServiceError } from '../../schemas/errors.ts'

export interface MetricsPorts {
  /** null: only who asks from this machine may read. */
  readonly token: string | null
  /** Records that the sink has yet to pass, by partition. */
  readonly lag: () => Promise<readonly number[]>
  /** Events that are on the log and not in the event store. */
  readonly eventsLag: () => Promise<number>
  readonly states: () => Promise<readonly StateCount[]>
  readonly pools: () => Readonly<Record<string, { total: number; idle: number; waiting: number }>>
}

interface Series {
  observe(seconds: number): void
}

const seconds = [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30]

/** Their observers are never taken off again: one set a process, however many servers it builds. */
let ofProcess: Registry | null = null
function processMetrics(): Registry {
  if (ofProcess) return ofProcess
  ofProcess = new Registry()
  collectDefaultMetrics({ register: ofProcess })
  return ofProcess
}

export function registerMetrics(app: FastifyInstance, ports: MetricsPorts) {
  const own = new Registry()
  const durations = new Histogram({
    name: 'http_request_duration_seconds',
    help: 'From the first byte of a request to the last of its answer',
    labelNames: ['method', 'route', 'status'],
    buckets: seconds,
    registers: [own],
  })
  registerGauges(own, ports)
  // Labels are put in order and joined once a series, not once a request.
  const series = new Map<string, Map<string, Series>>()
  app.addHook('onResponse', ({ method, routeOptions }, reply, done) => {
    // The route as it was registered: addresses would make a series each.
    const [route, status] = [routeOptions.url ?? 'none', reply.statusCode]
    const ofRoute = series.get(route) ?? new Map<string, Series>()
    series.set(route, ofRoute)
    const name = method + status
    const known = ofRoute.get(name) ?? durations.labels({ method, route, status })
    ofRoute.set(name, known)
    known.observe(reply.elapsedTime / 1_000)
    done()
  })

  app.get(
    '/metrics',
    {
      schema: {
        summary: 'Metrics for Prometheus',
        description:
          'Asks for the bearer token ASSAY_METRICS_TOKEN; where none is set, only this machine may ask, and no proxy for another.',
        tags: ['Health'],
        errors: ['UNAUTHORIZED', 'FORBIDDEN'],
        answers: {
          200: { type: 'text/plain', schema: z.string(), example: 'assay_log_lag_records{partition="0"} 0\n' },
        },
      },
    },
    async (request, reply) => {
      admit(request, ports.token)
      const all = Registry.merge([own, processMetrics()])
      return reply.type(all.contentType).send(await all.metrics())
    },
  )
}

function registerGauges(own: Registry, { lag, eventsLag, states, pools }: MetricsPorts) {
  new Gauge({
    name: 'assay_log_lag_records',
    help: 'Records of the log that are not in the catalog yet',
    labelNames: ['partition'],
    registers: [own],
    async collect() {
      for (const [partition, records] of (await lag()).entries()) this.set({ partition }, records)
    },
  })
  new Gauge({
    name: 'assay_events_lag',
    help: 'Events that are on the log and not in the event store yet',
    registers: [own],
    async collect() {
      this.set(await eventsLag())
    },
  })
  new Gauge({
    name: 'assay_work',
    help: 'Imports and jobs that are open or ended within a day, and dead letters of a day, by state',
    labelNames: ['kind', 'state'],
    registers: [own],
    async collect() {
      this.reset()
      for (const { kind, state, count } of await states()) this.set({ kind, state }, count)
    },
  })
  new Gauge({
    name: 'assay_pool_connections',
    help: 'Connections to Postgres in use and idle, and requests that wait for one',
    labelNames: ['pool', 'state'],
    registers: [own],
    collect() {
      for (const [pool, { total, idle, waiting }] of Object.entries(pools())) {
        this.set({ pool, state: 'used' }, total - idle)
        this.set({ pool, state: 'idle' }, idle)
        this.set({ pool, state: 'waiting' }, waiting)
      }
    },
  })
}

const loopback = new BlockList()
loopback.addSubnet('127.0.0.0', 8, 'ipv4')
loopback.addAddress('::1', 'ipv6')

function admit({ headers, raw }: FastifyRequest, token: string | null) {
  if (token !== null) {
    const given = /^Bearer +(.+)$/i.exec(headers.authorization ?? '')?.[1] ?? ''
    // Hashes are of one length, whatever was given.
    if (!timingSafeEqual(hash('sha256', given, 'buffer'), hash('sha256', token, 'buffer')))
      throw new ServiceError('UNAUTHORIZED')
    return
  }
  // The peer itself, whatever a header says; and who speaks for another is a proxy, not this machine.
  const peer = (raw.socket.remoteAddress ?? '').replace(/^::ffff:/i, '')
  const forwarded = headers['x-forwarded-for'] !== undefined || headers.forwarded !== undefined
  if (forwarded || !loopback.check(peer, peer.includes(':') ? 'ipv6' : 'ipv4'))
    throw new ServiceError('FORBIDDEN', { message: 'Metrics are read with a token, or from this machine' })
}
