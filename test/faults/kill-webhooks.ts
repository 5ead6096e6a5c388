/** Kills an Assay while it delivers to webhooks; it must be let reach this machine. */
import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import { insertOutbox } from '../../infra/catalog/outbox.ts'
import { openCatalog } from '../../infra/catalog/postgres.ts'
import { enough } from '../enough.ts'
import { receiver } from '../infra/system/webhook-ground.ts'
import { demo } from './assay-process.ts'
import type { KilledAssay } from './killed-assay.ts'

const webhooks = 60
const events = 10
/** When it is killed: by what share of all has come. */
const shares = enough([0.4], [0.1, 0.4, 0.7])

export function killWebhooks(killed: () => KilledAssay): void {
  test('an Assay that is killed while it delivers loses no event, invents none, keeps their order, and repeats one only under its id', {
    timeout: 180_000,
  }, async () => {
    let { assay } = killed()
    const host = await receiver((reply) => void setTimeout(() => reply.writeHead(204).end(), 15))
    onTestFinished(() => host.close())
    const base = `/api/workspace/${demo}`
    const ids: string[] = []
    for (let i = 0; i < webhooks; i++) {
      const body = { url: `${host.url}/${i}`, events: ['import.held'], secret: 'demo-signing-secret' }
      const made = await assay.call('POST', `${base}/webhooks`, body)
      expect(made.status).toBe(201)
      ids.push(made.body.id)
    }
    const { brands } = (await assay.call('GET', `${base}/brands`)).body
    const brand = brands.find(({ name }: { name: string }) => name === 'main').id
    const catalog = openCatalog(await killed().ground.databaseUrl(), { maxConnections: 2 })
    for (let n = 1; n <= events; n++)
      await catalog.inTransaction(catalog.pipeline, (tx) =>
        insertOutbox(tx, { kind: 'import.held', cause: randomUUID(), workspace: demo, brand, body: { n } }),
      )
    let struck = 0
    for (const share of shares) {
      while (host.received.length < share * webhooks * events) await sleep(2)
      await assay.kill()
      if (host.received.length < webhooks * events) struck++
      assay = await killed().start()
    }
    const open = `select count(*)::int as n from webhook_delivery where state <> 'delivered'`
    const told = 'select count(*)::int as n from webhook_delivery'
    const count = async (sql: string) => (await catalog.pipeline.query<{ n: number }>(sql)).rows[0]?.n
    await expect.poll(() => count(told), { timeout: 60_000 }).toBe(webhooks * events)
    await expect.poll(() => count(open), { timeout: 60_000 }).toBe(0)
    // Killed in the middle each time, or the test showed nothing.
    expect(struck).toBe(shares.length)
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
    // Only what was under way at a kill.
    expect(repeats).toBeLessThanOrEqual(shares.length * 64)
    process.stdout.write(`${webhooks * events} deliveries over ${struck} kills, ${repeats} of them repeated\n`)
    await catalog.close()
  })
}
