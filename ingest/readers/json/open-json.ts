/** Opens a JSON document as a table: its products, however deep they stand in it, one row for each or for each of their variants. */
import type { CellValue } from '../../../schemas/pipeline.ts'
import { TableError } from '../../table-error.ts'
import { batchSize } from '../batches.ts'
import { beginning } from '../beginning.ts'
import { isBlank } from '../blank.ts'
import { lackingColumns, onlyVariant } from '../nested/only-variant.ts'
import { type VariantCount, variantsNote } from '../nested/variants-note.ts'
import type { Table, TableRow } from '../table.ts'
import { isAcpProduct } from './acp.ts'
import { openRows } from './array-rows.ts'
import { type Choice, eachMember, type Step } from './choose.ts'
import { objectsWithin } from './objects-within.ts'
import { type Form, type ProductRow, readProduct } from './product-rows.ts'
import { type Cut, type Guide, walkJson } from './walk.ts'

type Opened = Pick<Table, 'notes' | 'header' | 'rows'>

const mostColumns = 2_000

/** @param open starts reading the document's text from its beginning */
export async function openJson(open: () => AsyncIterable<string>, choice: Choice): Promise<Opened> {
  const cuts = () => walkJson(open(), guideTo(choice.path))
  if (choice.of === 'rows') return openRows(cuts, choice.notes)
  return openProducts(() => eachAlone(cuts()), choice.notes)
}

/** @param cuts starts reading the products' texts from the first */
export async function openProducts(
  cuts: () => AsyncIterable<readonly Cut[]>,
  chosen: readonly string[],
): Promise<Opened> {
  const flat = await surveyColumns(cuts, true)
  const found = flat ?? (await surveyColumns(cuts, false))
  if (!found)
    throw new TableError(
      'too_many_columns',
      `The products have more than ${mostColumns} different keys; put varying names into one key's object`,
    )
  const { columns, form, nested, repeated } = found
  const header = [...columns.keys()]
  const plain = [...nested.keys()].flatMap((key) => [...onlyVariant(columns, key)])

  function toRow(
    { names, cells: values, pointed: numbers, down }: ProductRow,
    line: number,
    row: number,
    alone: boolean,
  ): TableRow | null {
    const cells = header.map((): CellValue => '')
    const found = new Set<number>()
    names.forEach((name, i) => {
      const column = columns.get(name)
      if (column === undefined) return
      cells[column] = values[i] ?? ''
      if (numbers[i]) found.add(column)
      else found.delete(column)
    })
    // Beside products with variants, one without is its own only variant.
    if (alone)
      for (const [column, from] of plain) {
        cells[column] = cells[from] ?? ''
        if (found.has(from)) found.add(column)
      }
    if (cells.every(isBlank)) return null
    return { row, line: line + down, cells, ...(found.size > 0 ? { pointed: [...found] } : {}) }
  }

  function* rowsOf(cut: Cut, number: number): Generator<TableRow> {
    const product = cut.fault === undefined ? readProduct(cut.text, form) : cut.fault
    if (typeof product === 'string') {
      const says = cut.fault ?? `Line ${cut.line} ${product}`
      const fault = { code: 'unreadable', says, raw: beginning(cut.text) } as const
      yield { row: number + 1, line: cut.line, cells: header.map(() => ''), fault }
      return
    }
    let row = number
    for (const one of product.rows) {
      const found = toRow(one, cut.line, row + 1, product.variants === null)
      if (!found) continue
      row++
      yield found
    }
  }

  async function* rows(): AsyncGenerator<TableRow[]> {
    let number = 0
    let batch: TableRow[] = []
    for await (const found of cuts()) {
      for (const cut of found) {
        for (const row of rowsOf(cut, number)) {
          number++
          batch.push(row)
          if (batch.length < batchSize) continue
          yield batch
          batch = []
        }
      }
    }
    if (batch.length > 0) yield batch
  }

  const notes = [
    ...chosen,
    ...(flat ? [] : [`nested objects are left as JSON text, since they have more than ${mostColumns} different keys`]),
    ...(form.minor ? ['amounts are in minor units, as in all feeds of the Agentic Commerce Protocol'] : []),
    ...[...nested].map(([key, count]) => variantsNote(key, count)),
    ...(repeated ? [repeated] : []),
  ]
  return { notes, header, rows }
}

/** Beside products there may be lists of them. */
async function* eachAlone(cuts: AsyncIterable<readonly Cut[]>): AsyncGenerator<readonly Cut[]> {
  for await (const batch of cuts)
    yield batch.some(({ text }) => text.startsWith('[')) ? batch.flatMap(objectsWithin) : batch
}

/** Leads to one place and passes everything else over. */
function guideTo(path: readonly Step[]): Guide<number> {
  return {
    file: 0,
    lenient: false,
    look(depth, key, first) {
      const step = path[depth]
      if (step === eachMember ? key === null || first !== '{' : step !== key) return null
      if (depth + 1 === path.length) return 'cut'
      return first === (path[depth + 1] === null ? '[' : '{') ? depth + 1 : null
    },
  }
}

/** One pass for the columns: no row can be aligned before the last product has been seen. Null where they have no end. */
async function surveyColumns(cuts: () => AsyncIterable<readonly Cut[]>, flat: boolean) {
  const columns = new Map<string, number>()
  const nested = new Map<string, VariantCount>()
  const own = new Set<string>()
  let acp = true
  let firstFault = ''
  let filled = 0
  let repeated = ''
  for await (const batch of cuts()) {
    for (const cut of batch) {
      const product = cut.fault === undefined ? readProduct(cut.text, { flat, minor: false }) : cut.fault
      if (typeof product === 'string') {
        firstFault ||= cut.fault ?? `Line ${cut.line} ${product}`
        continue
      }
      acp &&= isAcpProduct(product.value)
      if (product.variants !== null) countVariants(nested, product.variants, product.rows.length)
      for (const { names, cells, down } of product.rows) {
        if (!cells.every(isBlank)) filled++
        for (const name of names) {
          if (!columns.has(name)) columns.set(name, columns.size)
          if (product.variants === null) own.add(name)
        }
        if (repeated === '' && new Set(names).size < names.length) repeated = repeatedNote(names, cut.line + down)
      }
      if (columns.size > mostColumns) return null
    }
  }
  if (filled === 0) throw nothingRead(firstFault)
  const [variants] = nested.keys()
  if (variants !== undefined) for (const name of lackingColumns(columns, own, variants)) columns.set(name, columns.size)
  const form: Form = { flat, minor: flat && acp }
  if (form.minor)
    for (const name of ['price', 'list_price'].map((key) => `variants.${key}`))
      if (columns.has(`${name}.amount`)) columns.set(name, columns.size)
  return { columns, form, nested, repeated }
}

function countVariants(nested: Map<string, VariantCount>, key: string, variants: number) {
  const count = nested.get(key) ?? { products: 0, variants: 0 }
  nested.set(key, { products: count.products + 1, variants: count.variants + variants })
}

function repeatedNote(names: readonly string[], line: number): string {
  const twice = names.find((name, i) => names.indexOf(name) < i)
  return `Line ${line} has the key ${JSON.stringify(twice)} more than once; there and in other such products the last value counts`
}

function nothingRead(firstFault: string): TableError {
  if (firstFault !== '')
    return new TableError('not_a_table', `No product of the JSON document can be read. ${firstFault}`)
  return new TableError('empty_file', 'The JSON document has no products; give one object for each')
}
