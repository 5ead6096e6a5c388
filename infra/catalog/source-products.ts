/** The products that a source has listed, now or before: by key pages over the catalog, since layers have no index. */
import type { Pool } from 'pg'
import type { Layers } from '../../schemas/pipeline.ts'
import type { ProductKind } from '../../schemas/product.ts'

interface Row {
  readonly product: string
  readonly sid: string
  readonly kind: ProductKind
  readonly family: string | null
  readonly layers: Buffer
}

const pageRows = 2_000

/** Layers of other sources that only mention the name are passed over by the bytes alone. */
const sql = `
  select product_id as product, encode(source_identifier, 'hex') as sid, kind, family_id as family, layers
    from products where catalog_id = $1 and product_id > $2 and position($3::bytea in layers) > 0
   order by product_id limit ${pageRows}`

export async function* sourceProducts(pool: Pool, catalog: string, source: string) {
  const named = Buffer.from(JSON.stringify(source))
  for (let after = '00000000-0000-0000-0000-000000000000'; ; ) {
    const { rows } = await pool.query<Row>(sql, [catalog, after, named])
    yield rows.flatMap(({ layers, ...row }) => {
      const own = (JSON.parse(layers.toString()) as Layers).layers.find((layer) => layer.source === source)
      return own ? [{ ...row, live: own.live }] : []
    })
    const last = rows.at(-1)
    if (!last || rows.length < pageRows) return
    after = last.product
  }
}
