/** The products of a source that its file lacks: what a snapshot withdraws. Compared on disk, whatever their number. */
import type { ProductKind } from '../schemas/product.ts'
import type { Scratch, ScratchTable } from './scratch.ts'

/** A product that a source has listed, now or before. */
export interface SourceProduct {
  readonly product: string
  /** Lowercase hex. */
  readonly sid: string
  readonly kind: ProductKind
  readonly family: string | null
  /** Listed now. */
  readonly live: boolean
}

export interface Missing {
  /** Tells a product that the file has. */
  readonly listed: Pick<ScratchTable, 'add'>
  /** Listed now, and not in the file. */
  count(): Promise<number>
  /**
   * In order of their ids, a few thousand at a time. Those that were withdrawn before are among them: taking back the import
   * that withdrew one must not bring it back while a later file lacks it too.
   */
  products(after: string | null): AsyncIterable<readonly SourceProduct[]>
}

const missing = 'from own o where not exists (select 1 from listed l where l.product = o.product)'

/** @param own all products of the source, in pages */
export async function openMissing(scratch: Scratch, own: AsyncIterable<readonly SourceProduct[]>): Promise<Missing> {
  const listed = await scratch.table('listed', [{ name: 'product', type: 'text' }])
  const table = await scratch.table('own', [
    { name: 'product', type: 'text' },
    { name: 'sid', type: 'text' },
    { name: 'kind', type: 'text' },
    { name: 'family', type: 'text' },
    { name: 'live', type: 'number' },
  ])
  for await (const page of own)
    for (const { product, sid, kind, family, live } of page) table.add([product, sid, kind, family, live ? 1 : 0])
  table.flush()
  return {
    listed,
    async count() {
      listed.flush()
      for await (const [row] of scratch.stream(`select count(*) ${missing} and live = 1`)) return Number(row?.[0])
      return 0
    },
    async *products(after) {
      listed.flush()
      const rows = scratch.stream(
        `select product, sid, kind, family, live ${missing} and product > '${after ?? ''}' order by product`,
      )
      for await (const batch of rows)
        yield batch.map(([product, sid, kind, family, live]) => ({
          product: product as string,
          sid: sid as string,
          kind: kind as ProductKind,
          family: family as string | null,
          live: live === 1,
        }))
    },
  }
}
