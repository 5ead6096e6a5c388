/** Products as agents name them, by id or by SKU, each kind of question in one statement: whole, or what a score is told by. */
import type { Reading } from './postgres.ts'
import { type ProductRow, wholeColumns } from './product-queries.ts'

export type WholeProduct = ProductRow & { readonly layers: Buffer }

/** Texts and layers are most of a product, and none of a score. */
export interface ScoredProduct
  extends Pick<
    ProductRow,
    'id' | 'brandId' | 'catalogId' | 'kind' | 'settings' | 'sub' | 'points' | 'valid' | 'rubric'
  > {
  readonly sku: string | null
  readonly title: string | null
}

const scoredColumns = `
  p.product_id as id, p.brand_id as "brandId", p.catalog_id as "catalogId", p.kind, p.sku, p.refined ->> 'title' as title,
  p.settings_number as settings,
  case when s.product_id is null then null else array[s.s1, s.s2, s.s3, s.s4, s.s5, s.s6, s.s7] end as sub,
  s.rule_points as points, s.valid, s.rubric_version as rubric`

/** Where a SKU is looked for: in a catalog, else in the default one of a brand, else in that of the brand `main`. */
export interface SkuPlace {
  readonly catalog: string | null
  readonly brand: string | null
}

const isSkuPlace = (catalog: string, brand: string) => `c.deleted_at is null
     and case when ${catalog}::uuid is not null then c.catalog_id = ${catalog}
              else c.is_default and c.brand_id = coalesce(${brand}::uuid, (select brand_id from brand where name = 'main' and deleted_at is null)) end`

/** The catalogs come first: the products' keys lead with them, and behind a limit the planner has no choice of order. */
const ofIds = (ids: string) => `
  from ${ids}
  join catalog c on c.deleted_at is null
  join lateral (select * from products where catalog_id = c.catalog_id and product_id = n.id and alive limit 1) p on true`
const ofSkus = (skus: string, catalog: string, brand: string) => `
  from catalog c join products p on p.catalog_id = c.catalog_id and p.sku = any (${skus}) and p.alive
 where ${isSkuPlace(catalog, brand)}`
const scores = 'left join product_score s on s.catalog_id = p.catalog_id and s.product_id = p.product_id'

const byIdSql = (columns: string) => `select ${columns} ${ofIds('(values ($1::uuid)) n (id)')} ${scores}`
const bySkuSql = (columns: string) => `
  select ${columns} from (select p.* ${ofSkus('array[$1]::text[]', '$2', '$3')}) p ${scores} order by p.product_id limit 1`
const namedSql = (columns: string) => `
  select case when p.by_sku then p.sku end as "bySku", ${columns}
    from (select p.*, false as by_sku ${ofIds('unnest($1::uuid[]) n (id)')}
          union all
          select p.*, true ${ofSkus('$2', '$3', '$4')}) p ${scores}
   order by p.product_id`

function finder<Row extends object>(name: string, columns: string) {
  const [one, sku, several] = [byIdSql(columns), bySkuSql(columns), namedSql(columns)]
  return {
    byId: async (tx: Reading, id: string) => (await tx.query<Row>({ name, text: one, values: [id] })).rows[0] ?? null,
    bySku: async (tx: Reading, { catalog, brand }: SkuPlace, named: string) => {
      const asked = { name: `${name}-by-sku`, text: sku, values: [named, catalog, brand] }
      return (await tx.query<Row>(asked)).rows[0] ?? null
    },
    /** Several; `bySku` is the SKU that it was found by. What goes by its id too comes twice. */
    named: async (
      tx: Reading,
      { catalog, brand }: SkuPlace,
      { ids, skus }: { readonly ids: readonly string[]; readonly skus: readonly string[] },
    ) => {
      const asked = { name: `${name}-named`, text: several, values: [ids, skus, catalog, brand] }
      return (await tx.query<Row & { readonly bySku: string | null }>(asked)).rows
    },
  }
}
export type Finder<Row extends object> = ReturnType<typeof finder<Row>>

export const wholeProducts = finder<WholeProduct>('product-whole', wholeColumns)
export const scoredProducts = finder<ScoredProduct>('product-scored', scoredColumns)
