/** Webhooks on a real database with receivers on loopback, and a clock whose hours pass at once. */
import { randomBytes, randomUUID } from 'node:crypto'
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { brandNamed } from '../../../infra/catalog/brands.ts'
import { insertOutbox } from '../../../infra/catalog/outbox.ts'
import { type Catalog, openCatalog } from '../../../infra/catalog/postgres.ts'
import { ensureWorkspace } from '../../../infra/catalog/tenants.ts'
import { insertSecret, insertWebhook, type WebhookRow } from '../../../infra/catalog/webhooks.ts'
import { openEgress } from '../../../infra/egress/open-egress.ts'
import { openSealing } from '../../../infra/seal.ts'
import { type Delivering, type DeliveringParts, openDelivering } from '../../../infra/system/delivering.ts'
import { tellEvents } from '../../../infra/system/telling.ts'
import { freshDatabase, type TestDatabase } from '../../harness.ts'

export interface Received {
  readonly path: string
  readonly headers: IncomingHttpHeaders
  readonly body: string
}

export interface Receiver {
  readonly url: string
  readonly received: Received[]
  close(): Promise<void>
}

/** @param answer told of the how-manieth request on this path it is, from 1 */
export async function receiver(
  answer: (reply: ServerResponse, path: string, nth: number) => void = (reply) => reply.writeHead(204).end(),
  host = '127.0.0.1',
): Promise<Receiver> {
  const received: Received[] = []
  const counts = new Map<string, number>()
  const server = createServer((request, reply) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk) => chunks.push(chunk))
    request.on('end', () => {
      const path = request.url ?? ''
      received.push({ path, headers: request.headers, body: Buffer.concat(chunks).toString() })
      const nth = (counts.get(path) ?? 0) + 1
      counts.set(path, nth)
      answer(reply, path, nth)
    })
  })
  await new Promise<void>((done) => server.listen(0, host, done))
  const { port } = server.address() as AddressInfo
  return {
    url: `http://${host}:${port}`,
    received,
    close: () =>
      new Promise((done) => {
        server.close(() => done())
        server.closeAllConnections()
      }),
  }
}

export type WebhookGround = Awaited<ReturnType<typeof webhookGround>>

/** @param fresh a database with nothing in it but the schema */
export async function webhookGround(fresh: () => Promise<TestDatabase> = freshDatabase) {
  const database = await fresh()
  const catalog = openCatalog(database.url, { maxConnections: 8 })
  const pool = catalog.pipeline
  const sealing = openSealing([randomBytes(32)])
  const egress = openEgress({ allow: ['127.0.0.1'], userAgent: 'test' })
  const workspace = 'ws_hooks'
  await ensureWorkspace(pool, workspace, 'Hooks')
  const brand = (await brandNamed(pool, workspace, 'main')) ?? ''
  let offsetMs = 0
  const errors: unknown[] = []
  const now = () => new Date(Date.now() + offsetMs)
  const opened: Delivering[] = []
  const parts = { catalog, egress, sealing, now, onError: (error: unknown) => errors.push(error) }
  const secret = 'demo-signing-secret'
  return {
    ...{ database, catalog, pool, sealing, egress, workspace, brand, errors, now, secret, parts },
    /** Lets time pass. */
    pass: (ms: number) => {
      offsetMs += ms
    },
    deliverer(more: Partial<DeliveringParts> = {}, on: Pick<Catalog, 'pipeline' | 'inTransaction'> = catalog) {
      const one = openDelivering({ ...parts, catalog: on, ...more })
      opened.push(one)
      return one
    },
    async webhook(
      url: string,
      {
        events = ['job.completed'],
        platform = null,
        of = brand,
      }: { events?: string[]; platform?: string | null; of?: string } = {},
    ): Promise<WebhookRow> {
      return catalog.inTransaction(pool, async (tx) => {
        const row = await insertWebhook(tx, {
          id: randomUUID(),
          workspace,
          brand: of,
          platform,
          url,
          events,
          by: 'ada',
        })
        await insertSecret(tx, row, sealing.seal(secret, row.id))
        return row
      })
    },
    /** Something happens, and is told. */
    async happen(
      kind = 'job.completed',
      body: object = { job_id: randomUUID() },
      more: { platform?: string; position?: string; of?: string } = {},
    ) {
      const { of = brand, ...rest } = more
      await catalog.inTransaction(pool, (tx) =>
        insertOutbox(tx, { kind, cause: randomUUID(), workspace, brand: of, body, ...rest }),
      )
      while (await tellEvents(catalog, now));
    },
    async states(webhook: string) {
      const sql = 'select sequence, state, attempts from webhook_delivery where webhook_id = $1 order by sequence'
      return (await pool.query<{ sequence: number; state: string; attempts: number }>(sql, [webhook])).rows
    },
    async find(webhook: string) {
      const sql = 'select state, reason from webhook where webhook_id = $1'
      return (await pool.query<{ state: string; reason: string | null }>(sql, [webhook])).rows[0]
    },
    async close() {
      await Promise.all(opened.map((one) => one.stop()))
      await catalog.close()
      await database.drop()
    },
  }
}
