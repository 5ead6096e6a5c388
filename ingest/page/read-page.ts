/** Reads a product page: from its text and address to fields with where each was said, and what is wrong with them. */
import type { Field } from '../../schemas/product.ts'
import { absolute } from './absolute.ts'
import { chooseProduct, type Told, told } from './choose-product.ts'
import { chooseVariant } from './choose-variant.ts'
import { type Claims, type PageField, type PageNote, textFields } from './claims.ts'
import { elementsOf, type HtmlElement, htmlTree, oneLine, textOf } from './html-tree.ts'
import { itemClaims } from './item-claims.ts'
import { readJsonLd } from './json-ld.ts'
import { microdata, rdfa, readMarkup } from './markup-items.ts'
import { type Metas, metaClaims, speaksOfProduct } from './meta-claims.ts'
import { type Conflict, conflictsOf, pickPrices } from './weigh-claims.ts'

export interface PageReading {
  /** By our own names; empty where no product was found. */
  readonly fields: Readonly<Partial<Record<Field, PageField>>>
  /** Where parts of the page say different things of one field. */
  readonly conflicts: readonly Conflict[]
  readonly notes: readonly PageNote[]
  /** Why no product can be made of it. */
  readonly failed: PageNote | null
}

/** @param address from which the page came, after redirects */
export function readPage(html: string, address: string): PageReading {
  const page = factsOf(htmlTree(html))
  const base = (page.base && absolute(page.base, address)) ?? address
  const link = linkOf(page.canonical, base, address)
  const notes: PageNote[] = []
  const blocks = readJsonLd(page.scripts)
  const ways: readonly Told[] = [
    told(
      'json-ld',
      blocks.flatMap(({ items }) => items),
    ),
    told('microdata', readMarkup(page.root, microdata)),
    told('rdfa', readMarkup(page.root, rdfa)),
  ]
  const meta = metaClaims(page.metas, base)
  const names = new Set([page.heading, meta.texts.title].flatMap((name) => (name ? [name.toLowerCase()] : [])))
  const addresses = new Set([address, link, page.canonical ?? link])
  const claims: Claims[] = []
  let several = false
  for (const { source, things } of ways) {
    const product = chooseProduct(things, { addresses, names })
    if (product === 'several') several = true
    else if (product !== null) {
      const variant = chooseVariant(product, things, { asked: address, link, base })
      const read = itemClaims(source, variant, things, base)
      claims.push(read)
      if (read.texts.title) names.add(oneLine(read.texts.title).toLowerCase())
    }
  }
  for (const [i, block] of blocks.entries()) {
    const used = block.items.some(
      (item) => chooseProduct(told('json-ld', [item]).things, { addresses, names }) !== null,
    )
    if (block.broken || (block.repaired && !used)) notes.push(skipped(i + 1, block))
  }
  const failed = (code: string, says: string): PageReading => ({
    fields: {},
    conflicts: [],
    notes,
    failed: { code, says },
  })
  if (claims.length === 0 && several)
    return failed('several_products', 'The page tells of several products, and nothing says which it is about')
  if (claims.length === 0 && !speaksOfProduct(page.metas))
    return failed('no_product', 'The page tells of no product: neither JSON-LD, microdata, RDFa nor OpenGraph has one')
  claims.push(meta, { ...nothing, texts: page.heading || page.title ? { title: page.heading || page.title } : {} })
  return weigh(claims, link, notes)
}

const nothing: Claims = { source: 'page', texts: {}, images: [], price: null, original: null, sale: null, notes: [] }

/** Where parts differ, the most trusted is right, but for a price that another part calls the regular one. */
function weigh(claims: readonly Claims[], link: string, notes: PageNote[]): PageReading {
  const fields: Partial<Record<Field, PageField>> = { link: { value: link, source: 'page' } }
  for (const field of textFields) {
    const from = claims.find(({ texts }) => texts[field] !== undefined)
    if (from) fields[field] = { value: from.texts[field] ?? '', source: from.source }
  }
  const pictured = claims.find(({ images }) => images.length > 0)
  if (pictured) fields.images = { value: pictured.images, source: pictured.source }
  const prices = pickPrices(claims)
  Object.assign(fields, prices)
  notes.push(...claims.flatMap((one) => one.notes))
  const missing = fields.title === undefined ? 'title' : fields.price === undefined ? 'price' : null
  return {
    fields,
    conflicts: conflictsOf(claims, fields),
    notes,
    failed: missing === null ? null : { code: `missing_${missing}`, says: missingSays(missing, notes) },
  }
}

function missingSays(missing: string, notes: readonly PageNote[]): string {
  const several = notes.find(({ code }) => code === 'several_variants')
  const says = `The page tells of a product and gives no ${missing} for it`
  return several ? `${says}. ${several.says}` : says
}

function skipped(
  number: number,
  { broken, items }: { broken: boolean; items: readonly { types: readonly string[] }[] },
) {
  const holds = items.flatMap(({ types }) => types).slice(0, 3)
  const why = broken
    ? 'it is no JSON, and cannot be repaired'
    : `it had to be repaired, and holds ${holds.join(', ') || 'no thing'}`
  return { code: 'json_ld_skipped', says: `Block ${number} of JSON-LD was skipped: ${why}` }
}

interface Facts {
  readonly root: HtmlElement
  readonly scripts: readonly HtmlElement[]
  readonly metas: Metas
  readonly canonical: string | null
  readonly base: string | null
  readonly heading: string
  readonly title: string
}

function factsOf(root: HtmlElement): Facts {
  const scripts: HtmlElement[] = []
  const metas = new Map<string, string[]>()
  const found: { canonical?: string; base?: string; heading?: string; title?: string } = {}
  for (const element of elementsOf(root)) {
    const { name, attributes } = element
    if (name === 'script') scripts.push(element)
    else if (name === 'meta') {
      const key = (attributes.get('property') ?? attributes.get('name'))?.trim().toLowerCase()
      const content = attributes.get('content')?.trim()
      if (key !== undefined && content !== undefined) metas.set(key, [...(metas.get(key) ?? []), content].slice(0, 100))
    } else if (name === 'link') {
      if (/(?:^|\s)canonical(?:\s|$)/i.test(attributes.get('rel') ?? ''))
        found.canonical ??= attributes.get('href') ?? ''
    } else if (name === 'base') found.base ??= attributes.get('href') ?? ''
    else if (name === 'h1') found.heading ||= textOf(element)
    else if (name === 'title') found.title ??= textOf(element)
  }
  const { canonical = null, base = null, heading = '', title = '' } = found
  return { root, scripts, metas, canonical, base, heading, title }
}

/** A page may say where it lives only on its own host: else any page could pass for another shop's. */
function linkOf(canonical: string | null, base: string, address: string): string {
  const own = new URL(address)
  own.hash = ''
  const said = canonical ? URL.parse(absolute(canonical, base) ?? '') : null
  if (!said || said.host.replace(/^www\./, '') !== own.host.replace(/^www\./, '')) return own.href
  said.hash = ''
  return said.href
}
