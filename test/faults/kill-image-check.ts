/** Kills an Assay while it looks at images; it must be let reach this machine. */
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import { enough } from '../enough.ts'
import { localHost } from '../infra/egress/local-host.ts'
import { drawn } from '../ingest/images/drawn.ts'
import { demo } from './assay-process.ts'
import type { KilledAssay } from './killed-assay.ts'

const images = 12
const gone = (url: string | undefined) => url === '/3.jpg' || url === '/8.jpg'
const base = `/api/workspace/${demo}`

export function killImageCheck(killed: () => KilledAssay): void {
  test('a check of images that is killed goes on where it was: what was fetched is not fetched again, and each product is told once', {
    timeout: 180_000,
  }, async () => {
    let { assay } = killed()
    const picture = await drawn(1, 600)
    const shop = await localHost((request, reply) => {
      if (gone(request.url)) reply.writeHead(404).end()
      else reply.end(picture)
    })
    onTestFinished(() => shop.close())
    const { catalog } = (await assay.call('POST', `${base}/catalogs`, { name: 'Killed' })).body
    const rows = Array.from({ length: images }, (_, i) => `K-${i},Mug ${i},${shop.url}/${i}.jpg`)
    const query = `catalog_id=${catalog.id}&source=killed`
    const imported = await assay.call(
      'POST',
      `${base}/datasets/ingest?${query}`,
      `sku,title,images\n${rows.join('\n')}\n`,
    )
    const ended = async (id: string) => {
      for (;;) {
        const { job } = (await assay.call('GET', `/jobs/${id}`)).body
        if (job.status === 'completed' || job.status === 'failed') return job
        await sleep(100)
      }
    }
    expect(await ended(imported.body.job.id)).toMatchObject({ status: 'completed', result: { created: images } })

    const path = `${base}/catalogs/${catalog.id}/checks/images`
    const { job } = (await assay.call('POST', path, {})).body
    for (const after of enough([7], [3, 7])) {
      while (shop.asked.length < after) await sleep(5)
      await assay.kill()
      assay = await killed().start()
    }
    expect(await ended(job.id)).toMatchObject({
      ...{ status: 'completed', result: { images: { ok: images - 2, dead: 2 }, fetched: images, changed: 2 } },
    })
    // At most the one that was under way at each kill is asked for again.
    expect(shop.asked.length).toBeLessThanOrEqual(images + 2)
    expect(new Set(shop.asked.map(({ url }) => url)).size).toBe(images)
  })
}
