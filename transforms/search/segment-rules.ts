/** What rules do with the documents of one segment: which are left out, which come sooner or later, and which have a place of their own. */
import { mostSteps, type SearchRule, type Selection } from '../../schemas/search-rule.ts'
import { filterOf, groupsOf, noFilter, type SearchFilter } from './filter-documents.ts'
import { attributesOf, categoryOf } from './filter-texts.ts'
import { findDocument, type IdWords } from './find-document.ts'
import type { OpenSegment } from './open-segment.ts'
import { type ColumnGroup, idWords } from './segment-columns.ts'

export interface SegmentRules {
  readonly isHidden: Test | null
  /** null: nothing moves, here or in another segment. */
  readonly stepsOf: ((document: number) => number) | null
  /** Documents that have a place of their own, with it. */
  readonly pinned: ReadonlyMap<number, RulePin>
}

/** A product and where it is to stand; which of all pins it is decides between two of one place. */
export interface RulePin {
  readonly product: string
  readonly position: number
  readonly nth: number
}

export interface OpenRules {
  readonly columns: readonly ColumnGroup[]
  ofSegment(segment: OpenSegment): SegmentRules
}

type Test = (document: number) => boolean

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
    columns: [...new Set(filters.flatMap(groupsOf))],
    ofSegment(segment) {
      const isHere = ({ catalog }: { readonly catalog: string | null }) =>
        catalog === null || catalog === segment.catalog
      const hidden = hides.filter(isHere).flatMap((of) => testOf(segment, of) ?? [])
      const moved = boosts.flatMap(({ of, steps }) => {
        const test = isHere(of) ? testOf(segment, of) : null
        return test ? [{ test, steps }] : []
      })
      const pinned = new Map<number, RulePin>()
      pins.forEach((pin, nth) => {
        const document = isHere(pin) ? findDocument(segment, pin.id) : -1
        if (document >= 0 && !pinned.has(document)) pinned.set(document, { ...pin, nth })
      })
      return {
        isHidden: hidden.length === 0 ? null : (document) => hidden.some((test) => test(document)),
        stepsOf: boosts.length === 0 ? null : (document) => sumOf(moved, document),
        pinned,
      }
    },
  }
}

/** @returns null where the segment has nothing of it */
function testOf(segment: OpenSegment, { ids, filter }: ReadSelection): Test | null {
  const test = filterOf(segment, filter, null)
  if (ids.length === 0) return test
  const documents = new Set(ids.map((id) => findDocument(segment, id)).filter((document) => document >= 0))
  if (documents.size === 0) return null
  return test ? (document) => documents.has(document) && test(document) : (document) => documents.has(document)
}

function sumOf(moved: readonly { readonly test: Test; readonly steps: number }[], document: number): number {
  let steps = 0
  for (const one of moved) if (one.test(document)) steps += one.steps
  return Math.max(-mostSteps, Math.min(mostSteps, steps))
}
