/** Writes an export as one JSON object a line: the same columns on each, lists and objects as themselves, null where nothing is known. */
import { exportColumns, jsonFields } from '../../transforms/versions/export-row.ts'
import type { ExportPages } from './pages.ts'

const names = exportColumns.map((column) => `${JSON.stringify(column)}:`)
const isJson = exportColumns.map((column) => jsonFields.has(column))

export async function* writeNdjson(pages: ExportPages): AsyncGenerator<string> {
  for await (const rows of pages) {
    let text = ''
    for (const row of rows) text += `{${row.map((cell, i) => `${names[i]}${jsonOf(cell, isJson[i])}`).join(',')}}\n`
    if (text !== '') yield text
  }
}

function jsonOf(cell: string, json: boolean | undefined): string {
  if (cell === '') return 'null'
  return json ? cell : JSON.stringify(cell)
}
