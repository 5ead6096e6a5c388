/** Opens an XML file of products as a table: each item is a row, and all that stands in any of them is a column. */
import { TableError } from '../../table-error.ts'
import { isBlank } from '../blank.ts'
import type { Table, TableRow } from '../table.ts'
import { findItem } from './find-item.ts'
import { type Cells, type Flattening, flatten } from './flatten.ts'
import { unknownFormat, type XmlFormat, xmlFormats } from './formats.ts'
import { readItems } from './items.ts'
import { type Root, rootOf } from './root.ts'

type Opened = Pick<Table, 'notes' | 'header' | 'specified' | 'rows'>

const mostColumns = 2_000

/** @param open starts reading the file's text from its beginning */
export async function openXml(open: () => AsyncIterable<string>): Promise<Opened> {
  const root = await rootOf(open())
  const format = xmlFormats.find((known) => known.root === root.name)
  if (format) {
    const table = await openItems(open, format, root)
    if (table) return { ...table, notes: [`${format.name}: products are ${format.item}`, ...table.notes] }
  }
  const found = await findItem(open())
  const table = await openItems(open, unknownFormat(found.path), root)
  if (!table) throw new TableError('empty_file', 'The file has no products; give one element for each of them')
  return { ...table, notes: [`XML: products are ${found.path}, since ${found.reason}`, ...table.notes] }
}

/** @returns null where the file has no such item */
async function openItems(open: () => AsyncIterable<string>, format: XmlFormat, root: Root): Promise<Opened | null> {
  const columns = new Map<string, number>()
  let items = 0
  const { each, notes, isPrefixed } = reader(open, format, root)
  for await (const batch of each())
    for (const { cells, line } of batch) {
      items++
      for (const column of cells.keys()) if (!columns.has(column)) columns.set(column, columns.size)
      if (columns.size > mostColumns)
        throw new TableError(
          'too_many_columns',
          `The products have more than ${mostColumns} different fields by line ${line}; put varying names into attributes or values`,
        )
    }
  if (items === 0) return null
  const header = [...columns.keys()]

  async function* rows(): AsyncGenerator<TableRow[]> {
    let row = 0
    for await (const batch of reader(open, format, root).each()) {
      const out: TableRow[] = []
      for (const { cells: found, line } of batch) {
        const cells = header.map((column) => found.get(column) ?? '')
        if (!cells.every(isBlank)) out.push({ row: ++row, line, cells })
      }
      if (out.length > 0) yield out
    }
  }
  const { name: by, pointed } = format
  return { notes: notes(), header, rows, ...(pointed && isPrefixed() ? { specified: { by, pointed } } : {}) }
}

/** One reading of all items. */
function reader(open: () => AsyncIterable<string>, format: XmlFormat, { prefixes, google }: Root) {
  const completion = format.open(google)
  const how: Flattening = { ...format.flattening, prefixes }
  let prefixed = false
  async function* each(): AsyncGenerator<{ line: number; cells: Cells }[]> {
    const paths = new Set([format.item, ...completion.also])
    for await (const items of readItems(open(), paths)) {
      const batch: { line: number; cells: Cells }[] = []
      for (const { path, line, element } of items) {
        if (path !== format.item) {
          completion.learn(element)
          continue
        }
        prefixed ||= element.content.some((one) => typeof one !== 'string' && prefixes.has(prefixOf(one.name)))
        const cells = flatten(element, how)
        completion.complete(cells)
        batch.push({ line, cells })
      }
      yield batch
    }
  }
  return { each, notes: () => completion.notes(), isPrefixed: () => prefixed }
}

const prefixOf = (name: string) => name.slice(0, Math.max(0, name.indexOf(':')))
