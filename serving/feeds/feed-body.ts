/** A feed's answer as bytes: its lines in the form that was asked for, with what comes before and behind them, and a tally of what was sent. */
import { createHash, type Hash } from 'node:crypto'
import type { AboutFeed, WrittenForm } from './forms/feed-form.ts'
import type { Lines } from './line-pages.ts'

export interface Tally {
  lines: number
  bytes: number
  /** The reader got all of it. */
  whole: boolean
  broken: boolean
  /** Behind the last line that was sent. */
  position: string | null
}

export interface Body {
  readonly pages: AsyncIterable<Lines>
  /** null for lines as they are stored. */
  readonly form: WrittenForm | null
  readonly about: AboutFeed
  /** Whether a last line says what was sent. */
  readonly trailer: boolean
  /** The place behind all that was sent so far. */
  readonly position: () => string
  readonly onError: (error: unknown) => void
  /** Told how it ended, whichever way: a reader may go away. */
  readonly ended: (tally: Tally) => void
}

const failed = { error: 'The feed could not be read to its end; ask again', code: 'STREAM_ERROR' }

/** A failure in the middle is a last line where lines stand for themselves; a document breaks off instead, so that no half of one looks whole. */
export async function* feedBody({
  pages,
  form,
  about,
  trailer,
  position,
  onError,
  ended,
}: Body): AsyncGenerator<Buffer> {
  const tally: Tally = { lines: 0, bytes: 0, whole: false, broken: false, position: null }
  const hash = trailer ? createHash('sha256') : null
  try {
    if (form) {
      const head = form.head(about)
      if (head !== '') yield counted(Buffer.from(head), tally, hash)
    }
    for await (const { bytes, lines } of pages) {
      if (form) for (const rows of form.rows(bytes)) yield counted(rows, tally, hash)
      else yield counted(bytes, tally, hash)
      tally.lines += lines
      tally.position = position()
    }
    if (form) {
      const tail = form.tail()
      if (tail !== '') yield counted(Buffer.from(tail), tally, hash)
    }
    tally.position = position()
    if (hash) {
      const said = { count: tally.lines, position: tally.position, sha256: hash.digest('hex') }
      yield counted(Buffer.from(`${JSON.stringify({ _trailer: said })}\n`), tally, null)
    }
    tally.whole = true
  } catch (error) {
    tally.broken = true
    onError(error)
    if (form) throw error
    yield counted(Buffer.from(`${JSON.stringify(failed)}\n`), tally, null)
  } finally {
    ended(tally)
  }
}

function counted(bytes: Buffer, tally: Tally, hash: Hash | null): Buffer {
  tally.bytes += bytes.length
  hash?.update(bytes)
  return bytes
}
