import { expect, test } from 'vitest'
import { startAssay, workspace } from '../running.ts'
import { measureReplay } from './measure-replay.ts'

test('the benchmark of replays runs in short: all products are replayed, judged and promoted while others read and edit', async () => {
  const assay = await startAssay()
  try {
    const rows = Array.from({ length: 600 }, (_, n) => `R-${n},Mug ${n},${n + 1}.00\n`)
    await assay.ingest(await assay.newCatalog(), `sku,title,price\n${rows.join('')}`)
    const call = async (method: 'GET' | 'POST' | 'PATCH', path: string, body?: object) => {
      const answer = await assay.call(method, `/api/workspace/${workspace}${path}`, body)
      if (answer.status >= 300) throw new Error(answer.text)
      return answer.body
    }
    const measured = await measureReplay({ catalog: assay.system.catalog, call }, { idleSeconds: 1, watched: 200 })
    expect(measured.products).toBe(600)
    for (const figure of [measured.seconds, measured.verdictMs, measured.promotedPerSecond])
      expect(figure).toBeGreaterThan(0)
    // So few can all be told of at once.
    for (const figure of [measured.beside, measured.alone]) expect(figure).toBeGreaterThanOrEqual(0)
    for (const { idle } of [measured.reads, measured.edits]) expect(idle).toBeGreaterThan(0)
  } finally {
    await assay.close()
  }
})
