/** Deliveries to webhooks that are under way when Assay is killed; it must be let reach this machine. */
import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect } from 'vitest'
import { insertOutbox } from '../../infra/catalog/outbox.ts'
import { type Catalog, openCatalog } from '../../infra/catalog/postgres.ts'
import { type Receiver, receiver } from '../infra/system/webhook-ground.ts'
import { demo } from './assay-process.ts'
import { heldAnswers } from './held-answers.ts'
import type { KilledAssay, Struck } from './killed-assay.ts'

const webhooks = 60
const events = 10
const base = `/api/workspace/${demo}`
/** When it is killed, by round: by what share of all has been answered. */
const shares = [0.4, 0.5, 0.7]
/** At most so many are under way. */
const atOnce = 64

export function killWebhooks(killed: () => KilledAssay): Struck {
  const held = heldAnswers()
  let host: Receiver
  let catalog: Catalog
  let kills = 0
  const count = async (sql: string) => (await catalog.pipeline.query<{ n: number }>(sql)).rows[0]?.n

  async function tell(): Promise<void> {
    const { brands } = (await killed().assay.call('GET', `${base}/brands`)).body
    const brand = brands.find(({ name }: { name: string }) => name === 'main').id
    for (let n = 1; n <= events; n++)
      await catalog.inTransaction(catalog.pipeline, (tx) =>
        insertOutbox(tx, { kind: 'import.held', cause: randomUUID(), workspace: demo, brand, body: { n } }),
      )
  }

  return {
    promise:
      'an Assay that is killed while it delivers loses no event, invents none, keeps their order, and repeats one only under its id',
    async prepare() {
      host = await receiver((reply) => held.answer(() => void setTimeout(() => reply.writeHead(204).end(), 15)))
      catalog = openCatalog(await killed().ground.databaseUrl(), { maxConnections: 2 })
      for (let i = 0; i < webhooks; i++) {
        const body = { url: `${host.url}/${i}`, events: ['import.held'], secret: 'demo-signing-secret' }
        expect((await killed().assay.call('POST', `${base}/webhooks`, body)).status).toBe(201)
      }
    },
    async middle(round) {
      const answered = (shares[round] ?? 1) * webhooks * events
      held.allow(answered)
      if (kills++ === 0) await tell()
      while (held.asked() <= answered) await sleep(2)
    },
    async check() {
      held.allow(Number.POSITIVE_INFINITY)
      const open = `select count(*)::int as n from webhook_delivery where state <> 'delivered'`
      const told = 'select count(*)::int as n from webhook_delivery'
      await expect.poll(() => count(told), { timeout: 60_000 }).toBe(webhooks * events)
      await expect.poll(() => count(open), { timeout: 60_000 }).toBe(0)
      const seen = new Map<string, { n: number; id: string; body: string }[]>()
      for (const { path, headers, body } of host.received)
        seen.set(path, [
          ...(seen.get(path) ?? []),
          { n: JSON.parse(body).data.n, id: String(headers['webhook-id']), body },
        ])
      expect(seen.size).toBe(webhooks)
      for (const got of seen.values()) {
        // In order, where one that is repeated comes again at once.
        const once = got.filter(({ id }, i) => i === 0 || got[i - 1]?.id !== id)
        expect(once.map(({ n }) => n)).toEqual(Array.from({ length: events }, (_, i) => i + 1))
        for (const { id, body } of got) expect(got.find((one) => one.id === id)?.body).toBe(body)
      }
      const repeats = host.received.length - webhooks * events
      // Only what was under way at a kill, of which there was something, or the test showed nothing.
      expect(repeats).toBeGreaterThan(0)
      expect(repeats).toBeLessThanOrEqual(kills * atOnce)
      await catalog.close()
      await host.close()
    },
  }
}
