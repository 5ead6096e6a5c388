/** Goes through what most of a feed is made of, elements and texts written in the plainest way, and leaves all else to the parser. */
// The parser looks at each character alone and takes 2 to 3 times as long for the same.
import { ownName } from './own-name.ts'

/** What the parser has where it stands in the text of an open element; it goes on from these. */
export interface Standing {
  readonly chunk: string
  /** Characters before the piece. */
  readonly chunkPosition: number
  readonly tags: OpenTag[]
  i: number
  line: number
  positionAtNewLine: number
  /** What of the text has been read and not told. */
  text: string
}

export interface OpenTag {
  readonly name: string
  readonly attributes: Readonly<Record<string, string>>
}

export interface PlainEvents {
  attribute(name: string, value: string, line: number): string
  opens(name: string, attributes: Readonly<Record<string, string>>, line: number): void
  text(text: string): void
  closes(name: string): void
}

const [slash, greater, space, equals, quote, apostrophe] = ['/', '>', ' ', '=', '"', "'"].map((one) =>
  one.charCodeAt(0),
)
const cdata = '<![CDATA['
const cdataEnd = ']]>'

/** By code: 1 begins a name, 2 only goes on in one. Names of other letters are the parser's to judge. */
const inNames = new Uint8Array(128)
for (const [pattern, as] of [
  [/[\w:.-]/, 2],
  [/[a-z_:]/i, 1],
] as const)
  for (let code = 0; code < inNames.length; code++) if (pattern.test(String.fromCharCode(code))) inNames[code] = as

const entities: readonly (readonly [written: string, means: string])[] = [
  ['&amp;', '&'],
  ['&gt;', '>'],
  ['&lt;', '<'],
  ['&quot;', '"'],
  ['&apos;', "'"],
]

const noAttributes: OpenTag['attributes'] = Object.freeze(Object.create(null))

/** @param at the piece's text at which the parser stands; `begin` is called where a new one has come */
export function plainElements(at: Standing, told: PlainEvents) {
  /** Where the next of each stands, from the place that is read on: the piece's length where there is none. */
  let feed = -1
  let turn = -1
  let entity = -1

  /** @returns the place behind a tag's attributes, or -1 where they are not all plain */
  function attributesFrom(from: number, found: string[]): number {
    const { chunk } = at
    for (let i = from; ; ) {
      if (chunk.charCodeAt(i) !== space) return i
      while (chunk.charCodeAt(i) === space) i++
      const first = chunk.charCodeAt(i)
      if (first === greater || first === slash) return i
      if (inNames[first] !== 1) return -1
      const begins = i
      while (inNames[chunk.charCodeAt(i)]) i++
      const mark = chunk.charCodeAt(i + 1)
      if (chunk.charCodeAt(i) !== equals || (mark !== quote && mark !== apostrophe)) return -1
      const ends = chunk.indexOf(mark === quote ? '"' : "'", i + 2)
      if (ends < 0) return -1
      const value = chunk.slice(i + 2, ends)
      if (/[<&\t\r\n]/.test(value)) return -1
      const name = ownName(chunk.slice(begins, i))
      for (let other = 0; other < found.length; other += 2) if (found[other] === name) return -1
      found.push(name, value)
      i = ends + 1
    }
  }

  /** @returns the place behind the tag, or -1 where it is not plain */
  function startTag(from: number): number {
    const { chunk, tags } = at
    let i = from + 2
    while (inNames[chunk.charCodeAt(i)]) i++
    const nameEnds = i
    const found: string[] = []
    if (chunk.charCodeAt(i) === space) i = attributesFrom(i, found)
    const closes = chunk.charCodeAt(i) === slash
    if (closes) i++
    if (i < 0 || chunk.charCodeAt(i) !== greater) return -1
    const name = ownName(chunk.slice(from + 1, nameEnds))
    tellText()
    const { line } = at
    let attributes = noAttributes
    if (found.length > 0) {
      const own: Record<string, string> = Object.create(null)
      for (let one = 0; one < found.length; one += 2) {
        const key = found[one] as string
        own[key] = told.attribute(key, found[one + 1] as string, line)
      }
      attributes = own
    }
    told.opens(name, attributes, line)
    if (closes) told.closes(name)
    else tags.push({ name, attributes })
    return i + 1
  }

  /** @returns as `startTag`; the root's end is the parser's */
  function endTag(from: number): number {
    const { chunk, tags } = at
    const name = tags.length > 1 ? (tags.at(-1)?.name ?? '') : ''
    const ends = from + 2 + name.length
    if (name === '' || chunk.charCodeAt(ends) !== greater || !chunk.startsWith(name, from + 2)) return -1
    tellText()
    tags.pop()
    told.closes(name)
    return ends + 1
  }

  function section(from: number): number {
    const { chunk } = at
    if (!chunk.startsWith(cdata, from)) return -1
    const ends = chunk.indexOf(cdataEnd, from + cdata.length)
    if (ends < 0 || turn < ends) return -1
    tellText()
    countLines(ends)
    at.text = chunk.slice(from + cdata.length, ends)
    tellText()
    return ends + cdataEnd.length
  }

  function tellText() {
    if (at.text === '') return
    told.text(at.text)
    at.text = ''
  }

  function countLines(until: number) {
    const { chunk } = at
    while (feed < until) {
      at.line++
      at.positionAtNewLine = at.chunkPosition + feed + 1
      feed = placeOf(chunk, '\n', feed + 1)
    }
  }

  return {
    begin() {
      feed = -1
      turn = -1
      entity = -1
    },
    /** Reads on to the first that is not plain, or to the end of the piece. */
    read() {
      const { chunk } = at
      for (let i = at.i; ; ) {
        if (feed < i) feed = placeOf(chunk, '\n', i)
        if (turn < i) turn = placeOf(chunk, '\r', i)
        if (entity < i) entity = placeOf(chunk, '&', i)
        const tag = placeOf(chunk, '<', i)
        const ends = Math.min(tag, turn, entity)
        if (ends > i) {
          countLines(ends)
          at.text += chunk.slice(i, ends)
          at.i = ends
        }
        if (ends === chunk.length || ends === turn) return
        if (ends === entity) {
          const known = entities.find(([written]) => chunk.startsWith(written, ends))
          if (!known) return
          at.text += known[1]
          i = ends + known[0].length
        } else {
          const next = chunk.charCodeAt(tag + 1)
          const behind = inNames[next] === 1 ? startTag(tag) : next === slash ? endTag(tag) : section(tag)
          if (behind < 0) return
          i = behind
        }
        at.i = i
      }
    },
  }
}

function placeOf(text: string, what: string, from: number): number {
  const found = text.indexOf(what, from)
  return found < 0 ? text.length : found
}
