/** The columns of products and product_score in the order in which rows are copied. */
import { unrefined } from '../../schemas/product.ts'
import type { ProductWrite } from '../../transforms/ports.ts'
import { storedOrder } from './stored-order.ts'

export const productColumns = [
  { name: 'catalog_id', type: 'uuid' },
  { name: 'product_id', type: 'uuid' },
  { name: 'workspace_id', type: 'text' },
  { name: 'brand_id', type: 'uuid' },
  { name: 'kind', type: 'text' },
  { name: 'stage', type: 'text' },
  { name: 'rev', type: 'int8' },
  { name: 'family_id', type: 'uuid' },
  { name: 'source_identifier', type: 'hex' },
  { name: 'sku', type: 'text' },
  { name: 'gtin', type: 'text' },
  { name: 'title', type: 'text' },
  { name: 'price_minor', type: 'int8' },
  { name: 'currency', type: 'text' },
  { name: 'availability', type: 'text' },
  { name: 'alive', type: 'bool' },
  { name: 'content_hash', type: 'hex' },
  { name: 'settings_number', type: 'int4' },
  { name: 'created_at', type: 'timestamptz' },
  { name: 'updated_at', type: 'timestamptz' },
  { name: 'refined', type: 'jsonb' },
  { name: 'layers', type: 'bytea' },
  { name: 'created_by', type: 'text' },
] as const

export const scoreColumns = [
  { name: 'catalog_id', type: 'uuid' },
  { name: 'product_id', type: 'uuid' },
  { name: 'workspace_id', type: 'text' },
  { name: 'brand_id', type: 'uuid' },
  { name: 's1', type: 'int2' },
  { name: 's2', type: 'int2' },
  { name: 's3', type: 'int2' },
  { name: 's4', type: 'int2' },
  { name: 's5', type: 'int2' },
  { name: 's6', type: 'int2' },
  { name: 's7', type: 'int2' },
  { name: 'rule_points', type: 'bytea' },
  { name: 'valid', type: 'int4' },
  { name: 'rubric_version', type: 'int4' },
  { name: 'scored_at', type: 'timestamptz' },
] as const

/** What text and jsonb cannot hold: U+0000, and halves of surrogate pairs (JSON.stringify escapes both). */
const unstorable = /\\u0000|\\ud[89a-f]/i
const unstorableText = /\0|\p{Surrogate}/gu

const clean = (value: unknown): unknown => {
  if (typeof value === 'string') return value.replace(unstorableText, '')
  if (Array.isArray(value)) return value.map(clean)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [name.replace(unstorableText, ''), clean(inner)]),
  )
}

/** JSON that jsonb takes: the layers keep what the source said, byte for byte. */
function jsonbText(value: unknown): string {
  const text = JSON.stringify(value)
  return text.includes('\\u') && unstorable.test(text) ? JSON.stringify(clean(value)) : text
}

const plain = (text: string | null) => (text?.includes('\0') ? text.replaceAll('\0', '') : text)

/** Settings are numbered from 1; a row under this number was never refined. */
const neverRefined = 0

/** @param rev the row's next compare-and-set counter */
export function productRow(w: ProductWrite, rev: number): unknown[] {
  const refined = w.refined ?? unrefined
  return [
    w.catalog,
    w.product,
    w.workspace,
    w.brand,
    w.kind,
    w.stage,
    rev,
    w.family,
    w.sid,
    plain(refined.sku),
    plain(refined.gtin),
    plain(refined.title),
    w.priceMinor,
    refined.currency,
    refined.availability,
    w.alive,
    w.content,
    w.refined === null ? neverRefined : w.settings,
    Date.parse(w.createdAt),
    Date.parse(w.updatedAt),
    jsonbText(storedOrder(refined)),
    JSON.stringify(w.layers),
    plain(w.createdBy),
  ]
}

/** null where the product has no score. */
export function scoreRow(w: ProductWrite, rubricVersion: number): unknown[] | null {
  if (!w.grade) return null
  const { sub, points, valid } = w.grade
  const at = Date.parse(w.gradedAt)
  return [w.catalog, w.product, w.workspace, w.brand, ...sub, Buffer.from(points), valid, rubricVersion, at]
}
