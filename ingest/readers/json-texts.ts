/** Cuts a line into the JSON objects that stand on it one after the other, since programs write them without a line end between. */
import { skipSpace } from './json-members.ts'

const quote = 0x22
const backslash = 0x5c

/** Of what is cut off, or followed by anything but an object, the rest of the line is one text, and whoever reads it says what is wrong. */
export function* jsonTexts(line: string): Generator<string> {
  let start = 0
  for (let end = objectEnd(line, 0); end >= 0; end = objectEnd(line, end)) {
    if (line[skipSpace(line, end)] !== '{') break
    yield line.slice(start, end)
    start = end
  }
  yield line.slice(start)
}

/** Index after the object that is the next to begin, or -1 where none begins or it is not closed. */
function objectEnd(text: string, from: number): number {
  const open = skipSpace(text, from)
  if (text[open] !== '{') return -1
  let depth = 0
  let inText = false
  for (let at = open; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (inText && code === backslash) at++
    else if (code === quote) inText = !inText
    else if (inText) continue
    // `{` and `[`, and what closes them.
    else if (code === 0x7b || code === 0x5b) depth++
    else if ((code === 0x7d || code === 0x5d) && --depth === 0) return at + 1
  }
  return -1
}
