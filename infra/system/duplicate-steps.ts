/** The three steps in which duplicates of a catalog are found, each a transaction that takes up what waits for it: whatever is cut off is done again. */
import type { PoolClient } from 'pg'
import { reasonBits, reasonsOf } from '../../schemas/duplicate.ts'
import { type BlockingKey, blockingKeys, largestBlock } from '../../transforms/duplicates/blocking-keys.ts'
import { compareProducts } from '../../transforms/duplicates/compare-products.ts'
import { gatherGroups } from '../../transforms/duplicates/gather-groups.ts'
import { groupId } from '../../transforms/duplicates/group-id.ts'
import { traitsOf } from '../../transforms/duplicates/traits.ts'
import { connectedTo, keepGroups, leaveUngrouped, nextToGroup, readConnected } from '../catalog/duplicate-grouping.ts'
import { type DuplicateScope, findComparable, keepKeys, takeDue } from '../catalog/duplicate-keys.ts'
import {
  type Block,
  findMates,
  keepPairs,
  nextToCompare,
  type PairRow,
  readBlocks,
  type WaitingProduct,
} from '../catalog/duplicate-pairs.ts'

const takenRows = 4_000
const comparedRows = 400
const groupedRows = 400
/** More that hangs together is no group that anybody could judge. */
const mostConnected = 500

/** @returns whether anything was due */
export async function takeUp(tx: PoolClient, scope: DuplicateScope): Promise<boolean> {
  const ids = await takeDue(tx, scope.catalog, takenRows)
  if (ids.length > 0) await takeIn(tx, scope, ids)
  return ids.length > 0
}

/** What these products are now is what they are compared by. */
export async function takeIn(tx: PoolClient, scope: DuplicateScope, ids: readonly string[]): Promise<void> {
  const rows = await findComparable(tx, scope.catalog, ids)
  const there = rows.map(({ id, refined, kind, family }) => {
    const traits = traitsOf(refined, kind, family)
    return { id, traits, keys: blockingKeys(traits) }
  })
  const found = new Set(rows.map(({ id }) => id))
  const gone = ids.filter((id) => !found.has(id))
  await keepKeys(tx, scope, there, gone, largestBlock)
}

/** @returns the last product compared; null where none waits beyond `after` */
export async function comparePage(tx: PoolClient, catalog: string, after: string | null): Promise<string | null> {
  const page = await nextToCompare(tx, catalog, after, comparedRows)
  if (page.length === 0) return null
  const own = new Map(page.map((one) => [one.id, one]))
  const blocks = await blocksOf(tx, catalog, page)
  const others = new Set([...blocks.values()].flatMap(({ ids }) => ids).filter((id) => !own.has(id)))
  const mates = new Map((await findMates(tx, catalog, [...others])).map((mate) => [mate.id, mate]))
  const pairs: PairRow[] = []
  const compared: { id: string; skipped: number }[] = []
  for (const one of page) {
    const met = new Set<string>()
    let skipped = 0
    for (const key of keysOf(one)) {
      const block = blocks.get(nameOf(key))
      if (block && block.ids.length > largestBlock) skipped++
      else for (const id of block?.ids ?? []) met.add(id)
    }
    for (const id of met) {
      // Of two of a page the lesser does it.
      const other = own.has(id) ? (id > one.id ? own.get(id) : undefined) : mates.get(id)
      const likeness = other && compareProducts(one.traits, other.traits)
      if (!likeness) continue
      const [a, b] = one.id < id ? [one.id, id] : [id, one.id]
      pairs.push({ a, b, reasons: reasonBits(likeness.reasons), confidence: likeness.confidence })
    }
    compared.push({ id: one.id, skipped })
  }
  await keepPairs(tx, catalog, compared, pairs)
  return page.at(-1)?.id ?? null
}

const keysOf = ({ keys, finer }: WaitingProduct): BlockingKey[] => keys.map((key, i) => ({ key, finer: finer[i] ?? 0 }))
const nameOf = ({ key, finer }: BlockingKey) => `${key} ${finer}`

/** The block of each key of a page; in place of one that is too large its finer one. */
async function blocksOf(tx: PoolClient, catalog: string, page: readonly WaitingProduct[]): Promise<Map<string, Block>> {
  const keys = new Map(page.flatMap((one) => keysOf(one).map((key) => [nameOf(key), key] as const)))
  const coarse = new Map([...keys.values()].map((key) => [key.key, key]))
  const read = await readBlocks(tx, catalog, [...coarse.values()], largestBlock, false)
  const byKey = new Map(read.map((block) => [block.key, block]))
  const isLarge = ({ key, finer }: BlockingKey) => finer !== 0 && (byKey.get(key)?.ids.length ?? 0) > largestBlock
  const large = [...keys.values()].filter(isLarge)
  const fine = await readBlocks(tx, catalog, large, largestBlock, true)
  const blocks = new Map(fine.map((block) => [nameOf(block), block]))
  for (const [name, key] of keys) {
    const block = byKey.get(key.key)
    if (block && !isLarge(key)) blocks.set(name, block)
  }
  return blocks
}

/** @returns the last product that was looked at; null where none waits beyond `after` */
export async function groupPage(
  tx: PoolClient,
  scope: DuplicateScope,
  after: string | null,
  digest: (text: string) => string,
): Promise<string | null> {
  const { catalog } = scope
  const page = await nextToGroup(tx, catalog, after, groupedRows)
  const [first] = page
  if (first === undefined) return null
  const together = await connectedTo(tx, catalog, page, 10 * mostConnected)
  if (together.whole) {
    await groupConnected(tx, scope, together.ids, digest)
    return page.at(-1) ?? null
  }
  const alone = await connectedTo(tx, catalog, [first], mostConnected)
  if (alone.whole) await groupConnected(tx, scope, alone.ids, digest)
  else {
    await keepGroups(tx, scope, alone.ids, [])
    await leaveUngrouped(tx, catalog, alone.ids)
  }
  return first
}

async function groupConnected(
  tx: PoolClient,
  scope: DuplicateScope,
  ids: readonly string[],
  digest: (text: string) => string,
): Promise<void> {
  const { twins, pairs, apart } = await readConnected(tx, scope.catalog, ids)
  const named = pairs.map((pair) => ({ ...pair, reasons: reasonsOf(pair.reasons) }))
  const groups = gatherGroups(twins, named, apart).map(({ members, reasons, confidence }) => ({
    id: groupId(
      members.map(({ id }) => id),
      digest,
    ),
    reasons: reasonBits(reasons),
    confidence,
    members: members.map((member) => ({ ...member, reasons: reasonBits(member.reasons) })),
  }))
  await keepGroups(tx, scope, ids, groups)
}
