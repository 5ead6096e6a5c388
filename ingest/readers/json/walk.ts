/** Walks a JSON document of any size as its text arrives, and cuts out the values that a guide asks for. */
import { TableError } from '../../table-error.ts'
import { beginning } from '../beginning.ts'
import { countLines } from './line-count.ts'
import { endOf, type Open } from './value-end.ts'

export interface Cut {
  /** Physical line where the value starts, from 1. */
  readonly line: number
  readonly text: string
  /** Set where the value is too long to be held; its text is then only how it begins. */
  readonly fault?: string
}

/** Says where to go. What it neither enters nor cuts is passed over and never held. */
export interface Guide<Spot> {
  /** Stands for the file, whose items are its root values: one, or a sequence of objects. */
  readonly file: Spot
  /** @param key null for an item of an array. @param first the character that the value begins with */
  look(spot: Spot, key: string | null, first: string): Spot | 'cut' | null
  /** Whether an item of an array that is no JSON is passed over; else the document is refused. */
  readonly lenient: boolean
}

export interface Walk {
  /** Gives what was completed by this piece. */
  take(piece: string): Cut[]
  /** @throws TableError where the document is not at its end */
  end(): Cut[]
}

interface Frame<Spot> {
  readonly array: boolean
  readonly spot: Spot
  readonly line: number
}

type Expected = 'value' | 'key' | 'colon' | 'comma'

/** Characters of one product. */
const longestCut = 2 ** 24
const longestKey = 2 ** 16
/** Levels that are looked into; what is deeper is passed over as a whole, or belongs to a product. */
const deepestLook = 100

const slash = 0x2f
const byteOrderMark = 0xfeff
const isSpace = (code: number) => code === 0x20 || (code >= 0x09 && code <= 0x0d)
const beginsValue = /^[[{"\-0-9tfn]/
/** An item that is no JSON can still be told from its neighbours. */
const mayBeItem = /^[^,\]}:/]/
const literalForm = /^(?:true|false|null|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?)$/

const passedOver: Open = {
  as: 'passed',
  literal: false,
  line: 0,
  depth: 0,
  inText: false,
  escaped: false,
  held: null,
  begins: '',
  length: 0,
}

const refused = (says: string) => new TableError('not_a_table', says)

export async function* walkJson<Spot>(text: AsyncIterable<string>, guide: Guide<Spot>): AsyncGenerator<Cut[]> {
  const walk = startWalk(guide)
  for await (const piece of text) {
    const cuts = walk.take(piece)
    if (cuts.length > 0) yield cuts
  }
  const last = walk.end()
  if (last.length > 0) yield last
}

export function startWalk<Spot>(guide: Guide<Spot>): Walk {
  const frames: Frame<Spot>[] = []
  let expected: Expected = 'value'
  let root = ''
  let key: string | null = null
  let open: Open | null = null
  let cuts: Cut[] = []
  const lines = countLines()

  /** What has no place in the document: index to go on from, where that concerns one item only. */
  function stray(piece: string, at: number): number {
    if (piece.charCodeAt(at) === slash) throw comment()
    const array = guide.lenient ? frames.findLastIndex((frame, i) => frame.array && i < frames.length - 1) : -1
    const item = frames[array + 1]
    if (array >= 0 && item) {
      open = { ...passedOver, line: item.line, depth: frames.length - 1 - array }
      frames.length = array + 1
      return at
    }
    const before = root !== '' && frames.length === 0
    const what = before ? 'goes on after its end' : `has ${JSON.stringify(piece[at])} where JSON has no place for it`
    throw refused(`The JSON document ${what}, on line ${lines.line}; send one whole document, nothing else`)
  }

  const inItem = () => guide.lenient && frames.some(({ array }) => array)

  const comment = () =>
    refused(`Line ${lines.line} has a comment, and JSON knows none; send the document without comments`)

  function start(first: string, as: Open['as']) {
    const literal = !'{["'.includes(first)
    open = { ...passedOver, as, literal, line: lines.line, held: as !== 'passed' || literal ? [] : null }
  }

  function beginValue(piece: string, at: number): number {
    const first = piece[at] ?? ''
    const frame = frames.at(-1)
    if (!(frame?.array ? mayBeItem : beginsValue).test(first)) return stray(piece, at)
    if (!frame && root !== '' && (root !== '{' || first !== '{')) return stray(piece, at)
    if (!frame) root = first
    const look = guide.look(frame ? frame.spot : guide.file, frame?.array === false ? key : null, first)
    const container = first === '{' || first === '['
    if (container && look !== null && look !== 'cut' && frames.length < deepestLook) {
      frames.push({ array: first === '[', spot: look, line: lines.line })
      expected = first === '[' ? 'value' : 'key'
      return at + 1
    }
    start(first, look === 'cut' ? 'cut' : 'passed')
    return at
  }

  function close(piece: string, at: number): number {
    if (frames.at(-1)?.array !== (piece[at] === ']')) return stray(piece, at)
    frames.pop()
    expected = frames.length === 0 ? 'value' : 'comma'
    return at + 1
  }

  /** One mark of the document's own structure. */
  function step(piece: string, at: number): number {
    const mark = piece[at]
    switch (expected) {
      case 'key':
        // Behind a comma too: programs that write a comma behind each product lose nothing by it.
        if (mark === '}') return close(piece, at)
        if (mark !== '"') return stray(piece, at)
        start(mark, 'key')
        return at
      case 'colon':
        if (mark !== ':') return stray(piece, at)
        expected = 'value'
        return at + 1
      case 'comma':
        if (mark === ']' || mark === '}') return close(piece, at)
        if (mark !== ',') return stray(piece, at)
        expected = frames.at(-1)?.array ? 'value' : 'key'
        return at + 1
      case 'value':
        return mark === ']' && frames.at(-1)?.array ? close(piece, at) : beginValue(piece, at)
    }
  }

  function goOn(value: Open, piece: string, from: number): number {
    const { at, because } = endOf(value, piece, from)
    lines.pass(at)
    if (because === 'comment') throw comment()
    value.length += at - from
    if (value.held && value.length > (value.as === 'cut' ? longestCut : longestKey)) {
      value.begins = beginning(value.held[0] ?? piece.slice(from))
      value.held = null
    }
    value.held?.push(piece.slice(from, at))
    if (because === 'ended') finish(value)
    return at
  }

  function finish(value: Open) {
    open = null
    expected = value.as === 'key' ? 'colon' : frames.length === 0 ? 'value' : 'comma'
    const text = value.held?.join('') ?? ''
    if (value.as === 'cut') cuts.push(value.held ? { line: value.line, text } : tooLong(value.line, value.begins))
    else if (value.as === 'key') key = nameOf(text)
    if ((value.as === 'key' && key === null) || (value.as === 'passed' && value.literal && !literalForm.test(text)))
      if (!inItem())
        throw refused(
          `The JSON document has ${JSON.stringify(text.slice(0, 60))} on line ${value.line}, which is no JSON; repair it`,
        )
  }

  return {
    take(piece) {
      lines.next(piece)
      for (let at = 0; at < piece.length; ) {
        lines.pass(at)
        const code = piece.charCodeAt(at)
        if (open) at = goOn(open, piece, at)
        else if (isSpace(code) || (code === byteOrderMark && root === '')) at++
        else at = step(piece, at)
      }
      lines.pass(piece.length)
      const done = cuts
      cuts = []
      return done
    },
    end() {
      if (open?.literal && frames.length === 0) finish(open)
      const never = open ?? frames.at(-1)
      if (never)
        throw new TableError(
          'not_a_table',
          `The JSON document is cut off: what opens on line ${never.line} is never closed; send it whole`,
        )
      return cuts
    },
  }
}

function nameOf(text: string): string | null {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

const tooLong = (line: number, text: string): Cut => ({
  line,
  text,
  fault: `Line ${line}: what begins here has more than ${longestCut / 2 ** 20} Mi characters, too long for one product`,
})
