/** Reads a body of events: one, an array, or one a line. It is cut before anything is parsed, so that what is too much costs no more than to count it. */
import { largestEventCharacters, largestSentBytes, mostEvents } from '../../schemas/event.ts'
import { breaths } from './breaths.ts'
import { type Piece, piecesOfArray, piecesOfLines } from './cut-events.ts'

export class EventsUnread extends Error {}
export class TooManyEvents extends Error {}

/** Each as it was sent; one that is no JSON is in its place as what was wrong with it. */
export type SentEvent = { readonly value: unknown } | { readonly unread: string }

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
  for (const piece of lines ? piecesOfLines(text) : piecesOfArray(text)) {
    const pause = breath()
    if (pause) await pause
    if (piece === 'going on') continue
    if (piece === 'broken') throw new EventsUnread('The body is no JSON')
    if (events.length === mostEvents) throw new TooManyEvents(`A request brings at most ${mostEvents} events`)
    events.push(read(text, piece, lines))
  }
  return events
}

function read(text: Buffer, { from, to }: Piece, isLine: boolean): SentEvent {
  if (to - from > largestSentBytes) return { unread: `has more than ${largestEventCharacters} characters` }
  try {
    return { value: JSON.parse(text.toString('utf8', from, to)) }
  } catch (error) {
    if (isLine) return { unread: 'the line is no JSON' }
    throw new EventsUnread(`The body is no JSON: ${(error as Error).message}`)
  }
}
