/** The lines of one edition of a feed, in order of product, in pieces that go out as they come: the next page is on its way while one is written. */
import { Readable } from 'node:stream'
import type { FillState } from '../../infra/catalog/feed-fill.ts'
import type { LinePage } from '../../infra/catalog/feed-pages.ts'
import type { LinePiece, PieceTaker } from '../../infra/catalog/line-pieces.ts'
import { type PieceMemory, pieceMemory } from './piece-memory.ts'

/** Lines of a page: the first ones must not wait for many, and a page of long lines must not fill the memory. */
const firstLines = 200
const mostLines = 20_000
const pageBytes = 4 * 1024 * 1024

const linesAfter = ({ bytes, lines }: LinePage) =>
  Math.max(firstLines, Math.min(mostLines, Math.floor((pageBytes * lines) / bytes)))

/** Its bytes are good until the next are asked for. */
export type Lines = LinePiece

/** @returns null where there is no line any more */
export type ReadLines = (
  after: string | null,
  limit: number,
  taker: PieceTaker,
  upto?: string,
) => Promise<LinePage | null>

interface Kept extends LinePiece {
  readonly room: Buffer
}

interface Page {
  readonly pieces: AsyncIterable<Kept>
  readonly end: Promise<LinePage | null>
}

/** @param after the product that it begins behind @param upto the last one, should there be more */
export async function* storedPages(read: ReadLines, after: string | null, upto?: string): AsyncGenerator<Lines> {
  const memory = pieceMemory()
  let isLeft = false
  let limit = firstLines
  const next = (end: LinePage | null): Page | null => {
    if (isLeft || end === null || end.lines < limit) return null
    limit = linesAfter(end)
    return begin(memory, (taker) => read(end.last, limit, taker, upto))
  }
  try {
    let page: Page | null = begin(memory, (taker) => read(after, limit, taker, upto))
    while (page !== null) {
      const ahead: Promise<Page | null> = page.end.then(next)
      ahead.catch(() => {})
      for await (const piece of page.pieces) {
        yield piece
        memory.give(piece.room)
      }
      page = await ahead
    }
  } finally {
    isLeft = true
  }
}

/** A page is read whether its pieces are taken or not: the store must not wait for a slow reader. */
function begin(memory: PieceMemory, read: (taker: PieceTaker) => Promise<LinePage | null>): Page {
  const pieces = new Readable({ objectMode: true, read() {} })
  // Nobody may come to take them.
  pieces.on('error', () => {})
  let room: Buffer
  const end = read({
    room(bytes) {
      room = memory.take(bytes)
      return room
    },
    take: (piece) => pieces.push({ ...piece, room }),
  })
  end.then(
    () => pieces.push(null),
    (error) => pieces.destroy(error),
  )
  return { pieces, end }
}

export type Made = Pick<FillState, 'edition' | 'product'>

/**
 * As far as lines are made; then the reader makes the next ones.
 * @param made how far they are
 * @param step makes more
 */
export async function* fillingPages(
  read: ReadLines,
  made: Made,
  step: () => Promise<Made>,
  after: string | null,
): AsyncGenerator<Lines> {
  let place = after
  for (let { edition, product } = made; edition === null; { edition, product } = await step()) {
    if (product === null || (place !== null && place >= product)) continue
    yield* storedPages(read, place, product)
    place = product
  }
  yield* storedPages(read, place)
}
