/** Opens an XML file of products as a table: each item is a row, or several where it holds variants, and all that stands in any of them is a column. */
import { mapHeader } from '../../../transforms/silver/mapping.ts'
import { TableError } from '../../table-error.ts'
import { batchSize } from '../batches.ts'
import { isBlank } from '../blank.ts'
import { lackingColumns, onlyVariant } from '../nested/only-variant.ts'
import { type VariantCount, variantsNote } from '../nested/variants-note.ts'
import type { Table, TableRow } from '../table.ts'
import { findItem } from './find-item.ts'
import type { Flattening } from './flatten.ts'
import { unknownFormat, type XmlFormat, xmlFormats } from './formats.ts'
import { type ItemRow, type ItemRows, itemRows, variantsKey } from './item-rows.ts'
import { readItems, type Unheld } from './items.ts'
import { type Root, rootOf } from './root.ts'
import { saysTooLong, tooLong } from './too-long.ts'
import { unknownReferences } from './unknown-references.ts'

type Opened = Pick<Table, 'notes' | 'header' | 'specified' | 'rows'>

const mostColumns = 2_000

/** @param open starts reading the file's text from its beginning */
export async function openXml(open: () => AsyncIterable<string>): Promise<Opened> {
  const root = await rootOf(open())
  const format = xmlFormats.find((known) => known.root === root.name)
  if (format) {
    const table = await openItems(open, format, root)
    if (table)
      return { ...table, notes: [`${nameOf(format, table.header)}: products are ${format.item}`, ...table.notes] }
  }
  const found = await findItem(open())
  const table = await openItems(open, unknownFormat(found.path), root)
  if (!table) throw new TableError('empty_file', 'The file has no products; give one element for each of them')
  return { ...table, notes: [`XML: products are ${found.path}, since ${found.reason}`, ...table.notes] }
}

const nameOf = ({ name, or }: XmlFormat, header: readonly string[]) =>
  or && mapHeader(header).platform === or.platform ? or.name : name

/** @returns null where the file has no such item */
async function openItems(open: () => AsyncIterable<string>, format: XmlFormat, root: Root): Promise<Opened | null> {
  const { items, readable, first, columns, lists, notes, isPrefixed } = await survey(open, format, root)
  if (items === 0) return null
  if (first && readable === 0)
    throw new TableError('too_large', `No product of the file can be read. ${saysTooLong(first)}`)
  const header = [...columns.keys()]
  const plain = lists.size > 0 ? [...onlyVariant(columns, variantsKey)] : []

  function toCells({ cells: found }: ItemRow, alone: boolean) {
    const cells = header.map((column) => found.get(column) ?? '')
    if (alone) for (const [column, from] of plain) cells[column] = cells[from] ?? ''
    return cells
  }

  async function* rows(): AsyncGenerator<TableRow[]> {
    let row = 0
    let out: TableRow[] = []
    for await (const batch of reader(open, format, root).each())
      for (const { list, rows, unheld } of batch)
        for (const one of rows()) {
          const cells = toCells(one, list === null)
          if (unheld) out.push({ row: ++row, line: one.line, ...tooLong(unheld, cells, header) })
          else if (!cells.every(isBlank)) out.push({ row: ++row, line: one.line, cells })
          if (out.length < batchSize) continue
          yield out
          out = []
        }
    if (out.length > 0) yield out
  }
  const { name: by, pointed } = format
  return { notes, header, rows, ...(pointed && isPrefixed ? { specified: { by, pointed } } : {}) }
}

/** One pass for the columns: no row can be aligned before the last item has been seen. */
async function survey(open: () => AsyncIterable<string>, format: XmlFormat, root: Root) {
  let items = 0
  let readable = 0
  let first: Unheld | undefined
  const columns = new Map<string, number>()
  const lists = new Map<string, VariantCount>()
  /** Of products without variants. */
  const own = new Set<string>()
  const { each, notes, isPrefixed } = reader(open, format, root)
  for await (const batch of each())
    for (const { list, rows, unheld } of batch) {
      items++
      if (!unheld) readable++
      first ??= unheld
      const count = list === null ? null : (lists.get(list) ?? { products: 0, variants: 0 })
      if (list !== null && count !== null) lists.set(list, count)
      if (count) count.products++
      for (const { cells, line } of rows()) {
        if (count) count.variants++
        for (const column of cells.keys()) {
          if (!columns.has(column)) columns.set(column, columns.size)
          if (!count) own.add(column)
        }
        if (columns.size > mostColumns)
          throw new TableError(
            'too_many_columns',
            `The products have more than ${mostColumns} different fields by line ${line}; put varying names into attributes or values`,
          )
      }
    }
  if (lists.size > 0) for (const column of lackingColumns(columns, own, variantsKey)) columns.set(column, columns.size)
  return {
    items,
    readable,
    first,
    columns,
    lists,
    notes: [...[...lists].map(([list, count]) => variantsNote(list, count)), ...notes()],
    isPrefixed: isPrefixed(),
  }
}

/** One reading of all items. */
function reader(open: () => AsyncIterable<string>, format: XmlFormat, { prefixes, google }: Root) {
  const completion = format.open(google)
  const how: Flattening = { ...format.flattening, prefixes }
  let prefixed = false
  const references = unknownReferences()
  async function* each() {
    const paths = new Set([format.item, ...completion.also])
    for await (const items of readItems(open(), paths, references.take)) {
      const batch: (ItemRows & { readonly unheld: Unheld | undefined })[] = []
      for (const { path, element, unheld } of items) {
        if (path !== format.item) {
          if (!unheld) completion.learn(element)
          continue
        }
        prefixed ||= element.content.some((one) => typeof one !== 'string' && prefixes.has(prefixOf(one.name)))
        batch.push({
          ...itemRows(element, how, completion.complete, format.flat ?? false),
          unheld,
        })
      }
      yield batch
    }
  }
  return { each, notes: () => [...completion.notes(), ...references.notes()], isPrefixed: () => prefixed }
}

const prefixOf = (name: string) => name.slice(0, Math.max(0, name.indexOf(':')))
