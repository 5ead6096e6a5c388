/** Which values of an array of objects make a column of their own, beside the array's JSON text. */
import type { CellValue } from '../../../schemas/pipeline.ts'
import { cellOf, itemsOf, type Member, membersOf } from '../json-members.ts'

interface ListRule {
  /** Keys of the array. */
  readonly of: readonly string[]
  /** The first of these keys that an object has is taken. */
  readonly take: readonly string[]
  /** Objects that say something else here are left out. */
  readonly where?: { readonly key: string; readonly is: RegExp }
}

const rules: readonly ListRule[] = [
  { of: ['images', 'pictures', 'photos', 'gallery'], take: ['imageUrl', 'src', 'url', 'href', 'link'] },
  { of: ['media'], take: ['url', 'src'], where: { key: 'type', is: /^image/i } },
  { of: ['barcodes', 'identifiers'], take: ['value'], where: { key: 'type', is: /^(?:gtin|ean|upc|isbn|jan)/i } },
  { of: ['categories'], take: ['value', 'name'] },
  // VTEX
  { of: ['referenceId'], take: ['Value'] },
]

/** VTEX has offers by seller: the default one's, else the first one's, is the product's. */
export const sellers = { of: 'sellers', first: 'sellerDefault', as: 'seller' } as const

const listRules = new Map(rules.flatMap((rule) => rule.of.map((name) => [name, rule] as const)))

/** @returns the column's last name and its cell: one text, or a list of several; null where no rule fits */
export function listIn(text: string, key: string, open: number): readonly [name: string, cell: CellValue] | null {
  const rule = listRules.get(key)
  if (!rule) return null
  const found: string[] = []
  let name = ''
  for (const { start } of itemsOf(text, open) ?? []) {
    const members = text[start] === '{' ? membersOf(text, start) : null
    if (!members || !fits(text, members, rule)) continue
    const member = rule.take.map((wanted) => members.find((one) => one.key === wanted)).find((one) => one !== undefined)
    const cell = member ? cellOf(text, member.start, member.end) : null
    if (!member || typeof cell !== 'string' || cell === '') continue
    name ||= member.key ?? ''
    found.push(cell)
  }
  const [only, ...others] = found
  return only === undefined ? null : [name, others.length > 0 ? found : only]
}

function fits(text: string, members: readonly Member[], { where }: ListRule): boolean {
  const told = where && members.find(({ key }) => key === where.key)
  if (!told) return true
  const cell = cellOf(text, told.start, told.end)
  return typeof cell === 'string' && where.is.test(cell)
}

/** Where the object of the seller that counts begins. */
export function sellerIn(text: string, open: number): number | null {
  const objects = (itemsOf(text, open) ?? []).filter(({ start }) => text[start] === '{')
  const isFirst = ({ start }: { start: number }) =>
    membersOf(text, start)?.some(({ key, start, end }) => key === sellers.first && text.slice(start, end) === 'true')
  return (objects.find(isFirst) ?? objects[0])?.start ?? null
}
