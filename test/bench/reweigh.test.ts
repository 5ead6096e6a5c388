import { expect, test } from 'vitest'
import { startAssay, workspace } from '../running.ts'
import { measureReweigh } from './measure-reweigh.ts'

test('the benchmark of new weights runs in short, and what a preview said is what came', async () => {
  const assay = await startAssay()
  try {
    const { products, patterns, ...took } = await measureReweigh(
      {
        workspace,
        query: (sql, values) => assay.system.catalog.pipeline.query(sql, values) as never,
        call: async (method, path, body) => {
          const answer = await assay.call(method, path, body)
          if (answer.status >= 300) throw new Error(answer.text)
          return answer.body
        },
        told: () => {},
        filled: () => {},
      },
      { size: 2_000, patterns: 500, rounds: 1 },
    )
    expect(products).toBe(2_000)
    expect(patterns).toBeGreaterThan(100)
    for (const { ms, bareMs } of Object.values(took)) {
      expect(ms).toBeGreaterThan(0)
      expect(bareMs).toBeGreaterThan(0)
    }
  } finally {
    await assay.close()
  }
})
