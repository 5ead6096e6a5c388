/** Follows a JSON object over the lines that it is written on: whether it goes on, has ended, or cannot be one. */

export type Standing = 'goes on' | 'ended' | 'broken'

const deepest = 100

/** @returns takes the object's lines one after the other */
export function openBrackets(): (line: string) => Standing {
  const open: string[] = []
  /** The last character that is no blank, `v` behind a text. */
  let last = ''
  return (line) => {
    // Below a line that was cut off stands another object, which has no place there.
    const fits = last === '' || last === ':' || (open.at(-1) === '[' && (last === '[' || last === ','))
    if (!fits && line.trimStart().startsWith('{')) return 'broken'
    for (let at = 0; at < line.length; at++) {
      const mark = line[at] as string
      if (mark === '"') {
        at = endOfText(line, at)
        if (at < 0) return 'broken'
        last = 'v'
      } else if (mark === '{' || mark === '[') {
        open.push(mark)
        last = mark
      } else if (mark === '}' || mark === ']') {
        if (open.pop() !== (mark === '}' ? '{' : '[')) return 'broken'
        last = mark
      } else if (mark.trim() !== '') last = mark
    }
    return open.length === 0 ? 'ended' : open.length > deepest ? 'broken' : 'goes on'
  }
}

/** Place of the quote that closes the text, or -1: no text of JSON goes on in another line. */
function endOfText(line: string, from: number): number {
  for (let at = from + 1; at < line.length; at++) {
    if (line[at] === '\\') at++
    else if (line[at] === '"') return at
  }
  return -1
}
