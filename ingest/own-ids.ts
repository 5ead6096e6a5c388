/** Knows products again by our own ids, which a feed has where a product has no SKU: that is no SKU, and no other product. */
import type { CellValue, ImportContext } from '../schemas/pipeline.ts'
import type { Candidate } from './candidate.ts'
import type { PresentProduct } from './edit-rows.ts'
import type { Asked, Resolution } from './identity.ts'

type Present = (ids: readonly string[]) => Promise<ReadonlyMap<string, PresentProduct>>
type Find = (asked: readonly Asked[], empty: boolean) => Promise<Resolution>

/** As `productId` makes them. */
const form = /^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/
export const isOwnId = (id: string): boolean => form.test(id)

export function withOwnIds({ mapping }: Pick<ImportContext, 'mapping'>, present: Present, find: Find): Find {
  const columns = new Set(
    Object.entries(mapping).flatMap(([column, { field }]) =>
      field === 'sku' || field === 'source_id' ? [column] : [],
    ),
  )
  return async (asked, empty) => {
    const ids = empty ? [] : asked.flatMap(({ candidate }) => idOf(candidate) ?? [])
    const there = ids.length > 0 ? await present(ids) : new Map<string, PresentProduct>()
    if (there.size === 0) return find(asked, empty)
    const own = asked.map(({ candidate }) => {
      const known = there.get(idOf(candidate) ?? '')
      return known?.alive && known.kind !== 'parent' && known.product.sku === null ? known : undefined
    })
    const { found, insert, ...rest } = await find(
      asked.map((one, n) => (own[n] ? { ...one, candidate: withoutId(one.candidate, columns) } : one)),
      empty,
    )
    const places = new Map(
      found.flatMap(({ fresh, product }, n) => (own[n] && fresh && product ? [[product, own[n].id]] : [])),
    )
    return {
      ...rest,
      found: found.map((one, n) => {
        const known = own[n]
        return known ? { ...one, product: known.id, sid: known.sid, fresh: false } : one
      }),
      insert: insert.map((row) => ({ ...row, product: places.get(row.product) ?? row.product })),
    }
  }
}

function idOf({ ids }: Candidate): string | null {
  const id = ids.sku ?? ids.sourceId
  return id !== null && isOwnId(id) ? id : null
}

function withoutId(candidate: Candidate, columns: ReadonlySet<string>): Candidate {
  const cells: Record<string, CellValue> = {}
  for (const [column, cell] of Object.entries(candidate.cells)) if (!columns.has(column)) cells[column] = cell
  return { ...candidate, cells, ids: { ...candidate.ids, sku: null, sourceId: null } }
}
