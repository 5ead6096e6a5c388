/** Reads cells of tags: parted by bars, semicolons or commas, or JSON with their names; each once, in order. */
import type { CellValue } from '../../schemas/pipeline.ts'
import { jsonNames, unreadNames } from './json-names.ts'
import type { Finding } from './reading.ts'
import { readTitle } from './text.ts'

interface Tags {
  readonly value: readonly string[]
  readonly findings: readonly Finding[]
}

export function readTags(cells: CellValue): Tags {
  const found = new Set<string>()
  const unread: string[] = []
  for (const cell of typeof cells === 'string' ? [cells] : cells)
    for (const part of partsOf(cell.trim(), unread)) {
      const tag = readTitle(part)
      if (tag !== null) found.add(tag)
    }
  const missing = unreadNames(unread, 'tags')
  return { value: [...found], findings: missing ? [missing] : [] }
}

function partsOf(text: string, unread: string[]): readonly string[] {
  const list = jsonNames(text)
  if (list !== null) {
    unread.push(...list.unread)
    return list.names
  }
  const mark = ['|', ';', '\n', ','].find((candidate) => text.includes(candidate))
  return mark === undefined ? [text] : text.split(mark)
}
