/** The body of one delivery of a catalog's changes, made of what was published: as many products as go in, and where it ends. */
import type { DeltaRow } from '../../infra/catalog/delta-changes.ts'
import type { PublishedContent } from '../../infra/catalog/version-queries.ts'
import type { DeltaOptions, DeltaTarget } from '../../schemas/delta.ts'
import { type Changed, fits, type Written, write } from '../../transforms/deltas/part.ts'
import type { DeltaProduct } from '../../transforms/deltas/shape.ts'

export interface DeltaOf {
  readonly target: DeltaTarget
  readonly options: DeltaOptions
  readonly version: number
  /** ISO 8601. */
  readonly publishedAt: string
}

/** Rows behind a product, fewer than a page only at the end. */
export type ReadDelta = (after: string | null) => Promise<readonly DeltaRow[]>

export const deltaPageRows = 500

interface Sized {
  readonly id: string
  /** null: written, and as it was. */
  readonly written: Written | null
}

export async function* writtenRows(of: DeltaOf, read: ReadDelta, after: string | null): AsyncGenerator<Sized> {
  for (let place = after; ; ) {
    const page = await read(place)
    for (const row of page)
      yield { id: row.id, written: row.change && write(changed(row, row.change, of), of.target, of.options) }
    if (page.length < deltaPageRows) return
    place = page.at(-1)?.id ?? null
  }
}

export interface Part {
  readonly entries: readonly Written[]
  /** Its last product; null where all that follows is in it. */
  readonly upto: string | null
}

/** @param after the product that it begins behind */
export async function nextPart(of: DeltaOf, read: ReadDelta, after: string | null, mostBytes: number): Promise<Part> {
  const entries: Written[] = []
  let bytes = 0
  let last = after
  for await (const { id, written } of writtenRows(of, read, after)) {
    if (written !== null) {
      if (!fits({ products: entries.length, bytes }, written.bytes, mostBytes)) return { entries, upto: last }
      entries.push(written)
      bytes += written.bytes
    }
    last = id
  }
  return { entries, upto: null }
}

function changed({ id, content, was }: DeltaRow, change: Changed['change'], of: DeltaOf): Changed {
  const productOf = ({ kind, feedId, createdAt, updatedAt, product }: PublishedContent): DeltaProduct => {
    const { publishedAt, version } = of
    return { id, kind, feedId, createdAt, updatedAt, publishedAt, version, product }
  }
  return { change, now: productOf(content), was: was && productOf(was) }
}
