/** Runs a scanner over text that arrives in pieces, so that the pieces' borders leave no trace in what comes out. */
import { setImmediate } from 'node:timers/promises'
import { beginning } from './beginning.ts'

/** Where the next record starts: index into the text at hand, and physical line. */
export interface Place {
  readonly at: number
  readonly line: number
  /** What a scanner found further on in the same text: a long one that is read in many batches is searched once. */
  readonly ahead?: readonly number[]
}

export interface Scanner<Row> {
  /** Appends whole records to `rows` until there are `batchSize`; a record that may go on in the next piece is left, unless `final`. */
  scan(text: string, from: Place, final: boolean, rows: Row[]): Place
  /** Stands for a record that is too long to be held, of which this is the beginning. */
  tooLong(line: number, text: string): Row
}

export const batchSize = 500

/** Characters. */
export const longestCell = 2 ** 24
/** It is held a few times over, two bytes a character at worst. */
const longestRecord = 2 * longestCell

/** What is held may be millions of short rows, and whoever takes them may never wait: then others of this process get their turn. */
const longestTurnMs = 15

export async function* inBatches<Row>(text: AsyncIterable<string>, scanner: Scanner<Row>): AsyncGenerator<Row[]> {
  const pieces: string[] = []
  let length = 0
  let wanted = 1
  let line = 1
  let overlong = false
  let rows: Row[] = []
  let turnBegan = performance.now()

  function* scanHeld(final: boolean): Generator<Row[]> {
    const held = pieces.length === 1 ? (pieces[0] ?? '') : pieces.join('')
    let place: Place = { at: 0, line }
    for (;;) {
      if (overlong) {
        const next = endOfLine(held, place.at, final)
        if (next === null) {
          place = { at: held.endsWith('\r') ? held.length - 1 : held.length, line: place.line }
          break
        }
        place = { at: next, line: place.line + 1 }
        overlong = false
      }
      place = scanner.scan(held, place, final, rows)
      if (rows.length >= batchSize) {
        yield rows
        rows = []
      } else if (held.length - place.at > longestRecord) {
        rows.push(scanner.tooLong(place.line, beginning(held.slice(place.at))))
        overlong = true
      } else break
    }
    const rest = held.slice(place.at)
    pieces.splice(0, pieces.length, rest)
    line = place.line
    length = rest.length
    // A record that spans many pieces is scanned again only when twice as much is there: its cost stays linear.
    wanted = overlong ? 1 : Math.min(2 * length, longestRecord + 1)
  }

  for await (const piece of text) {
    pieces.push(piece)
    length += piece.length
    if (length >= wanted) yield* takingTurns(scanHeld(false))
  }
  yield* takingTurns(scanHeld(true))
  if (rows.length > 0) yield rows

  async function* takingTurns(batches: Iterable<Row[]>): AsyncGenerator<Row[]> {
    for (const batch of batches) {
      yield batch
      if (performance.now() - turnBegan < longestTurnMs) continue
      await setImmediate()
      turnBegan = performance.now()
    }
  }
}

/** Index after the line end (LF, CR or CRLF) that comes next, or null where the text at hand does not tell. */
function endOfLine(text: string, from: number, final: boolean): number | null {
  const lf = text.indexOf('\n', from)
  const cr = text.indexOf('\r', from)
  if (cr < 0 || (lf >= 0 && lf < cr)) return lf >= 0 ? lf + 1 : final ? text.length : null
  if (lf === cr + 1) return lf + 1
  return cr + 1 === text.length && !final ? null : cr + 1
}
