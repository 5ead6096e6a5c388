/** A check of images that is under way when Assay is killed; it must be let reach this machine. */
import { setTimeout as sleep } from 'node:timers/promises'
import { expect } from 'vitest'
import { type LocalHost, localHost } from '../infra/egress/local-host.ts'
import { drawn } from '../ingest/images/drawn.ts'
import { demo } from './assay-process.ts'
import { ended } from './exact.ts'
import { heldAnswers } from './held-answers.ts'
import type { KilledAssay, Struck } from './killed-assay.ts'

const images = 12
const gone = (url: string | undefined) => url === '/3.jpg' || url === '/8.jpg'
const base = `/api/workspace/${demo}`
/** So many are answered before the kill of each round; the next is held. */
const answeredBefore = [7, 8, 9]

export function killImageCheck(killed: () => KilledAssay): Struck {
  const held = heldAnswers()
  let shop: LocalHost
  let path: string
  let job: string | undefined
  let kills = 0
  return {
    promise:
      'a check of images that is killed goes on where it was: what was fetched is not fetched again, and each product is told once',
    async prepare() {
      const { assay } = killed()
      const picture = await drawn(1, 600)
      shop = await localHost((request, reply) =>
        held.answer(() => {
          if (gone(request.url)) reply.writeHead(404).end()
          else reply.end(picture)
        }),
      )
      const { catalog } = (await assay.call('POST', `${base}/catalogs`, { name: 'Killed' })).body
      const rows = Array.from({ length: images }, (_, i) => `K-${i},Mug ${i},${shop.url}/${i}.jpg`)
      const query = `catalog_id=${catalog.id}&source=killed`
      const file = `sku,title,images\n${rows.join('\n')}\n`
      const imported = await assay.call('POST', `${base}/datasets/ingest?${query}`, file)
      expect(await ended(assay, imported.body.job.id)).toMatchObject({
        status: 'completed',
        result: { created: images },
      })
      path = `${base}/catalogs/${catalog.id}/checks/images`
    },
    async middle(round) {
      kills++
      const answered = answeredBefore[round] ?? 0
      held.allow(answered)
      job ??= (await killed().assay.call('POST', path, {})).body.job.id
      while (held.asked() <= answered) await sleep(5)
    },
    async check() {
      held.allow(Number.POSITIVE_INFINITY)
      expect(await ended(killed().assay, job ?? '')).toMatchObject({
        ...{ status: 'completed', result: { images: { ok: images - 2, dead: 2 }, fetched: images, changed: 2 } },
      })
      // At most the one that was under way at each kill is asked for again.
      expect(shop.asked.length).toBeLessThanOrEqual(images + kills)
      expect(new Set(shop.asked.map(({ url }) => url)).size).toBe(images)
      await shop.close()
    },
  }
}
