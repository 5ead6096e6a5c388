import { expect, test } from 'vitest'
import { enough } from '../../enough.ts'
import { supplierFile } from '../../faults/supplier-file.ts'
import { startAssay, workspace } from '../../running.ts'

test('an import that several runs work on at once, as after a process that was taken for dead, is appended once, and each row listed once', {
  timeout: 60_000,
}, async () => {
  const assay = await startAssay()
  try {
    const file = supplierFile(enough(9_000, 17_000))
    const catalog = await assay.newCatalog()
    const path = `/api/workspace/${workspace}/datasets/ingest?catalog_id=${catalog}`
    const { job } = (await assay.call('POST', path, Buffer.from(file.text))).body
    const runs = Array.from({ length: 2 }, () => assay.system.imports.run(job.id, new AbortController().signal))
    await Promise.allSettled(runs)
    const { status, result } = await assay.job(job.id)
    expect({ status, ...result }).toMatchObject({
      status: 'completed',
      read: file.rows,
      ...file.counts,
      updated: 0,
      unchanged: 0,
    })
    const { text } = await assay.call('GET', `/api/workspace/${workspace}/imports/${result.importId}/rows/download`)
    const listed = text
      .trimEnd()
      .split('\n')
      .map((line): number => JSON.parse(line).row)
    expect(listed).toEqual(Array.from({ length: file.rows }, (_, i) => i + 1))
    const ends = await assay.system.log.ends('products.bronze')
    expect(ends.reduce((sum, end) => sum + end, 0)).toBe(file.products.length)
  } finally {
    await assay.close()
  }
})
