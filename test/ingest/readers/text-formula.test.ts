import { expect, test } from 'vitest'
import { textFormulaNote } from '../../../ingest/readers/text-formula.ts'
import { open, rowsOf } from './opened.ts'

test('a text that is kept from a spreadsheet as ="text" is that text, and it is said once', async () => {
  const table = await open(
    'sku;"=""ean""";title;price\n="A1";="4006381333931";Mug;="9,50"\n"=""A2""";"=""0400638133393""";"=""5"""" cup""";8,50\n',
  )
  expect(table.header).toEqual(['sku', 'ean', 'title', 'price'])
  expect((await rowsOf(table)).map(({ cells }) => cells)).toEqual([
    ['A1', '4006381333931', 'Mug', '9,50'],
    ['A2', '0400638133393', '5" cup', '8,50'],
  ])
  expect(table.notes).toContain(textFormulaNote)
})

test('a cell as long as cells may be is looked at without harm, and an empty text is blank', async () => {
  const long = 'a'.repeat(2 ** 24 - 10)
  const rows = await rowsOf(await open(`sku,title,price\nA1,"=""${long}""",5\nA2,"=""""",6\n`))
  expect(rows.map(({ cells }) => cells[1])).toEqual([`="${long}"`, ''])
})

test('another formula is a text like any other', async () => {
  const table = await open('sku,title,price\nA1,=SUM(B2),5\nA2,"=""a""&""b""",6\nA3,=,7\n')
  const titles = (await rowsOf(table)).map(({ cells }) => cells[1])
  expect(titles).toEqual(['=SUM(B2)', '="a"&"b"', '='])
  expect(table.notes).not.toContain(textFormulaNote)
})
