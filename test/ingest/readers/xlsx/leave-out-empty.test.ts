import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { leaveOutEmpty } from '../../../../ingest/readers/xlsx/leave-out-empty.ts'
import { rowsIn } from '../../../exported.ts'
import { workbook } from '../../workbook.ts'

describe('cells and rows that hold only a style', () => {
  test('are taken out, and nothing else is', () => {
    const value = '<c r="B2" s="1"><v>1</v></c>'
    const text = `<row r="1"><c r="A1" s="1"/><c r="B1"/></row><row r="2" s="3"><c r="A2" s="1"/>${value}</row><row r="3"/>`
    expect(leaveOutEmpty()(text)).toBe(`<row r="2" s="3">${value}</row>`)
  })

  test.each([
    ['<row><c r="A1" s="1"/></row>', 'a row without a place'],
    ['<row r="1"><c s="1"/><c><v>2</v></c></row>', 'a cell without a place'],
    ['<row r="1"><c r="A1" t="inlineStr"><is><t><![CDATA[<c r="A1"/>]]></t></is></c></row>', 'CDATA'],
  ])('stay in %s, from there on', (text) => {
    const leave = leaveOutEmpty()
    expect(leave(text)).toBe(text)
    expect(leave('<row r="9"><c r="A9"/></row>')).toBe('<row r="9"><c r="A9"/></row>')
  })
})

test('any sheet of values and empty cells is read as if the empty ones were not there', async () => {
  const cell = fc.constantFrom('', 'x', 'long '.repeat(2_000))
  const rows = fc.array(fc.array(cell, { minLength: 3, maxLength: 3 }), { minLength: 1, maxLength: 60 })
  const text = (place: string, value: string) =>
    value === '' ? `<c r="${place}" s="1"/>` : `<c r="${place}" t="inlineStr"><is><t>${value}</t></is></c>`
  const row = (cells: readonly string[], line: number) =>
    `<row r="${line}">${cells.map((value, i) => text(`${'ABC'[i]}${line}`, value)).join('')}</row>`
  await fc.assert(
    fc.asyncProperty(rows, async (rows) => {
      fc.pre(rows.some((cells) => cells.some((value) => value !== '')))
      const xml = row(['sku', 'title', 'note'], 1) + rows.map((cells, i) => row(cells, i + 2)).join('')
      const found = (await rowsIn(await workbook([{ name: 'A', rows: xml }]))).map(({ line, cells }) => [line, cells])
      const values = rows.map((cells, i) => [i + 2, cells] as const)
      expect(found).toEqual(values.filter(([, cells]) => cells.some((value) => value !== '')))
    }),
    { numRuns: 40 },
  )
})
