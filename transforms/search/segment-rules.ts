/** What rules do with the documents of one segment: which are left out, which come sooner or later, and which have a place of their own. */
import { mostSteps, type SearchRule, type Selection } from '../../schemas/search-rule.ts'
import { filterOf, groupsOf, type Keep, keepAll, keepWhere, noFilter, type SearchFilter } from './filter-documents.ts'
import { attributesOf, categoryOf } from './filter-texts.ts'
import { findDocument, type IdWords } from './find-document.ts'
import type { OpenSegment } from './open-segment.ts'
import { type ColumnGroup, idWords, mostDocuments } from './segment-columns.ts'

export interface SegmentRules {
  /** Leaves out what is hidden; null: nothing is. */
  readonly leaveOut: Keep | null
  /** Leaves out what has a place of its own. */
  readonly leavePinned: Keep | null
  /** Documents that have a place of their own, with it. */
  readonly pinned: ReadonlyMap<number, RulePin>
  /** Of each of the first `n` documents its steps, until it is called again; null: nothing moves, here or in another segment. */
  readonly stepsOf: ((documents: Uint16Array, n: number) => Int8Array) | null
}

/** A product and where it is to stand; which of all pins it is decides between two of one place. */
export interface RulePin {
  readonly product: string
  readonly position: number
  readonly nth: number
}

export interface OpenRules {
  /** Some are brought sooner or later. */
  readonly moves: boolean
  readonly columns: readonly ColumnGroup[]
  ofSegment(segment: OpenSegment): SegmentRules
}

const filterFor = ({ brands, categories, attributes }: Selection): SearchFilter => ({
  ...noFilter,
  brands,
  categories: categories.map(categoryOf),
  attributes: attributesOf(attributes),
})

interface ReadSelection {
  readonly catalog: string | null
  readonly ids: readonly IdWords[]
  readonly filter: SearchFilter
}

const readSelection = (catalog: string | null, of: Selection): ReadSelection => ({
  catalog,
  ids: of.products.map(idWords),
  filter: filterFor(of),
})

/** @param rules the first counts most @param order what is found stands by how well it fits: only then it is moved @returns null where there is nothing to do */
export function openRules(rules: readonly SearchRule[], order: boolean): OpenRules | null {
  const hides = rules.flatMap(({ catalog, hide }) => hide.map((of) => readSelection(catalog, of)))
  const boosts = order
    ? rules.flatMap(({ catalog, boosts }) =>
        boosts.map(({ steps, ...of }) => ({ steps, of: readSelection(catalog, of) })),
      )
    : []
  const pins = order
    ? rules.flatMap(({ catalog, pins }) => pins.map((pin) => ({ ...pin, catalog, id: idWords(pin.product) })))
    : []
  if (hides.length + boosts.length + pins.length === 0) return null
  const filters = [...hides, ...boosts.map(({ of }) => of)].map(({ filter }) => filter)
  return {
    moves: boosts.length > 0,
    columns: [...new Set(filters.flatMap(groupsOf))],
    ofSegment(segment) {
      const isHere = ({ catalog }: { readonly catalog: string | null }) =>
        catalog === null || catalog === segment.catalog
      const hidden = hides.filter(isHere).flatMap((of) => selectionOf(segment, of) ?? [])
      const moved = boosts.flatMap(({ of, steps }) => {
        const select = isHere(of) ? selectionOf(segment, of) : null
        return select ? [{ select, steps }] : []
      })
      const pinned = new Map<number, RulePin>()
      pins.forEach((pin, nth) => {
        const document = isHere(pin) ? findDocument(segment, pin.id) : -1
        if (document >= 0 && !pinned.has(document)) pinned.set(document, { ...pin, nth })
      })
      return {
        leaveOut: hidden.length === 0 ? null : (documents, n) => without(hidden, documents, n),
        leavePinned: pinned.size === 0 ? null : (documents, n) => keepWhere(documents, n, (one) => !pinned.has(one)),
        pinned,
        stepsOf: boosts.length === 0 ? null : (documents, n) => stepsOf(moved, documents, n),
      }
    },
  }
}

/** @returns null where the segment has nothing of it */
function selectionOf(segment: OpenSegment, { ids, filter }: ReadSelection): Keep | null {
  const passes = filterOf(segment, filter, null)
  if (ids.length === 0) return passes
  const documents = new Set(ids.map((id) => findDocument(segment, id)).filter((document) => document >= 0))
  if (documents.size === 0) return null
  return keepAll([(of, n) => keepWhere(of, n, (one) => documents.has(one)), passes])
}

const [some, flags] = [new Uint16Array(mostDocuments), new Uint8Array(mostDocuments)]
const [sums, steps] = [new Int32Array(mostDocuments), new Int8Array(mostDocuments)]

/** Calls with each document that is selected. */
function eachSelected(select: Keep, documents: Uint16Array, n: number, each: (document: number) => void): void {
  some.set(documents.subarray(0, n))
  const selected = select(some, n)
  for (let i = 0; i < selected; i++) each(some[i] as number)
}

function without(hidden: readonly Keep[], documents: Uint16Array, n: number): number {
  flags.fill(0)
  for (const select of hidden)
    eachSelected(select, documents, n, (document) => {
      flags[document] = 1
    })
  return keepWhere(documents, n, (document) => flags[document] === 0)
}

function stepsOf(
  moved: readonly { readonly select: Keep; readonly steps: number }[],
  documents: Uint16Array,
  n: number,
): Int8Array {
  sums.fill(0)
  for (const { select, steps } of moved)
    eachSelected(select, documents, n, (document) => {
      sums[document] = (sums[document] as number) + steps
    })
  for (let i = 0; i < n; i++)
    steps[i] = Math.max(-mostSteps, Math.min(mostSteps, sums[documents[i] as number] as number))
  return steps
}
