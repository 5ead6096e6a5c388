/** Finds the place in a JSON document whose objects look most like products. */
import type { Field } from '../../../schemas/product.ts'
import { mapHeader } from '../../../transforms/silver/mapping.ts'
import { TableError } from '../../table-error.ts'
import { holdersOf, nestingOf } from '../nested/nestings.ts'
import { keyedPlace } from './keyed-place.ts'
import { type Place, surveyJson } from './survey.ts'

/** Any member of an object that is itself an object. */
export const eachMember = Symbol('each member')
/** A key; null stands for the items of an array, first for the root values of the file. */
export type Step = string | null | typeof eachMember

export interface Choice {
  /** The way from the file down to the products. */
  readonly path: readonly Step[]
  /** `rows`: an array of arrays, the first of which names the columns. */
  readonly of: 'objects' | 'rows'
  readonly notes: readonly string[]
  /** The products are the root objects themselves and hold no variants: what a line of NDJSON is. */
  readonly plain: boolean
}

interface Candidate {
  readonly place: Place
  readonly fields: readonly Field[]
  /** Says which product it is. */
  readonly tells: boolean
  /** Has what only products have. */
  readonly sure: boolean
  readonly list: boolean
  readonly points: number
}

/** Names under which products stand, and names that say nothing of what stands there. */
const productNames =
  /^(?:products?|produkte?|produits?|productos?|prodotti|produtos?|producten|artikel|articles?|товары|商品|offers|catalog|goods|node|_source|document)$/i
const listNames = /^(?:items|data|results?|records|rows|entries|list|content|hits|docs|documents|edges|nodes|value)$/i

const tellingFields: readonly Field[] = ['sku', 'source_id', 'gtin', 'title', 'link', 'mpn']
const sureFields: readonly Field[] = ['sku', 'gtin', 'mpn', 'price']

/** @throws TableError where no object is there */
export async function chooseProducts(text: AsyncIterable<string>): Promise<Choice> {
  const places = await surveyJson(text)
  const candidates = new Map<Place, Candidate>()
  for (const place of places) {
    if (place.objects === 0 || place.keys.size === 0) continue
    candidates.set(place, judge(place))
    const members = keyedPlace(place)
    const keyed = members && judge(members)
    if (keyed?.tells && (keyed.sure || productNames.test(nameOf(keyed.place)))) candidates.set(keyed.place, keyed)
  }
  const left = [...candidates.values()].filter((candidate) => !belongsAbove(candidate, candidates)).sort(byPoints)
  const [best, ...others] = left
  if (!best) return choiceOfRows(places)
  const isMember = ({ place }: Candidate) => best.place.keyed && place.above === best.place.above
  const like = others.filter((other) => other.tells && (other.list || other.sure) && !isMember(other))
  return {
    path: pathOf(best.place),
    of: 'objects',
    notes: [reasonOf(best), ...keyedNotes(best), ...(like.length > 0 ? [leftOut(like)] : [])],
    plain: best.place.depth === 1 && nestingAt(best.place) === undefined && !holdsHolders(best.place),
  }
}

function judge(place: Place): Candidate {
  const { mapping } = mapHeader([...place.keys.keys()])
  const found = Object.entries(mapping).flatMap(([key, { field }]) =>
    tellingFields.includes(field) && place.keys.get(key) === false ? [] : [field],
  )
  const fields = [...new Set(found)]
  const sure = fields.some((field) => sureFields.includes(field))
  const list = place.key === null && (place.depth > 1 || place.objects > 1)
  const named = productNames.test(nameOf(place)) ? 3 : listNames.test(nameOf(place)) ? 1 : 0
  const points = fields.length + named + (list ? 1 : 0) + (sure ? 2 : list ? 0 : -2)
  return { place, fields, tells: fields.some((field) => tellingFields.includes(field)), sure, list, points }
}

/** More points, then more objects, then nearer to the top, then earlier. */
const byPoints = (a: Candidate, b: Candidate) =>
  b.points - a.points ||
  b.place.objects - a.place.objects ||
  a.place.depth - b.place.depth ||
  a.place.number - b.place.number

const nestingAt = ({ keys }: Place) =>
  nestingOf(
    (key) => keys.has(key),
    (key) => keys.get(key) === false,
  )

const holdsHolders = ({ keys }: Place) => [...holdersOf].some((key) => keys.get(key) === false)

/** Says nothing of a product but what variants it has: an offer or a colour of the one above. */
const onlyHolds = ({ place, tells }: Candidate) =>
  !tells && holdersOf.has(nameOf(place)) && nestingAt(place) !== undefined

/** The key under which a place stands: an array's for its items. */
const nameOf = (place: Place): string => place.key ?? place.above?.key ?? ''

/** Variants, images and offers are parts of the product above them; products of a category or a page are not. */
function belongsAbove(candidate: Candidate, candidates: ReadonlyMap<Place, Candidate>): boolean {
  const { place, list } = candidate
  const strong = productNames.test(nameOf(place))
  const weak = listNames.test(nameOf(place))
  let from = place
  for (let above = place.above; above; above = above.above) {
    const holder = candidates.get(above)
    if (holder) {
      const nesting = nestingAt(above)
      const isVariant = nesting !== undefined && from.key === nesting.variants && !strong
      if (holder.sure || (holder.tells && onlyHolds(candidate)) || (isVariant && (holder.tells || holder.list)))
        return true
      if (holder.list && !list && !strong) return true
      if (holder.tells && !strong && (holder.list || !weak)) return true
    }
    from = above
  }
  return false
}

/** Where no object is there, an array of arrays at the top may be a table. */
function choiceOfRows(places: readonly Place[]): Choice {
  const items = places[0]?.below.get(null)?.below.get(null)
  if (items && items.arrays > 0) {
    const notes = ['a JSON array of arrays; the first names the columns']
    return { path: [null, null], of: 'rows', notes, plain: false }
  }
  throw new TableError('empty_file', 'The JSON document has no objects; send one for each product')
}

function pathOf(place: Place): Step[] {
  return place.above ? [...pathOf(place.above), place.keyed ? eachMember : place.key] : []
}

function reasonOf({ place, fields, list }: Candidate): string {
  const what = list ? `the objects (${place.objects})` : 'the one object'
  const why =
    fields.length > 0 ? `their keys give ${fields.slice(0, 6).join(', ')}` : 'no others look more like products'
  return `a JSON document; products are ${what} at ${nameOfPath(place)}, since ${why}`
}

/** What an object keyed by id says beside its products. */
function keyedNotes({ place }: Candidate): string[] {
  if (!place.keyed) return []
  const others = place.above?.otherwise ?? 0
  const key = 'each product stands under a key of its own, which is not read as a value of it'
  return [others > 0 ? `${key}; ${others} beside them are no objects, and not read` : key]
}

const leftOut = (like: readonly Candidate[]) => {
  const named = like.slice(0, 5).map(({ place }) => `${nameOfPath(place)} (${place.objects})`)
  return `also like products, and not read: ${named.join(', ')}${like.length > 5 ? ' and others' : ''}`
}

function nameOfPath(place: Place): string {
  const [, ...path] = pathOf(place)
  if (path.length === 0) return 'the top'
  return JSON.stringify(
    path.reduce<string>((text, step) => {
      if (step === null) return `${text}[]`
      const name = step === eachMember ? '*' : step
      return text ? `${text}.${name}` : name
    }, ''),
  )
}
