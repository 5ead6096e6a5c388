/** Opens a file of one JSON object a line as a table: its columns are all keys of the file, in order of first appearance. */
import type { CellValue } from '../../schemas/pipeline.ts'
import { idColumn } from '../../transforms/versions/export-row.ts'
import { TableError } from '../table-error.ts'
import { batchSize } from './batches.ts'
import { beginning } from './beginning.ts'
import { isBlank } from './blank.ts'
import { headerKey, repeatedHeader } from './header.ts'
import { hasVariants, mayHoldVariants } from './json/held-variants.ts'
import { openProducts } from './json/open-json.ts'
import type { Cut } from './json/walk.ts'
import { jsonRecords, type LineRecord, withoutComma } from './json-records.ts'
import { readLines } from './lines.ts'
import { nestedObjects } from './nested-objects.ts'
import type { Table, TableRow } from './table.ts'
import { takeApart } from './take-apart.ts'

const mostKeys = 2000

/**
 * @param open starts reading the file's text from its beginning
 * @param isList see `foldHeader`
 */
export async function openNdjson(
  open: () => AsyncIterable<string>,
  isList: (name: string) => boolean,
): Promise<Pick<Table, 'notes' | 'header' | 'rows'>> {
  const { keys, apart, notes, holdsVariants } = await survey(open())
  if (holdsVariants) return openProducts(() => productsOf(open()), notes)
  const { header, columns, joined } = toColumns(keys, isList)

  function toRow({ line, record }: LineRecord, row: number): TableRow | null {
    const cells = header.map((): CellValue => '')
    if (typeof record === 'string') {
      return { row, line: line.line, cells, fault: { code: 'unreadable', says: record, raw: beginning(line.text) } }
    }
    const pointed: number[] = []
    const put = (key: string, value: CellValue, isPointed: boolean, i: number) => {
      const column = header[i] === key ? i : columns.get(key)
      if (column === undefined) return
      const before = cells[column] ?? ''
      const told = pointed.indexOf(column)
      if (isPointed && told < 0) pointed.push(column)
      else if (!isPointed && told >= 0) pointed.splice(told, 1)
      cells[column] = !joined.has(column) || before === '' ? value : value === '' ? before : [before, value].flat()
    }
    record.keys.forEach((key, i) => {
      const value = record.values[i] ?? ''
      if (!record.objects[i] || typeof value !== 'string' || !apart.has(key))
        put(key, value, record.pointed.includes(i), i)
      else for (const [name, inner, isPointed] of takeApart(key, value)) put(name, inner, isPointed, -1)
    })
    if (cells.every(isBlank)) return null
    return pointed.length > 0 ? { row, line: line.line, cells, pointed } : { row, line: line.line, cells }
  }

  async function* rows(): AsyncGenerator<TableRow[]> {
    let number = 0
    for await (const records of jsonRecords(readLines(open()))) {
      let batch: TableRow[] = []
      for (const one of records) {
        const row = toRow(one, number + 1)
        if (!row) continue
        number++
        batch.push(row)
        if (batch.length < batchSize) continue
        yield batch
        batch = []
      }
      if (batch.length > 0) yield batch
    }
  }

  return { notes, header, rows }
}

/**
 * A column for each key; keys that differ only in case or blanks are one list where that takes one.
 * @throws TableError `repeated_header`
 */
function toColumns(keys: Iterable<string>, isList: (name: string) => boolean) {
  const header: string[] = []
  const columns = new Map<string, number>()
  const joined = new Set<number>()
  const known = new Map<string, number>()
  for (const key of keys) {
    const folded = headerKey(key)
    const column = known.get(folded) ?? header.length
    const first = header[column]
    if (first === undefined) header.push(key)
    else if (isList(first)) joined.add(column)
    else throw repeatedHeader([first, key], 'keys of its lines')
    known.set(folded, column)
    columns.set(key, column)
  }
  return { header, columns, joined }
}

/** A product that holds its variants is what it is in a list of them. */
async function* productsOf(text: AsyncIterable<string>): AsyncGenerator<Cut[]> {
  for await (const records of jsonRecords(readLines(text)))
    yield records.map(({ line: { line, text }, record }) =>
      typeof record === 'string' ? { line, text, fault: record } : { line, text: withoutComma(text) },
    )
}

/** One pass for the columns: no row can be aligned before the last line has been seen. */
async function survey(text: AsyncIterable<string>) {
  const columns = new Map<string, number>()
  const lastSeen: number[] = []
  const notes: string[] = []
  const objects = nestedObjects(mostKeys)
  /** By column: whether there is a value that is no object. */
  const filled: boolean[] = []
  let firstFault = ''
  let readable = 0
  let holdsVariants = false
  for await (const records of jsonRecords(readLines(text))) {
    for (const { line, record } of records) {
      if (typeof record === 'string') {
        firstFault ||= record
        continue
      }
      readable++
      holdsVariants ||= record.keys.some(mayHoldVariants) && hasVariants(line.text)
      record.keys.forEach((key, i) => {
        const column = columns.get(key) ?? columns.size
        if (column === columns.size) columns.set(key, column)
        if (lastSeen[column] === readable && notes.length === 0) {
          notes.push(
            `Line ${line.line} has the key ${JSON.stringify(key)} more than once; there and in other such lines the last value counts`,
          )
        }
        lastSeen[column] = readable
        const value = record.values[i] ?? ''
        if (record.objects[i] && typeof value === 'string') objects.see(key, value)
        else if (value !== '') filled[column] = true
      })
      if (columns.size > mostKeys) {
        throw new TableError(
          'too_many_columns',
          `The file has more than ${mostKeys} different keys by line ${line.line}; put varying names into one key's object`,
        )
      }
    }
  }
  if (columns.size > 0) {
    const found = objects.decide([...columns.keys()], filled)
    // The edits that an export of ours is read for are one of each of its rows.
    if (holdsVariants && !columns.has(idColumn)) return { ...found, notes, holdsVariants }
    return { ...found, notes: [...notes, ...found.notes], holdsVariants: false }
  }
  if (readable === 0 && firstFault)
    throw new TableError('not_a_table', `No line of the file is one JSON object. ${firstFault}`)
  throw new TableError('empty_file', 'The file has no records; send one JSON object on each line')
}
