/** Takes the first rows of a file, so that its columns can be told by their values before any row is read as a product. */
import { type Sample, sampleOf } from '../transforms/silver/column-values.ts'
import type { Table } from './readers/table.ts'

const mostRows = 1_000
/** A few wide rows say as much as many narrow ones. */
const mostCharacters = 2_000_000
/** No more of a long cell is needed to tell what it is. */
const longestText = 200

export async function sampleRows(table: Pick<Table, 'header' | 'rows'>): Promise<Sample> {
  const texts = new Map<string, string[]>(table.header.map((column) => [column, []]))
  let rows = 0
  let left = mostCharacters
  sampling: for await (const batch of table.rows())
    for (const { cells, fault } of batch) {
      if (fault) continue
      for (const [i, column] of table.header.entries())
        for (const text of [cells[i] ?? []].flat()) {
          texts.get(column)?.push(text.slice(0, longestText))
          left -= text.length
        }
      rows++
      if (rows === mostRows || left < 0) break sampling
    }
  return sampleOf(rows, texts)
}
