/** Reads a cell of tags: parted by bars, semicolons or commas, or a JSON array; each once, in order. */
import { readTitle } from './text.ts'

export function readTags(raw: string): readonly string[] {
  const found = new Set<string>()
  for (const part of partsOf(raw.trim())) {
    const tag = readTitle(part)
    if (tag !== null) found.add(tag)
  }
  return [...found]
}

function partsOf(text: string): readonly string[] {
  if (text.startsWith('[')) {
    try {
      const list: unknown = JSON.parse(text)
      if (Array.isArray(list)) return list.filter((item) => typeof item === 'string')
    } catch {
      // It only looked like JSON.
    }
  }
  const mark = ['|', ';', '\n', ','].find((candidate) => text.includes(candidate))
  return mark === undefined ? [text] : text.split(mark)
}
