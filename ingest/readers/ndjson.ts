/** Opens a file of one JSON object a line as a table: its columns are all keys of the file, in order of first appearance. */
import type { CellValue } from '../../schemas/pipeline.ts'
import { TableError } from '../table-error.ts'
import { batchSize } from './batches.ts'
import { beginning } from './beginning.ts'
import { isBlank } from './blank.ts'
import { headerKey, repeatedHeader } from './header.ts'
import type { JsonRecord } from './json-line.ts'
import { readJsonLine } from './json-line.ts'
import { jsonTexts } from './json-texts.ts'
import type { TextLine } from './lines.ts'
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
  const { keys, apart, notes } = await survey(open())
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
    for await (const lines of readLines(open())) {
      let batch: TableRow[] = []
      for (const one of eachRecord(lines)) {
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

const isEmpty = ({ text, fault }: TextLine) => fault === undefined && isBlank(text)

interface LineRecord {
  /** With the text of this record alone. */
  readonly line: TextLine
  /** A sentence where it cannot be read. */
  readonly record: JsonRecord | string
}

/** One for a line, but where several objects stand on it: each of them is one. */
function* recordsOf(line: TextLine): Generator<LineRecord> {
  if (isEmpty(line)) return
  const record = readRecord(line)
  if (typeof record !== 'string' || line.fault !== undefined) yield { line, record }
  else
    for (const text of jsonTexts(line.text)) {
      const own = { line: line.line, text: text.trim() }
      yield text.length === line.text.length ? { line, record } : { line: own, record: readRecord(own) }
    }
}

function* eachRecord(lines: readonly TextLine[]): Generator<LineRecord> {
  for (const line of lines) yield* recordsOf(line)
}

function readRecord({ line, text, fault }: TextLine): JsonRecord | string {
  if (fault !== undefined) return fault
  // Bytes that are no text: a damaged key must not become a column of the file.
  if (!text.isWellFormed()) return `Line ${line} holds bytes that are no text; save the file as UTF-8`
  const record = readJsonLine(text)
  return typeof record === 'string' ? `Line ${line} ${record}` : record
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
  for await (const lines of readLines(text)) {
    for (const { line, record } of eachRecord(lines)) {
      if (typeof record === 'string') {
        firstFault ||= record
        continue
      }
      readable++
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
    return { ...found, notes: [...notes, ...found.notes] }
  }
  if (readable === 0 && firstFault)
    throw new TableError('not_a_table', `No line of the file is one JSON object. ${firstFault}`)
  throw new TableError('empty_file', 'The file has no records; send one JSON object on each line')
}
