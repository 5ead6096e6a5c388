import { describe, expect, test } from 'vitest'
import { readerResults } from '../../ingest/reader-results.ts'
import { gather } from './gathered.ts'
import { workbook } from './workbook.ts'

const row = (...cells: string[]) =>
  `<row>${cells.map((cell) => (cell.startsWith('#') ? `<c t="e"><v>${cell}</v></c>` : `<c t="str"><v>${cell}</v></c>`)).join('')}</row>`
const book = (...rows: readonly string[][]) =>
  workbook([{ name: 'A', rows: rows.map((cells) => row(...cells)).join('') }])

describe('a cell whose formula failed', () => {
  test.each([
    ['of a flat file', ['sku', 'title', 'brand'], ['A', 'Mug', '#REF!'], ['B', 'Cup', 'Lumo']],
    ['of a family', ['sku', 'item_group_id', 'brand'], ['A', 'G', '#REF!'], ['B', 'G', 'Lumo']],
  ])('%s is a warning of its own row', async (_, ...rows) => {
    const candidates = await gather(await book(...rows))
    const { outcome, notes } = readerResults(
      candidates.map((item) => ({ item, verdict: null })),
      {},
    )
    expect(outcome.warnings).toEqual({ spreadsheet_error: 1 })
    expect(notes).toMatchObject([
      { row: 1, ordinal: 3, result: 'warning', code: 'spreadsheet_error', column: 'brand', raw: '#REF!' },
    ])
    expect(candidates.filter(({ cells }) => JSON.stringify(cells).includes('#REF!'))).toEqual([])
  })

  test('is told seven times of a row and counted each time', async () => {
    const names = Array.from({ length: 20 }, (_, i) => `column${i}`)
    const candidates = await gather(await book(['sku', ...names], ['A', ...names.map(() => '#N/A')]))
    const { outcome, notes } = readerResults(
      candidates.map((item) => ({ item, verdict: null })),
      {},
    )
    expect(outcome.warnings).toEqual({ spreadsheet_error: 20 })
    expect(notes.map(({ ordinal }) => ordinal)).toEqual([3, 4, 5, 6, 7, 8, 9])
  })
})
