/** Makes records of lines of JSON: one of each, but where several objects stand on a line, or one on several lines. */
import { isBlank } from './blank.ts'
import { type JsonRecord, readJsonLine } from './json-line.ts'
import { jsonTexts } from './json-texts.ts'
import type { TextLine } from './lines.ts'
import { openBrackets } from './open-brackets.ts'

export interface LineRecord {
  /** Its first line, with the text of this record alone. */
  readonly line: TextLine
  /** A sentence where it cannot be read. */
  readonly record: JsonRecord | string
}

/** Of one object: more of them are a file that was cut off somewhere. */
const mostCharacters = 2 ** 24
const mostLines = 100_000

/** What is no object on its own line is one with those below it, or else is said to be none, and those below are read alone. */
export async function* jsonRecords(batches: AsyncIterable<readonly TextLine[]>): AsyncGenerator<LineRecord[]> {
  /** The next last. */
  const waiting: TextLine[] = []
  let gathered: TextLine[] = []
  let characters = 0
  let standing = openBrackets()
  let out: LineRecord[] = []

  function take(line: TextLine) {
    if (gathered.length > 0) {
      gathered.push(line)
      characters += line.text.length
      const fits = line.fault === undefined && characters <= mostCharacters && gathered.length <= mostLines
      const now = fits ? standing(line.text) : 'broken'
      if (now === 'ended') giveWhole()
      else if (now === 'broken') giveFirst()
      return
    }
    if (line.fault === undefined && isBlank(line.text)) return
    const record = readRecord(line)
    if (typeof record !== 'string' || line.fault !== undefined) out.push({ line, record })
    else if (goesOn(line)) {
      gathered = [line]
      characters = line.text.length
    } else out.push(...recordsOn(line, record))
  }

  function goesOn({ text }: TextLine): boolean {
    if (!text.trimStart().startsWith('{')) return false
    standing = openBrackets()
    return standing(text) === 'goes on'
  }

  function giveWhole() {
    const [first] = gathered
    const text = gathered.map((one) => one.text).join('\n')
    gathered = []
    if (first) out.push(...recordsOn({ line: first.line, text }))
  }

  function giveFirst() {
    const [first, ...below] = gathered
    gathered = []
    if (first) out.push(...recordsOn(first))
    // None of them is an object by itself: they are what was lost of the first.
    if (below.some(({ text }) => text.trimStart().startsWith('{'))) waiting.push(...below.reverse())
  }

  function takeAll() {
    for (let line = waiting.pop(); line !== undefined; line = waiting.pop()) take(line)
  }

  for await (const lines of batches) {
    waiting.push(...lines.toReversed())
    takeAll()
    if (out.length === 0) continue
    yield out
    out = []
  }
  while (gathered.length > 0) {
    giveFirst()
    takeAll()
  }
  if (out.length > 0) yield out
}

/** The text of an object as an item of a list has it. */
export const withoutComma = (text: string) => (text.trimEnd().endsWith(',') ? text.trimEnd().slice(0, -1) : text)

function* recordsOn(line: TextLine, record = readRecord(line)): Generator<LineRecord> {
  if (typeof record !== 'string' || line.fault !== undefined) yield { line, record }
  else
    for (const text of jsonTexts(line.text)) {
      const own = { line: line.line, text: text.trim() }
      yield text.length === line.text.length ? { line, record } : { line: own, record: readRecord(own) }
    }
}

function readRecord({ line, text, fault }: TextLine): JsonRecord | string {
  if (fault !== undefined) return fault
  // Bytes that are no text: a damaged key must not become a column of the file.
  if (!text.isWellFormed()) return `Line ${line} holds bytes that are no text; save the file as UTF-8`
  const record = readJsonLine(text)
  // The items of a list, without the list's own lines.
  const alone = typeof record === 'string' ? readJsonLine(withoutComma(text)) : record
  if (typeof alone !== 'string') return alone
  return typeof record === 'string' ? `Line ${line} ${record}` : record
}
