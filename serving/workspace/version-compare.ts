/** One page of the differences between two versions, with the fields of what was modified. */
import type { PoolClient } from 'pg'
import { z } from 'zod'
import { type ComparedRow, compareVersions, type PublishedContent } from '../../infra/catalog/version-queries.ts'
import { diffProducts } from '../../transforms/versions/diff.ts'
import { nextCursor } from '../cursor.ts'

export const changeResource = z.object({
  productId: z.uuid(),
  change: z.enum(['added', 'modified', 'removed']),
  /** Of what was modified: each field that differs, and what it was and is. */
  fields: z.array(z.object({ field: z.string(), before: z.unknown(), after: z.unknown() })),
})
type Change = z.infer<typeof changeResource>

/** Products that were written and came back fill no page: this many pages of them are passed by in one answer. */
const roundsAtMost = 10

export async function comparePage(
  tx: PoolClient,
  catalog: string,
  between: readonly [number, number],
  after: string | null,
  limit: number,
): Promise<{ changes: Change[]; next: string | null }> {
  const found: ComparedRow[] = []
  let place = after
  for (let round = 1; ; round++) {
    const rows = await compareVersions(tx, catalog, between, place, limit + 1)
    found.push(...rows.filter(({ differs }) => differs))
    const ended = rows.length <= limit
    if (ended || found.length > limit)
      return { changes: found.slice(0, limit).map(toChange), next: nextCursor(found, limit) }
    place = rows.at(-1)?.id ?? null
    if (round === roundsAtMost && place)
      return { changes: found.map(toChange), next: nextCursor([{ id: place }, { id: place }], 1) }
  }
}

function toChange({ id, before, after }: ComparedRow): Change {
  if (!before || !after) return { productId: id, change: before ? 'removed' : 'added', fields: [] }
  return {
    productId: id,
    change: 'modified',
    fields: [...standing(before, after), ...diffProducts(before.product, after.product)],
  }
}

/** What a product is among others is part of its content, too. */
function standing(before: PublishedContent, after: PublishedContent) {
  const both = [
    { field: 'kind', before: before.kind, after: after.kind },
    { field: 'familyId', before: before.family, after: after.family },
  ]
  return both.filter((one) => one.before !== one.after)
}
