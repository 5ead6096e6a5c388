/** Puts changes of a catalog together into the body of one delivery, until it is as large as one may be. */
import { type DeltaOptions, type DeltaTarget, mostPartProducts } from '../../schemas/delta.ts'
import type { DeltaProduct } from './shape.ts'
import { deltaShapes } from './shapes.ts'

export interface Changed {
  readonly change: 'added' | 'modified' | 'removed'
  /** As it is now; of one that was removed, as it was. */
  readonly now: DeltaProduct
  /** As it was, of one that was modified. */
  readonly was: DeltaProduct | null
}

export interface DeltaHead {
  readonly event: string
  readonly workspace_id: string
  readonly brand_id: string
  readonly catalog_id: string
  readonly target: DeltaTarget
  readonly version: number
  readonly published_at: string
  /** All products of the version, and none of the receiver's beside them is one. */
  readonly full: boolean
  readonly part: number
  readonly parts: number
  readonly position: string
  readonly previous_position: string | null
}

/** Entries of one product, as JSON. */
export interface Written {
  readonly added: string | null
  readonly modified: string | null
  readonly removed: string | null
  /** Under which it is removed; null where it is not. */
  readonly leaves: string | null
  readonly bytes: number
}

const between = 1

export function write({ change, now, was }: Changed, target: DeltaTarget, options: DeltaOptions): Written {
  const shape = deltaShapes[target]
  const product = (as: 'added' | 'modified') => JSON.stringify(shape.product(now, as, options))
  const renamed = was !== null && shape.nameOf(was, options) !== shape.nameOf(now, options)
  const gone = change === 'removed' ? now : renamed ? was : null
  const entries = {
    added: change === 'added' || renamed ? product('added') : null,
    modified: change === 'modified' && !renamed ? product('modified') : null,
    removed: gone && JSON.stringify(shape.removal(gone, options)),
  }
  const sizes = Object.values(entries).map((text) => (text === null ? 0 : Buffer.byteLength(text) + between))
  return { ...entries, leaves: gone && shape.nameOf(gone, options), bytes: sizes.reduce((sum, size) => sum + size, 0) }
}

/** The head and the names of the three lists, with longer numbers and positions than there are. */
const headBytes = 1_200

/** Whether one more goes into a part that has these already; the first always does, however large it is. */
export const fits = (
  has: { readonly products: number; readonly bytes: number },
  bytes: number,
  most: number,
): boolean => has.products === 0 || (has.products < mostPartProducts && has.bytes + bytes + headBytes <= most)

/**
 * The same bytes whenever it is made of the same.
 * @param taken names that another product has by now: they stay, whoever had them before
 */
export function bodyOf(head: DeltaHead, entries: readonly Written[], taken: readonly string[]): string {
  const kept = new Set(taken)
  const stays = ({ leaves }: Written) => leaves !== null && kept.has(leaves)
  const list = (of: 'added' | 'modified' | 'removed') =>
    entries.flatMap((one) => (of === 'removed' && stays(one) ? [] : (one[of] ?? []))).join(',')
  const lists = `"added":[${list('added')}],"modified":[${list('modified')}],"removed":[${list('removed')}]`
  return `${JSON.stringify(head).slice(0, -1)},${lists}}`
}
