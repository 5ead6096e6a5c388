/** Knows the rows of a feed of ours again on platforms whose fields say less or otherwise than the product does: a row that says what our feed says, and nothing else, is no edit. */
import type { Identities } from '../infra/catalog/identities.ts'
import { feedProduct } from '../schemas/feeds/feed-product.ts'
import type { FeedProfile } from '../schemas/feeds/profile.ts'
import { profileFor } from '../schemas/feeds/registry.ts'
import type { CellValue, ImportContext } from '../schemas/pipeline.ts'
import { fold, platformOf } from '../transforms/silver/known-names.ts'
import type { Candidate } from './candidate.ts'
import type { PresentProduct } from './edit-rows.ts'
import { kinds, valueHash } from './identifiers.ts'
import type { Asked, Resolution } from './identity.ts'
import { type LineCells, lineCells } from './line-cells.ts'
import { isOwnId } from './own-ids.ts'

type Present = (ids: readonly string[]) => Promise<ReadonlyMap<string, PresentProduct>>
type Find = (asked: readonly Asked[]) => Promise<Resolution>

/** Of the others a cell comes back as the product has it, or as a cut of that. */
const platforms: readonly string[] = ['acp', 'amazon', 'heureka', 'yandex']

/** @returns null for a file of any other form */
export function ownWords(
  { header, mapping }: Pick<ImportContext, 'header' | 'mapping'>,
  catalog: string,
  identities: Pick<Identities, 'find'>,
  present: Present,
  find: Find,
): Find | null {
  const platform = platformOf(new Set(header.map(fold)))?.dialect.platform ?? ''
  const profile = platforms.includes(platform) ? profileFor(platform) : null
  if (!profile) return null
  const at = new Date().toISOString()

  /** By the id that our feed has for them, which their SKU is, or else ours; platforms' files have such ids for themselves. */
  async function ownRows(asked: readonly Asked[]): Promise<ReadonlyMap<Candidate, PresentProduct>> {
    const byId = Map.groupBy(asked, ({ candidate }) => idOf(candidate))
    const wanted = [...byId.keys()].flatMap((id) =>
      id === null ? [] : { kind: kinds.sku, hash: valueHash(kinds.sku, id) },
    )
    const holders = await identities.find(catalog, wanted)
    const there = await present([
      ...holders.map(({ product }) => product),
      ...[...byId.keys()].flatMap((id) => (id !== null && isOwnId(id) ? [id] : [])),
    ])
    const own = new Map<Candidate, PresentProduct>()
    for (const known of there.values()) {
      if (!known.alive || known.kind === 'parent') continue
      for (const { candidate } of byId.get(known.product.sku ?? known.id) ?? [])
        if (saysNoMore(candidate, wordsOf(profile as FeedProfile, known, at), mapping)) own.set(candidate, known)
    }
    return own
  }

  return async (asked) => {
    const own = await ownRows(asked)
    if (own.size === 0) return find(asked)
    const known = asked.map((one) => {
      const sku = own.get(one.candidate)?.product.sku
      return sku ? { ...one, candidate: { ...one.candidate, ids: { ...one.candidate.ids, sku, sourceId: null } } } : one
    })
    const isOwn = asked.map(
      ({ candidate }, n) => own.has(candidate) || (isMade(candidate) && isOwnAt(asked, n + 1, own)),
    )
    const { found, insert, ...rest } = await find(known)
    const unmade = new Set(found.flatMap(({ fresh, product }, n) => (isOwn[n] && fresh ? (product ?? []) : [])))
    return {
      ...rest,
      found: found.map((one, n) => (isOwn[n] ? { ...one, same: true as const } : one)),
      insert: insert.filter(({ product }) => !unmade.has(product)),
    }
  }
}

const idOf = ({ ids }: Candidate) => ids.sku ?? ids.sourceId

/** A parent that no row tells goes as its first variant does. */
const isMade = ({ kind, rows }: Candidate) => kind === 'parent' && rows.length === 0
const isOwnAt = (asked: readonly Asked[], n: number, own: ReadonlyMap<Candidate, unknown>) => {
  const next = asked[n]?.candidate
  return next !== undefined && next.ids.family === asked[n - 1]?.candidate.ids.family && own.has(next)
}

function wordsOf(profile: FeedProfile, { id, kind, product }: PresentProduct, at: string): LineCells {
  return lineCells(profile, profile.line(feedProduct(product, id, kind, at)), product.categoryPath)
}

/** What no field is read of may say anything; what the reader has gathered is made of the other cells. */
function saysNoMore({ cells }: Candidate, words: LineCells, mapping: ImportContext['mapping']): boolean {
  return Object.entries(cells).every(
    ([column, cell]) =>
      mapping[column] === undefined ||
      column.startsWith('assay:') ||
      (words.get(column) ?? []).some((word) => textOf(word) === textOf(cell)),
  )
}

/** Line breaks are written in several ways. */
const textOf = (cell: CellValue) =>
  [cell]
    .flat()
    .map((text) => text.replace(/\r\n?/g, '\n').trim())
    .join('\u001f')
