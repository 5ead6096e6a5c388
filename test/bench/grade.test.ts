import { join } from 'node:path'
import { expect, test } from 'vitest'
import { measure } from './grade.ts'
import { realRecords } from './real-records.ts'

test('the benchmark of scores takes every step over our own sample, and measures what each allocates', async () => {
  const real = await realRecords([join(import.meta.dirname, '../../ingest/sample/rheingold-home.csv')])
  expect(real.records.length).toBeGreaterThan(450)
  const measured = measure(real, 1_000)
  expect(measured.map(({ step }) => step)).toEqual([
    ...['read and copy', 'merge', 'refine', 'content hash', 'grade', 'refine + grade', 'all of them'],
  ])
  for (const { perSecond, bytes } of measured) {
    expect(perSecond).toBeGreaterThan(0)
    expect(bytes).toBeGreaterThan(0)
  }
})
