/** The identifiers that a row has, strongest first, in the form in which two rows are compared (DESIGN 5.3). */
import { hash } from 'node:crypto'
import { blank } from '../schemas/feeds/blank.ts'
import type { CellValue } from '../schemas/pipeline.ts'
import { gtin14, isRestricted, readGtin } from '../transforms/silver/gtin.ts'
import { isBlank } from '../transforms/silver/placeholders.ts'
import { readIdentifier } from '../transforms/silver/text.ts'

/** Numbers of the kinds as product_identity stores them; the order is the order in which they decide. */
export const kinds = {
  id: 1,
  sku: 2,
  sourceId: 3,
  family: 4,
  gtin: 5,
  mpnBrand: 6,
  url: 7,
  row: 8,
  random: 9,
} as const
export type Kind = (typeof kinds)[keyof typeof kinds]

export interface Identifiers {
  readonly sku: string | null
  readonly sourceId: string | null
  /** The family's key, with the source where the key means something only there. */
  readonly family: string | null
  /** Sorted `name=value` of the options, '' for none; `null` without a family. A parent's is `parent`. */
  readonly options: string | null
  readonly gtin: string | null
  readonly mpnBrand: string | null
  readonly url: string | null
  /** By what files of one shop that know it by nothing else name a product whose options they have. */
  readonly owner?: { readonly text: string; readonly claims: boolean }
}

export interface IdentityText {
  readonly kind: Kind
  readonly text: string
  /** `claim` leads nowhere: it says that a file of products has this owner, and then `unclaimed` decides nothing for another. */
  readonly only?: 'unclaimed' | 'claim'
}

/** Unit separator: stands in no cell that people type. */
export const unit = '\u001f'

/** The form in which identifiers are compared is the one that is stored: two products must never show one SKU that identity took for two (KF-11). */
export function tidy(value: CellValue | undefined): string | null {
  if (value === undefined) return null
  // Of a list the first that says something, as silver reads it.
  return readIdentifier(typeof value === 'string' ? value : (value.find((text) => !blank(text)) ?? ''))
}

/** The same, but for what only stands where a value is missing: "N/A" on two rows does not make them one product. */
export function identifying(value: CellValue | undefined): string | null {
  const text = tidy(value)
  return text === null || isBlank(text) ? null : text
}

/**
 * GTIN-14 of the number that silver reads, where it is neither placeholder nor restricted; else no identifier (KF-09, KF-10).
 * @param column see `readGtin`
 */
export function identifyingGtin(value: CellValue | undefined, column = ''): string | null {
  const text = tidy(value)
  if (text === null) return null
  const full = gtin14(text) ?? gtin14(readGtin(text, column).value ?? '')
  return full === null || isRestricted(full) ? null : full
}

/** Options in one comparable text. */
export function optionsText(options: Readonly<Record<string, string>>): string {
  return Object.entries(options)
    .map(([name, value]) => `${name.toLowerCase()}=${value}`)
    .sort()
    .join(unit)
}

/** The value of each identifier that a row has, as (kind, text); sources are part of the texts that mean something only in one source. */
export function identityTexts(ids: Identifiers, source: string): IdentityText[] {
  const found: IdentityText[] = []
  if (ids.sku !== null) found.push({ kind: kinds.sku, text: ids.sku })
  if (ids.sourceId !== null) found.push({ kind: kinds.sourceId, text: `${source}${unit}${ids.sourceId}` })
  if (ids.owner !== undefined) {
    const { text, claims } = ids.owner
    found.push({ kind: kinds.family, text: `${text}${unit}parent`, ...(claims ? { only: 'unclaimed' } : {}) })
    if (claims) found.push({ kind: kinds.family, text: `${text}${unit}claim`, only: 'claim' })
  }
  if (ids.family !== null) found.push({ kind: kinds.family, text: `${ids.family}${unit}${ids.options ?? ''}` })
  if (ids.gtin !== null) found.push({ kind: kinds.gtin, text: ids.gtin })
  if (ids.mpnBrand !== null) found.push({ kind: kinds.mpnBrand, text: ids.mpnBrand })
  if (ids.url !== null) found.push({ kind: kinds.url, text: ids.url })
  return found
}

/** First 16 bytes of a SHA-256, as hex: what product_identity compares. */
export function valueHash(kind: Kind, text: string): string {
  return hash('sha256', `${kind}${unit}${text}`, 'hex').slice(0, 32)
}

/** Kind and hash in one, for maps. */
export const identityKey = ({ kind, hash }: { readonly kind: number; readonly hash: string }) => `${kind}:${hash}`

/** `sid` is the SHA-256 over workspace, catalog and the deciding identifier; the product id is a UUIDv8 of its first 16 bytes, with the kind in the low bits of byte 6. */
export function productId(workspace: string, catalog: string, kind: Kind, text: string): { id: string; sid: string } {
  const sid = hash('sha256', `${workspace}${unit}${catalog}${unit}${kind}${unit}${text}`, 'hex')
  const variant = ((Number.parseInt(sid.slice(16, 18), 16) & 0x3f) | 0x80).toString(16)
  const id = `${sid.slice(0, 8)}-${sid.slice(8, 12)}-8${kind.toString(16)}${sid.slice(14, 16)}-${variant}${sid.slice(18, 20)}-${sid.slice(20, 32)}`
  return { id, sid }
}

/** The kind of identifier that decided when this product was made. */
export const decidingKind = (id: string): Kind => Number.parseInt(id.charAt(15), 16) as Kind
