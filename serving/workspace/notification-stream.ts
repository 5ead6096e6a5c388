/** GET …/notifications/stream: what the bearer is told, as server-sent events while it comes. */
import { Readable } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { z } from 'zod'
import { type NotificationRow, notificationsSince, placeOfNotification } from '../../infra/catalog/notifications.ts'
import type { Catalog } from '../../infra/catalog/postgres.ts'
import { ServiceError } from '../../schemas/errors.ts'
import { workspaceId } from '../../schemas/ids.ts'
import { bearerOf, principalOf } from '../plugins/access.ts'
import { exampleNotification } from './examples.ts'
import { toNotification } from './notification-resource.ts'

export interface StreamPorts {
  readonly catalog: Pick<Catalog, 'withTenant'>
  readonly streams?: Partial<typeof times>
}

const times = {
  /** Any node may end the job, and a NOTIFY would make commits wait for one another. */
  pollMs: 1_000,
  heartbeatMs: 15_000,
  /** Then the reader comes again, with its last event. */
  endsAfterMs: 60_000,
}

const pageRows = 100
const again = 'retry: 1000\n\n'
const heartbeat = ': still here\n\n'

const eventOf = (row: NotificationRow) =>
  `id: ${row.id}\nevent: notification\ndata: ${JSON.stringify(toNotification(row))}\n\n`

/** @param read the next ones in order, after a place */
export async function* notificationEvents(
  from: number,
  read: (seq: number) => Promise<readonly NotificationRow[]>,
  { pollMs, heartbeatMs, endsAfterMs }: typeof times,
  signal: AbortSignal,
): AsyncGenerator<string> {
  yield again
  let place = from
  let saidAt = Date.now()
  for (const until = Date.now() + endsAfterMs; Date.now() < until && !signal.aborted; ) {
    const rows = await read(place)
    place = rows.at(-1)?.seq ?? place
    if (rows.length > 0) yield rows.map(eventOf).join('')
    else if (Date.now() - saidAt >= heartbeatMs) yield heartbeat
    else {
      await sleep(Math.min(pollMs, Math.max(0, until - Date.now())), undefined, { signal }).catch(() => {})
      continue
    }
    saidAt = Date.now()
  }
}

export const notificationStream: FastifyPluginAsyncZod<StreamPorts> = async (app, { catalog, streams }) => {
  const closing = new AbortController()
  app.addHook('preClose', async () => closing.abort())

  app.get(
    '/notifications/stream',
    {
      config: { action: 'jobs:read', long: true },
      schema: {
        summary: 'What you are told, while it comes',
        description:
          'Server-sent events named notification. It begins with what comes next, or after the event that Last-Event-ID names; a comment is sent when nothing else is, and after a minute it ends for the reader to come again, as an EventSource does by itself.',
        tags: ['Notifications'],
        params: z.object({ workspaceId }),
        headers: z.object({ 'last-event-id': z.uuid().toLowerCase().or(z.literal('')).optional() }),
        answers: {
          200: {
            type: 'text/event-stream',
            schema: z.string(),
            example: `id: ${exampleNotification.id}\nevent: notification\ndata: ${JSON.stringify(exampleNotification)}\n\n`,
          },
        },
      },
    },
    async (request, reply) => {
      const bearer = bearerOf(request)
      const principal = principalOf(bearer)
      const last = request.headers['last-event-id'] || null
      const from = await catalog.withTenant(principal, (tx) => placeOfNotification(tx, bearer.subject, last))
      if (from === null)
        throw new ServiceError('INVALID_REQUEST', { message: 'It is no event of yours', field: 'last-event-id' })
      const gone = new AbortController()
      reply.raw.once('close', () => gone.abort())
      const read = async (seq: number) => {
        if (await request.mayStill())
          return catalog.withTenant(principal, (tx) => notificationsSince(tx, bearer.subject, seq, pageRows))
        gone.abort()
        return []
      }
      const signal = AbortSignal.any([gone.signal, closing.signal])
      const events = notificationEvents(from, read, { ...times, ...streams }, signal)
      return reply
        .type('text/event-stream; charset=utf-8')
        .header('cache-control', 'no-store')
        .header('x-accel-buffering', 'no')
        .send(Readable.from(request.method === 'HEAD' ? [] : events, { highWaterMark: 1 }))
    },
  )
}
