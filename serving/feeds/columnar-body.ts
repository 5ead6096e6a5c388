/** A feed's answer in a format of columns: its lines as rows of texts, handed to whoever writes the format, and a tally of what was sent. */
import type { Readable } from 'node:stream'
import type { ColumnarFormat } from '../../schemas/feeds/feed-formats.ts'
import type { FeedProfile } from '../../schemas/feeds/profile.ts'
import { textCells } from '../../schemas/feeds/text-cells.ts'
import type { Tally } from './feed-body.ts'
import type { Lines } from './line-pages.ts'

export type Rows = AsyncIterable<readonly (readonly string[])[]>
/** Writes rows of texts under these columns; Parquet through a file, since its directory is at its end. */
export type WriteColumns = (format: ColumnarFormat, columns: readonly string[], rows: Rows) => Promise<Readable>

export interface ColumnarBody {
  readonly pages: AsyncIterable<Lines>
  readonly profile: Pick<FeedProfile, 'columns' | 'table'>
  readonly format: ColumnarFormat
  readonly write: WriteColumns
  readonly position: () => string
  readonly onError: (error: unknown) => void
  /** Told how it ended, whichever way: a reader may go away. */
  readonly ended: (tally: Tally) => void
}

/** Of a batch: pages are of as many lines as happened to be there, and the same data must give the same bytes. */
const batchRows = 1_000

export async function* columnarBody(body: ColumnarBody): AsyncGenerator<Buffer> {
  const { profile, format, write, position, onError, ended } = body
  const tally: Tally = { lines: 0, bytes: 0, whole: false, broken: false, position: null }
  try {
    const written = await write(format, profile.columns, batches(body.pages, textCells(profile), tally))
    for await (const bytes of written) {
      tally.bytes += bytes.length
      yield bytes
    }
    tally.position = position()
    tally.whole = true
  } catch (error) {
    tally.broken = true
    onError(error)
    throw error
  } finally {
    ended(tally)
  }
}

async function* batches(pages: AsyncIterable<Lines>, cells: ReturnType<typeof textCells>, tally: Tally): Rows {
  let rows: (readonly string[])[] = []
  for await (const { bytes, lines } of pages) {
    for (const line of bytes.toString().split('\n')) {
      if (line === '') continue
      rows.push(cells(JSON.parse(line)))
      if (rows.length < batchRows) continue
      yield rows
      rows = []
    }
    tally.lines += lines
  }
  if (rows.length > 0) yield rows
}
