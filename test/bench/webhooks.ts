/** `npm run bench webhooks [webhooks]`: one event told to all of them, alone and then beside a thousand receivers that never answer, and bare POSTs of the same bytes. */
import { rm } from 'node:fs/promises'
import { request } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { startEmbeddedPostgres } from '../../infra/catalog/embedded.ts'
import { migrate } from '../../infra/catalog/migrate.ts'
import { table } from '../../infra/cli/table.ts'
import { serverFolder } from '../harness.ts'
import { type Received, receiver, webhookGround } from '../infra/system/webhook-ground.ts'

const dead = 1_000
/** As many as deliveries have under way. */
const together = 64

export async function webhooksBench([count = '10000']: string[]): Promise<void> {
  const size = Number(count)
  const folder = await serverFolder('assay-bench-')
  const postgres = await startEmbeddedPostgres(folder)
  const ground = await webhookGround(async () => {
    await migrate(postgres.url)
    return { url: postgres.url, drop: async () => {} }
  })
  const host = await receiver()
  const silent = await receiver(() => {})
  try {
    for (let i = 0; i < size; i++) await ground.webhook(`${host.url}/${i}`)
    const deliverer = ground.deliverer()
    const told = async () => {
      const from = host.received.length
      const began = performance.now()
      await ground.happen()
      const dealtMs = performance.now() - began
      void deliverer.idle().catch(() => {})
      while (host.received.length < from + size) await sleep(5)
      return { dealtMs, ms: performance.now() - began }
    }
    const first = await told()
    const again = await told()
    for (let i = 0; i < dead; i++) await ground.webhook(`${silent.url}/${i}`)
    const beside = await told()
    const bareMs = await bare(host.url, host.received.slice(-size))
    const line = (what: string, ms: number) => [
      what,
      Math.round(ms),
      Math.round((size / ms) * 1_000),
      (bareMs / ms).toFixed(2),
    ]
    process.stdout.write(
      `${table([
        [`one event, ${size} webhooks`, 'ms', 'a second', 'of bare POSTs'],
        line('bare POSTs of the same bytes', bareMs),
        line('to webhooks that are new', first.ms),
        line('to webhooks that have answered before', again.ms),
        line(`beside ${dead} dead receivers`, beside.ms),
      ])}\ndeliveries of it written in ${Math.round(again.dealtMs)} ms\n`,
    )
  } finally {
    await ground.close()
    await Promise.all([host.close(), silent.close()])
    await postgres.stop()
    await rm(folder, { recursive: true, force: true })
  }
}

/** A connection each, as deliveries have. */
async function bare(url: string, sent: readonly Received[]): Promise<number> {
  const began = performance.now()
  const left = sent.values()
  const post = ({ path, body, headers }: Received) =>
    new Promise<void>((done, failed) => {
      const asked = request(`${url}${path}`, { method: 'POST', agent: false, headers }, (answer) => {
        answer.resume().on('end', done)
      })
      asked.on('error', failed).end(body)
    })
  await Promise.all(
    Array.from({ length: together }, async () => {
      for (const one of left) await post(one)
    }),
  )
  return performance.now() - began
}
