/** Writes how popular the documents of a segment are beside its own columns: once for each generation, before anyone reads that. */
import type { PoolClient } from 'pg'

export interface PopularRow {
  readonly document: number
  readonly points: number
  readonly trend: number
}

/** By keys, whatever statistics say. */
const popularSql = `
  select d.document, p.points, p.trend from search_document d
   cross join lateral (
     select points, trend from product_popularity
      where catalog_id = d.catalog_id and product_id = d.product_id and generation = $2 limit 1) p
   where d.segment_id = $1`

/** A segment in which nothing is popular has no such column. @returns how many of its documents are */
export async function writePopularity(
  tx: PoolClient,
  { segment, documents }: { readonly segment: number; readonly documents: number },
  generation: number,
  maker: { readonly popularityName: (generation: number) => string; readonly popularity: PopularityMaker },
): Promise<number> {
  const { rows } = await tx.query<PopularRow>(popularSql, [segment, generation])
  if (rows.length > 0)
    await tx.query(
      'insert into search_column (segment_id, name, data) values ($1, $2, $3) on conflict (segment_id, name) do update set data = excluded.data',
      [segment, maker.popularityName(generation), Buffer.from(maker.popularity(documents, rows))],
    )
  return rows.length
}

export type PopularityMaker = (documents: number, popular: readonly PopularRow[]) => Uint8Array

/** In force for the brand; 0: none yet. */
export async function generationOf(tx: PoolClient, brand: string): Promise<number> {
  const { rows } = await tx.query<{ generation: number }>('select generation from popularity where brand_id = $1', [
    brand,
  ])
  return rows[0]?.generation ?? 0
}
