/** The query of a list of products: its filters and orders, what they mean to the database, and a digest that its cursors name. */
import { hash } from 'node:crypto'
import { z } from 'zod'
import type { ProductFilter, Scoring } from '../../infra/catalog/product-conditions.ts'
import type { Direction, ProductSort } from '../../infra/catalog/product-list.ts'
import { ServiceError } from '../../schemas/errors.ts'
import { type Platform, platformNames } from '../../schemas/feeds/profile.ts'
import { requiredBits } from '../../schemas/feeds/required-bits.ts'
import { brandId, catalogId } from '../../schemas/ids.ts'
import { productKind, stage } from '../../schemas/product.ts'
import { bandRange, bands, feedReadyFrom, type Weights } from '../../schemas/score.ts'
import { gapFields } from '../../transforms/gold/gains.ts'
import { gapPlaces, presencePlaces } from '../../transforms/gold/gap-places.ts'
import { rubricVersion } from '../../transforms/gold/rubric.ts'
import { readIdentifier } from '../../transforms/silver/text.ts'
import { listQuery } from '../cursor.ts'

const sorts = {
  id: ['id', 'asc'],
  score: ['score', 'asc'],
  '-score': ['score', 'desc'],
  updated_at: ['updated_at', 'asc'],
  '-updated_at': ['updated_at', 'desc'],
} as const satisfies Record<string, readonly [ProductSort, Direction]>
type SortName = keyof typeof sorts

/** Keys of cursors as the database writes them. */
const isKey: Readonly<Record<ProductSort, (key: string) => boolean>> = {
  id: (key) => key === '',
  score: (key) => /^\d{1,3}$/.test(key),
  updated_at: (key) => /^(?!0000).{19}\.\d{6}Z$/.test(key) && isInstant(key),
}

function isInstant(text: string): boolean {
  const at = new Date(text)
  return !Number.isNaN(at.getTime()) && at.toISOString().slice(0, 19) === text.slice(0, 19)
}

const visible = /\S/
const field = z.enum(gapFields as [string, ...string[]])

/** As a query has them; a body says `feed_ready` and `duplicate` as true or false. */
const filters = {
  kind: productKind.optional(),
  sku: z.string().max(500).optional(),
  family_id: z.uuid().optional(),
  stage: stage.optional(),
  band: z.enum(bands).optional(),
  platform: z.enum(platformNames).optional(),
  gap: field.optional(),
  missing: field.optional(),
  q: z.string().max(200).regex(visible).optional(),
  updated_since: z.iso.datetime({ offset: true }).optional(),
  brand: z.string().max(500).regex(visible).optional(),
  category: z.string().max(500).regex(visible).optional(),
}

export const bodysFilter = z.strictObject({
  ...filters,
  feed_ready: z.boolean().optional(),
  duplicate: z.boolean().optional(),
})
type Filters = z.infer<typeof bodysFilter>

export const productQuery = listQuery.extend({
  catalog_id: catalogId.optional(),
  brand_id: brandId.optional(),
  ...filters,
  feed_ready: z.enum(['true', 'false']).optional(),
  duplicate: z.enum(['true', 'false']).optional(),
  sort: z.enum(Object.keys(sorts) as [SortName, ...SortName[]]).default('id'),
})
export type ProductQuery = z.infer<typeof productQuery>

/** @returns what the database is asked for, and what a cursor of this list names */
export function readProductQuery(asked: ProductQuery, catalog: string, weights: Weights) {
  const [sort, direction] = sorts[asked.sort]
  const { after: _place, limit: _size, catalog_id: _named, brand_id: _of, ...own } = asked
  const said = (word: 'true' | 'false' | undefined) => word && word === 'true'
  const flags = { feed_ready: said(own.feed_ready), duplicate: said(own.duplicate) }
  const filter = readFilter({ ...own, ...flags }, catalog, weights)
  const named = JSON.stringify([catalog, Object.entries(own).sort(([a], [b]) => (a < b ? -1 : 1))])
  return {
    sort,
    direction,
    filter,
    platform: own.platform,
    isKey: isKey[sort],
    digest: hash('sha256', named, 'hex').slice(0, 16),
  }
}

/**
 * By what scores are judged.
 * @param platform whose readiness is asked for alone @param required of a brand's platforms
 */
export async function readScoring(
  platform: Platform | undefined,
  weights: Weights,
  required: (brand: string) => Promise<number>,
  brand: string,
): Promise<Scoring> {
  const bits = platform === undefined ? await required(brand) : requiredBits([platform])
  return { weights, required: bits, feedReadyFrom, rubric: rubricVersion }
}

/** @throws ServiceError where two of them contradict, or one says nothing that can be looked for */
export function readFilter(own: Filters, catalog: string, weights: Weights): ProductFilter {
  if (own.platform !== undefined && own.feed_ready === undefined)
    throw new ServiceError('INVALID_REQUEST', {
      message: 'platform says whose feed feed_ready asks for; send feed_ready too',
      field: 'platform',
    })
  return {
    catalog,
    kind: own.kind,
    sku: own.sku === undefined ? undefined : asStored(own.sku, 'sku'),
    family: own.family_id,
    stage: own.stage,
    scores: own.band && bandRange(own.band),
    feedReady: own.feed_ready,
    duplicate: own.duplicate,
    gap: gapsAskedFor(own, weights),
    absent: own.missing === undefined ? undefined : presencePlaces(own.missing),
    words: own.q === undefined ? undefined : wordsOf(own.q),
    updatedSince: own.updated_since === undefined ? undefined : instant(own.updated_since),
    brand: own.brand === undefined ? undefined : asStored(own.brand, 'brand'),
    category: own.category === undefined ? undefined : levelsOf(own.category),
  }
}

/** A path without a level would mean every product, which nobody who names a category means. */
function levelsOf(category: string): string[] {
  const levels = category.split('>').flatMap((level) => readIdentifier(level) ?? [])
  if (levels.length > 0) return levels
  throw new ServiceError('INVALID_REQUEST', {
    message: 'category names no level, as in Kitchen > Mugs',
    field: 'category',
  })
}

/** What is missing is a gap too. */
function gapsAskedFor({ gap, missing }: Pick<Filters, 'gap' | 'missing'>, weights: Weights) {
  if (gap === undefined) return missing === undefined ? undefined : gapPlaces(missing, weights)
  if (missing === undefined || missing === gap) return gapPlaces(gap, weights)
  throw new ServiceError('INVALID_REQUEST', { message: 'Ask for gap or for missing, not for both', field: 'missing' })
}

/** In the form in which products have it: composed, without space around or signs that nobody sees. */
function asStored(text: string, field: 'sku' | 'brand'): string {
  const stored = readIdentifier(text)
  if (stored !== null) return stored
  throw new ServiceError('INVALID_REQUEST', { message: `${field} has nothing that can be seen`, field })
}

/** What no store can keep is no part of a word. */
function wordsOf(q: string): string[] {
  const words = q
    .replace(/[\p{Cc}\p{Surrogate}]/gu, ' ')
    .normalize('NFC')
    .match(/\S+/g)
  if (words) return words
  throw new ServiceError('INVALID_REQUEST', { message: 'q has no word that can be seen', field: 'q' })
}

function instant(text: string): Date {
  const at = new Date(text)
  if (Number.isNaN(at.getTime()) || at.getUTCFullYear() < 1 || at.getUTCFullYear() > 9_999)
    throw new ServiceError('INVALID_REQUEST', { message: 'updated_since is no instant', field: 'updated_since' })
  return at
}
