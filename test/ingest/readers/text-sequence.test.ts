import { expect, test } from 'vitest'
import type { Table } from '../../../ingest/readers/table.ts'
import { good, open, rowsOf } from './opened.ts'

const mug = '{"sku":"A","title":"Mug"}'
const stool = '{"sku":"B","title":"Stool"}'

test.each<[string, string, Table['kind'], number]>([
  ['a text sequence', `\x1e${mug}\n\x1e${stool}\n`, 'ndjson', 2],
  ['a text sequence without line ends', `\x1e${mug}\x1e${stool}`, 'ndjson', 1],
  ['a text sequence over lines', `\x1e{\n"sku":"A","title":"Mug"}\n\x1e{\n"sku":"B","title":"Stool"}\n`, 'json', 3],
  ['objects on one line', mug + stool, 'ndjson', 1],
  ['objects of which one goes on below', `${mug}{"sku":"B",\n"title":"Stool"}`, 'json', 1],
])('%s is read object by object', async (_, text, kind, line) => {
  const table = await open(text)
  expect(table).toMatchObject({ kind, header: ['sku', 'title'] })
  expect(await rowsOf(table)).toEqual([good(1, 1, 'A', 'Mug'), good(2, line, 'B', 'Stool')])
})
