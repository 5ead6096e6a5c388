/** Finds which product each candidate is, before anything goes on the log (DESIGN 5.3). */
import type { Gained, Identities, IdentityRow } from '../infra/catalog/identities.ts'
import { attached, given, type Identifier, type Knowledge, type KnownAs, knownAs, type Traits } from './attached.ts'
import type { Candidate, RowFault } from './candidate.ts'
import type { Group } from './group-of.ts'
import {
  decidingKind,
  type IdentityText,
  identityKey,
  identityTexts,
  type Kind,
  kinds,
  productId,
  unit,
  valueHash,
} from './identifiers.ts'
import { contentText, type SharedFlags, type Verdict } from './verdicts.ts'

export interface Asked {
  readonly candidate: Candidate
  readonly shared: SharedFlags | null
  /** Its file says that it is none of the products that the catalog knows by its identifiers. */
  readonly own?: boolean
}

/** @param verdict null: the row has nothing in common with another of its file */
export const asJudged = (candidate: Candidate, verdict: Pick<Verdict, 'shared' | 'own'> | null): Asked => ({
  candidate,
  shared: verdict?.shared ?? null,
  own: verdict?.own ?? false,
})

export interface Found {
  readonly candidate: Candidate
  /** null: only identifiers that several products share, so nothing can be decided. */
  readonly product: string | null
  readonly sid: string
  /** Made by this look-up: no product can exist under this id yet. */
  readonly fresh: boolean
  /** What the catalog alone knows it as, whatever rows were asked for along with it. */
  readonly alone: KnownAs | null
  /** Of an edit: why it cannot be. */
  readonly refused?: Pick<RowFault, 'code' | 'says' | 'column' | 'raw'>
  /** Of an edit: every cell says what the product says already. */
  readonly same?: true
  /** The SKU by which a product that is sold by itself is the parent of a group from now on. */
  readonly namesGroup?: string
  /** Of an edit: it makes the product, or brings it back. */
  readonly create?: true
  /** Of an edit: what the group that it names makes of the product. */
  readonly says?: Group['says']
}

export interface Resolution {
  readonly found: readonly Found[]
  readonly insert: readonly IdentityRow[]
  readonly share: readonly { kind: number; hash: string }[]
  readonly gain: readonly Gained[]
  /** Of edits: what becomes of others, as of the parent of a group that they name. */
  readonly beside?: Group['others']
}

export interface ResolveScope {
  readonly workspace: string
  readonly catalog: string
  readonly source: string
}

/**
 * Nothing is written: the caller inserts what is told in the transaction that appends, and asks again after a unique violation.
 * @param empty the catalog has no identity at all, so that only identifiers shared within the file need a look-up
 */
export async function resolve(
  asked: readonly Asked[],
  scope: ResolveScope,
  identities: Pick<Identities, 'find' | 'gained'>,
  empty: boolean,
): Promise<Resolution> {
  const rows = asked.map(({ candidate, shared, own }) => ({
    candidate,
    own: own === true,
    ids: identifiersOf(candidate, shared, scope.source),
  }))
  const wanted = rows.flatMap(({ ids }) => (empty ? ids.filter((id) => id.sharedInFile) : ids))
  const known = new Map<string, IdentityRow>()
  for (const row of await identities.find(scope.catalog, wanted)) known.set(identityKey(row), row)
  const products = await knownProducts(asked, [...known.values()], scope.catalog, identities)
  const now = { known, products }
  const before = { known: new Map(known), products: new Map(products) }

  const found: Found[] = []
  const insert: IdentityRow[] = []
  const share = new Map<string, { kind: number; hash: string }>()
  const gain = new Map<string, Gained>()
  for (const { candidate, own, ids } of rows) {
    const options = candidate.ids.options ? valueHash(kinds.family, candidate.ids.options) : null
    const sku = ids.find((id) => id.kind === kinds.sku && !id.sharedInFile)
    const alone = own ? null : knownAs(ids, sku, options, before)
    const decision = decide(ids, own ? null : attached(ids, sku, options, now), now, scope)
    if (decision === null) {
      found.push({ candidate, product: null, sid: '', fresh: false, alone })
      continue
    }
    const { product, sid, fresh } = decision
    const has = products.get(product)
    const { newSku, newOptions } = given(product, sku, options, now)
    found.push({ candidate, product, sid, fresh, alone })
    if (!fresh && (newSku ?? newOptions) !== null) {
      const former = gain.get(product)
      gain.set(product, { product, sku: newSku ?? former?.sku ?? null, options: newOptions ?? former?.options ?? null })
    }
    const traits = { sku: has?.sku ?? newSku, options: has?.options ?? options }
    if (traits.sku !== null || traits.options !== null) products.set(product, traits)
    for (const id of ids) {
      const { key } = id
      const holder = known.get(key)
      if (!holder) {
        const row = { kind: id.kind, hash: id.hash, product, shared: id.sharedInFile, options: traits.options }
        known.set(key, row)
        insert.push(row)
      } else if (!holder.shared && (holder.product !== product || id.sharedInFile)) {
        known.set(key, { ...holder, shared: true })
        share.set(key, { kind: id.kind, hash: id.hash })
      }
    }
  }
  return { found, insert, share: [...share.values()], gain: [...gain.values()] }
}

async function knownProducts(
  asked: readonly Asked[],
  known: readonly IdentityRow[],
  catalog: string,
  identities: Pick<Identities, 'find' | 'gained'>,
): Promise<Map<string, Traits>> {
  const products = new Map<string, Traits>()
  for (const { product, options } of known)
    products.set(product, { sku: null, options: products.get(product)?.options ?? options })
  const someOptions = asked.some(({ candidate }) => candidate.ids.options)
  const unsure = [...products].flatMap(([id, { options }]) =>
    decidingKind(id) !== kinds.sku || (someOptions && options === null) ? [id] : [],
  )
  for (const { product, sku, options } of await identities.gained(catalog, unsure))
    products.set(product, { sku, options: products.get(product)?.options ?? options })
  return products
}

function identifiersOf(candidate: Candidate, shared: SharedFlags | null, source: string): Identifier[] {
  const flags: Partial<Record<Kind, boolean>> = shared
    ? {
        [kinds.sku]: shared.sku,
        [kinds.sourceId]: shared.sourceId,
        [kinds.family]: shared.family,
        [kinds.gtin]: shared.gtin,
        [kinds.mpnBrand]: shared.mpnBrand,
        [kinds.url]: shared.url,
      }
    : {}
  const ids = identityTexts(candidate.ids, source).map((one) => identifier(one, flags[one.kind] === true))
  if (ids.length > 0) return ids
  return [identifier({ kind: kinds.row, text: `${source}${unit}${contentText(candidate.cells)}` }, false)]
}

function identifier({ kind, text, only }: IdentityText, sharedInFile: boolean): Identifier {
  const hash = valueHash(kind, text)
  return { kind, text, hash, key: identityKey({ kind, hash }), sharedInFile, ...(only ? { only } : {}) }
}

/** Where a row attaches to nothing, the strongest identifier that nobody has makes a product. */
function decide(
  ids: readonly Identifier[],
  found: ReturnType<typeof attached>,
  { known }: Knowledge,
  { workspace, catalog }: ResolveScope,
): { product: string; sid: string; fresh: boolean } | null {
  if (found) {
    const { sid } = productId(workspace, catalog, found.by.kind, found.by.text)
    return { product: found.product, sid, fresh: false }
  }
  const maker = ids.find((id) => !id.sharedInFile && id.only !== 'claim' && !known.has(id.key))
  if (!maker) return null
  const { id, sid } = productId(workspace, catalog, maker.kind, maker.text)
  return { product: id, sid, fresh: true }
}
