/** Gathers pairs of twins into groups in which no two are known to be two things; in whatever order the pairs come, the groups are the same. */
import { type DuplicateReason, duplicateReasons } from '../../schemas/duplicate.ts'

export interface Twin {
  readonly id: string
  readonly family: string | null
  readonly gtin: string | null
  /** Of what it says: settles between pairs of one confidence what their ids, which another catalog has otherwise, should not. */
  readonly rank: string
}

export interface TwinPair {
  /** The lesser id first. */
  readonly a: string
  readonly b: string
  readonly reasons: readonly DuplicateReason[]
  readonly confidence: number
}

export interface GroupMember {
  readonly id: string
  readonly reasons: readonly DuplicateReason[]
  readonly confidence: number
}

export interface TwinGroup {
  /** In order of id. */
  readonly members: readonly GroupMember[]
  readonly reasons: readonly DuplicateReason[]
  /** That of its least sure member. */
  readonly confidence: number
}

interface Cluster {
  readonly twins: Twin[]
  readonly pairs: TwinPair[]
}

/** @param apart pairs that a person said are two things, as `a b` with the lesser id first */
export function gatherGroups(
  twins: readonly Twin[],
  pairs: readonly TwinPair[],
  apart: ReadonlySet<string>,
): TwinGroup[] {
  const clusters = new Map<string, Cluster>(twins.map((twin) => [twin.id, { twins: [twin], pairs: [] }]))
  for (const pair of inOrder(twins, pairs)) {
    const [into, from] = [clusters.get(pair.a), clusters.get(pair.b)]
    if (!into || !from || apart.has(`${pair.a} ${pair.b}`)) continue
    if (into !== from) {
      if (!canBeOne(into, from, apart)) continue
      into.twins.push(...from.twins)
      into.pairs.push(...from.pairs)
      for (const { id } of from.twins) clusters.set(id, into)
    }
    into.pairs.push(pair)
  }
  return [...new Set(clusters.values())].filter(({ twins: of }) => of.length > 1).map(toGroup)
}

/** The surest first. */
function inOrder(twins: readonly Twin[], pairs: readonly TwinPair[]): TwinPair[] {
  const ranks = new Map(twins.map(({ id, rank }) => [id, rank]))
  return pairs
    .map((pair) => ({ pair, rank: [ranks.get(pair.a), ranks.get(pair.b)].sort().join(' ') }))
    .sort(
      ({ pair: one, rank }, { pair: other, rank: otherRank }) =>
        other.confidence - one.confidence ||
        compare(rank, otherRank) ||
        compare(one.a, other.a) ||
        compare(one.b, other.b),
    )
    .map(({ pair }) => pair)
}

const compare = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0)

/** What a third is like makes no twins of two variants, of two barcodes, or of what a person told apart. */
function canBeOne(one: Cluster, other: Cluster, apart: ReadonlySet<string>): boolean {
  return one.twins.every((a) =>
    other.twins.every(
      (b) =>
        (a.family === null || a.family !== b.family) &&
        (a.gtin === null || b.gtin === null || a.gtin === b.gtin) &&
        !apart.has(a.id < b.id ? `${a.id} ${b.id}` : `${b.id} ${a.id}`),
    ),
  )
}

function toGroup({ twins, pairs }: Cluster): TwinGroup {
  const members = twins
    .map(({ id }) => {
      const own = pairs.filter(({ a, b }) => a === id || b === id)
      return { id, reasons: allOf(own), confidence: Math.max(...own.map(({ confidence }) => confidence)) }
    })
    .sort((a, b) => compare(a.id, b.id))
  return { members, reasons: allOf(members), confidence: Math.min(...members.map(({ confidence }) => confidence)) }
}

const allOf = (many: readonly { readonly reasons: readonly DuplicateReason[] }[]) =>
  duplicateReasons.filter((reason) => many.some(({ reasons }) => reasons.includes(reason)))
