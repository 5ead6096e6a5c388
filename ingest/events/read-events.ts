/** Reads a body of events: one, an array, or one a line. It is cut before anything is parsed, so that what is too much costs no more than to count it. */
import { largestEventCharacters, largestSentBytes, mostEvents } from '../../schemas/event.ts'
import { breaths } from './breaths.ts'
import { type Piece, piecesOfArray, piecesOfLines } from './cut-events.ts'

export class EventsUnread extends Error {}
export class TooManyEvents extends Error {}

/** Each as it was sent; one that is no JSON is in its place as what was wrong with it. */
export type SentEvent = { readonly value: unknown } | { readonly unread: string }

/** Parsed as one text, they take two thirds of the time that they take one by one. */
const atOnce = 50

const byteOrderMark = Buffer.from('\ufeff')

/**
 * @param body UTF-8
 * @param lines whether it was sent as NDJSON
 * @throws EventsUnread where the body is no JSON at all, TooManyEvents as soon as there is one too many
 */
export async function readEvents(body: Buffer, lines: boolean): Promise<readonly SentEvent[]> {
  const text = body.indexOf(byteOrderMark) === 0 ? body.subarray(byteOrderMark.length) : body
  const breath = breaths()
  const events: SentEvent[] = []
  let pending: Piece[] = []
  const readPending = () => {
    for (const one of together(text, pending) ?? pending.map((piece) => read(text, piece, lines))) events.push(one)
    pending = []
  }
  for (const piece of lines ? piecesOfLines(text) : piecesOfArray(text)) {
    const pause = breath()
    if (pause) await pause
    if (piece === 'going on') continue
    if (piece === 'broken') throw new EventsUnread('The body is no JSON')
    if (events.length + pending.length === mostEvents)
      throw new TooManyEvents(`A request brings at most ${mostEvents} events`)
    pending.push(piece)
    if (pending.length === atOnce || lines || isLong(piece)) readPending()
  }
  readPending()
  return events
}

/** @returns null where they are not some of one array, or not JSON: then it is seen which is not */
function together(text: Buffer, pieces: readonly Piece[]): SentEvent[] | null {
  const [first, last] = [pieces[0], pieces.at(-1)]
  if (!first || !last || pieces.length === 1 || isLong(last)) return null
  try {
    const values: unknown[] = JSON.parse(`[${text.toString('utf8', first.from, last.to)}]`)
    return values.length === pieces.length ? values.map((value) => ({ value })) : null
  } catch {
    return null
  }
}

const isLong = ({ from, to }: Piece) => to - from > largestSentBytes

function read(text: Buffer, piece: Piece, isLine: boolean): SentEvent {
  const { from, to } = piece
  if (isLong(piece)) return { unread: `has more than ${largestEventCharacters} characters` }
  try {
    return { value: JSON.parse(text.toString('utf8', from, to)) }
  } catch (error) {
    if (isLine) return { unread: 'the line is no JSON' }
    throw new EventsUnread(`The body is no JSON: ${(error as Error).message}`)
  }
}
