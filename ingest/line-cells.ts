/** The cells that our readers make of a line of a feed of ours, whichever form it was written in: by these a file is known to say what our feed says. */
import { acpRoot } from '../schemas/feeds/acp-xml.ts'
import type { FeedProfile } from '../schemas/feeds/profile.ts'
import { textCells } from '../schemas/feeds/text-cells.ts'
import type { CellValue } from '../schemas/pipeline.ts'
import { readProduct } from './readers/json/product-rows.ts'
import { acpAmountCells } from './readers/xml/acp-amounts.ts'
import type { Element } from './readers/xml/element.ts'
import type { Attribute } from './readers/xml/events.ts'
import { unknownFormat, xmlFormats } from './readers/xml/formats.ts'
import { itemRows } from './readers/xml/item-rows.ts'

type Line = Readonly<Record<string, unknown>>
/** By column, what stands in it in one form or another. */
export type LineCells = ReadonlyMap<string, readonly CellValue[]>

/** The platforms' own documents, by their root. */
const roots: Readonly<Record<string, string>> = {
  acp: acpRoot,
  heureka: 'SHOP',
  yandex: 'yml_catalog',
}

export function lineCells(
  { platform, columns, xml, table }: FeedProfile,
  line: Line,
  category: readonly string[],
): LineCells {
  const found = new Map<string, CellValue[]>()
  const add = (column: string, value: CellValue) => found.set(column, [...(found.get(column) ?? []), value])
  const product = readProduct(JSON.stringify(line), { flat: true, minor: platform === 'acp' })
  if (typeof product !== 'string')
    for (const { names, cells } of product.rows.slice(0, 1))
      for (const [n, name] of names.entries()) add(name, cells[n] ?? '')
  const { flattening, flat = false } =
    xmlFormats.find(({ root }) => root === roots[platform]) ?? unknownFormat(xml.item)
  const item = elementOf(xml.item, line, xml.attributes ?? {})
  // What other formats say elsewhere is added below.
  const complete = platform === 'acp' ? acpAmountCells : () => {}
  const [row] = itemRows(item, { ...flattening, prefixes: new Set() }, complete, flat).rows()
  for (const [column, value] of row?.cells ?? []) add(column, value)
  for (const [n, text] of textCells({ columns, table })(line).entries()) add(columns[n] ?? '', text)
  // Yandex's offers name a category by its number, which the document tells beside them.
  if (category.length > 0) add('category', category.join(' > '))
  return found
}

function elementOf(name: string, value: Line, attributes: NonNullable<FeedProfile['xml']['attributes']>): Element {
  const own = attributes[name] ?? []
  const said = Object.entries(value).filter(([, one]) => one !== null && one !== undefined)
  const content = said.flatMap(([key, one]): (Element | string)[] => {
    if (own.includes(key)) return []
    if (own.length > 0 && key === 'value') return [String(one)]
    return [one].flat().map((each) => childOf(key, each, attributes))
  })
  const named = said.flatMap(([key, one]): Attribute[] => (own.includes(key) ? [[key, String(one)]] : []))
  return { name, line: 0, attributes: named, content }
}

const childOf = (name: string, value: unknown, attributes: NonNullable<FeedProfile['xml']['attributes']>): Element =>
  typeof value === 'object' && value !== null
    ? elementOf(name, value as Line, attributes)
    : { name, line: 0, attributes: [], content: [String(value)] }
