/** Reads a Parquet file through DuckDB, every value as the text that it is written as. */
import { randomUUID } from 'node:crypto'
import type { CellValue } from '../../schemas/pipeline.ts'
import { damageIn } from '../encoding/damage.ts'
import { markedUtf8 } from '../encoding/marked-utf8.ts'
import { openScratch, type Scratch } from '../scratch.ts'
import { TableError } from '../table-error.ts'
import type { RawRow } from './aligned-rows.ts'
import { markedJson, nestedCell } from './columnar-cell.ts'
import { footerNames, withTextsAsBytes } from './parquet-bytes.ts'
import { type FloatType, floatText, floatTypes } from './stored-float.ts'

export interface ParquetTable {
  readonly names: readonly string[]
  rows(): AsyncGenerator<RawRow[]>
}

/** A column's pages are read whole: programs write row groups of 128 MB, and some of a million rows. */
const memoryMb = 384

interface Column {
  readonly name: string
  /** As DuckDB calls it. */
  readonly type: string
  /** Lists and structs come as JSON. */
  readonly nested: boolean
  /** Its values have a decimal point. */
  readonly pointed: boolean
  /** A column of whole numbers is of one of these where some are missing. Of a nested one: what all its floats are. */
  readonly float: FloatType | undefined
}

interface Stored {
  readonly name: string
  /** All its numbers that are no integers are floats of 16 bits, which DuckDB has none of. */
  readonly half: boolean
}

export async function readParquet(path: string): Promise<ParquetTable> {
  const stored = await storedColumns(path).catch(async (error: unknown) => {
    throw (await damagedName(path)) ?? error
  })
  const names = stored.map(({ name }) => name)
  const found = await columnsOf(textSource(path), path)
  const columns = found.map((column, i) => (stored[i]?.half ? { ...column, float: floatTypes.half } : column))
  const pointed = columns.flatMap((column, i) => (column.pointed ? [i] : []))

  let total = 0
  const counted = `select sum(num_rows)::bigint from parquet_file_metadata(${quoted(path)})`
  for await (const rows of scratched(path, (scratch) => scratch.stream(counted))) total = Number(rows[0]?.[0] ?? 0)

  let damaged = false
  async function* cellsOf(): AsyncGenerator<CellValue[][]> {
    let given = 0
    try {
      if (!damaged)
        for await (const rows of textRows(path, columns)) {
          yield rows
          given += rows.length
        }
    } catch (error) {
      if (!noText.test(String(error))) throw error
      damaged = true
    }
    if (!damaged) return
    let begun = false
    for await (const rows of byteRows(path, columns)) {
      begun = true
      const rest = rows.slice(given)
      given -= rows.length - rest.length
      if (rest.length > 0) yield rest
    }
    if (!begun) throw await damagedColumn(path, columns)
  }

  async function* rows(): AsyncGenerator<RawRow[]> {
    let line = 0
    for await (const batch of cellsOf()) yield batch.map((cells) => ({ line: ++line, pointed, cells }))
    // DuckDB ends a stream that it has no memory for as if there were no more rows.
    if (line !== total) {
      const says = `The file has ${total} rows and only ${line} could be read; write it with smaller row groups, of 100,000 rows or fewer`
      throw new TableError('too_large', says)
    }
  }
  return { names, rows }
}

/** What DuckDB says of bytes that are no UTF-8, and of a text that is declared as JSON and is none. */
const noText = /not valid UTF8|Invalid JSON found in Parquet/

const quoted = (path: string) => `'${path.replaceAll("'", "''")}'`
const textSource = (path: string) => `read_parquet(${quoted(path)}, binary_as_string = true, hive_partitioning = false)`
const byteSource = (path: string) =>
  `read_parquet(${quoted(path)}, binary_as_string = false, hive_partitioning = false)`

async function columnsOf(source: string, path: string): Promise<Column[]> {
  const columns: Column[] = []
  for await (const rows of scratched(path, (scratch) => scratch.stream(`describe select * from ${source}`)))
    for (const [name, type] of rows)
      columns.push({
        name: String(name),
        type: String(type),
        nested: /\[|^(STRUCT|MAP|UNION)/.test(String(type)),
        float: type === 'DOUBLE' ? floatTypes.double : type === 'FLOAT' ? floatTypes.single : undefined,
        pointed: /^(?:DECIMAL\(\d+,\d+\)|DOUBLE|FLOAT)$/.test(String(type)),
      })
  return columns
}

const selected = ({ name, nested, type }: Column) => {
  const column = `"${name.replaceAll('"', '""')}"`
  if (!nested) return `${column}::varchar`
  // As a double, 12.34 of 32 bits would be 12.34000015258789; its text is the shortest.
  const [texts, doubles] = ['VARCHAR', 'DOUBLE'].map((as) =>
    type.replace(floats, (one) => (one === 'FLOAT' ? as : one)),
  )
  return `to_json(${texts === type ? column : `${column}::${texts}::${doubles}`})::varchar`
}

/** In the name of a type, where it is no name of a member. */
const floats = /"(?:[^"]|"")*"|'(?:[^']|'')*'|\bFLOAT(?=[,)[]|$)/g

async function* textRows(path: string, columns: readonly Column[]): AsyncGenerator<CellValue[][]> {
  const select = `select ${columns.map(selected).join(', ')} from ${textSource(path)}`
  for await (const rows of scratched(path, (scratch) => scratch.stream(select)))
    yield rows.map((values) => values.map((value, i) => cellOf(value, columns[i])))
}

/** DuckDB refuses a whole file for one byte that is no text, and names neither its column nor its row: here each is looked at. */
async function* byteRows(path: string, columns: readonly Column[]): AsyncGenerator<CellValue[][]> {
  yield* withTextsAsBytes(path, async function* (copy) {
    const types = (await columnsOf(byteSource(copy), path)).map(({ type }) => type)
    const isText = columns.map(({ type }, i) => type !== 'BLOB' && types[i] === 'BLOB')
    const wanted = columns.map((column, i) => (isText[i] ? `"${column.name.replaceAll('"', '""')}"` : selected(column)))
    const select = `select ${wanted.join(', ')} from ${byteSource(copy)}`
    const asText = (value: unknown, i: number) =>
      value instanceof Uint8Array
        ? markedUtf8(value)
        : columns[i]?.nested && value !== null
          ? unescaped(String(value))
          : value
    for await (const rows of scratched(path, (scratch) => scratch.stream<unknown>(select)))
      yield rows.map((values) => values.map((value, i) => cellOf(asText(value, i), columns[i])))
  })
}

/** Where rows cannot be told apart. */
async function damagedColumn(path: string, columns: readonly Column[]): Promise<TableError> {
  const found: string[] = []
  for (const column of columns)
    try {
      const select = `select ${selected(column)} from ${textSource(path)}`
      for await (const _ of scratched(path, (scratch) => scratch.stream(select)));
    } catch (error) {
      if (!noText.test(String(error))) throw error
      found.push(JSON.stringify(column.name))
    }
  const says = `Texts of the column ${found.join(', ')} are not valid UTF-8; write that as text in UTF-8, or leave it out`
  return new TableError('not_text', says)
}

function cellOf(value: unknown, column: Column | undefined): CellValue {
  if (value === null || value === undefined) return ''
  const text = String(value)
  if (column?.nested) return nestedCell(hasFloats.test(column.type) ? nestedText(text, column.float) : text)
  return column?.float ? storedText(text, column.float) : text
}

/** DuckDB gives whole numbers a fraction of zero, and digits that nobody knows. */
function storedText(text: string, type: FloatType): string {
  const value = type.round(Number(text))
  return Number.isInteger(value) || type === floatTypes.half ? floatText(value, type) : text
}

const hasFloats = /\b(?:FLOAT|DOUBLE)\b/
const numbersIn = /"(?:[^"\\]|\\.)*"|NaN|-?Infinity|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g

/**
 * The numbers of a JSON text without a fraction of zero: a trade item number that a program kept as a double has one. What is no number
 * is none in JSON either.
 */
const nestedText = (json: string, type: FloatType | undefined) =>
  json.replace(numbersIn, (found) => {
    if (/^-?[NI]/.test(found)) return 'null'
    if (found[0] === '"' || !/[.eE]/.test(found)) return found
    return type ? String(Number(floatText(type.round(Number(found)), type))) : found.replace(/\.0$/, '')
  })

/** DuckDB writes bytes that are not plain ASCII as `\xC3`, a backslash too, so that in JSON nothing else looks like it. */
const unescaped = (json: string) =>
  json.replace(/(?:\\\\x[0-9A-F]{2})+/g, (escapes) =>
    markedJson(markedUtf8(Buffer.from(escapes.replaceAll('\\\\x', ''), 'hex'))).slice(1, -1),
  )

/** As the file has them: DuckDB's own names are made different where only case tells two apart. */
async function storedColumns(path: string): Promise<Stored[]> {
  const columns: { name: string; leaves: string[] }[] = []
  /** Elements that are still to come within each open group; the first row is the group of all columns. */
  const open: number[] = []
  const wanted = `select name, coalesce(num_children, 0)::integer, coalesce(logical_type::varchar, type, '') from parquet_schema(${quoted(path)})`
  for await (const rows of scratched(path, (scratch) => scratch.stream(wanted)))
    for (const [name, children, type] of rows) {
      if (open.length === 1) columns.push({ name: String(name), leaves: [] })
      if (Number(children) === 0) columns.at(-1)?.leaves.push(String(type))
      if (open.length > 0) open[open.length - 1] = (open.at(-1) ?? 0) - 1
      if (Number(children) > 0) open.push(Number(children))
      while (open.length > 1 && open.at(-1) === 0) open.pop()
    }
  return columns.map(({ name, leaves }) => {
    const numbers = leaves.filter((type) => /^(?:FLOAT|DOUBLE|Float16|Decimal)/.test(type))
    return { name, half: numbers.length > 0 && numbers.every((type) => type.startsWith('Float16')) }
  })
}

/** DuckDB refuses the file and says nothing of where. @returns null where all names are text */
async function damagedName(path: string): Promise<TableError | null> {
  const damage = (await footerNames(path))
    .map((name) => damageIn(markedUtf8(name), 'utf-8'))
    .find((one) => one !== null)
  if (!damage) return null
  return new TableError('not_text', `In the name of a column ${damage}; write names as text in UTF-8`)
}

/** A DuckDB of its own for each reading, gone with it. */
async function* scratched<T>(path: string, read: (scratch: Scratch) => AsyncIterable<T>): AsyncGenerator<T> {
  const scratch = openScratch(`${path}.${randomUUID()}.duckdb`, memoryMb)
  try {
    yield* read(scratch)
  } finally {
    await scratch.close()
  }
}
