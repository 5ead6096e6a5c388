/** Reads a Parquet file through DuckDB, every value as the text that it is written as. */
import { randomUUID } from 'node:crypto'
import type { CellValue } from '../../schemas/pipeline.ts'
import { openScratch, type Scratch } from '../scratch.ts'
import { TableError } from '../table-error.ts'
import type { RawRow } from './aligned-rows.ts'
import { cellOf } from './columnar-cell.ts'
import { wholeNumber } from './whole-number.ts'

export interface ParquetTable {
  readonly names: readonly string[]
  rows(): AsyncGenerator<RawRow[]>
}

/** A column's pages are read whole: programs write row groups of 128 MB, and some of a million rows. */
const memoryMb = 384

interface Column {
  readonly name: string
  /** Lists and structs come as JSON. */
  readonly nested: boolean
  /** Its values have a decimal point. */
  readonly pointed: boolean
  /** A column of whole numbers is one of these where some are missing. */
  readonly double: boolean
}

export async function readParquet(path: string): Promise<ParquetTable> {
  const source = `read_parquet('${path.replaceAll("'", "''")}', binary_as_string = true, hive_partitioning = false)`
  const columns: Column[] = []
  for await (const rows of scratched(path, (scratch) => scratch.stream(`describe select * from ${source}`)))
    for (const [name, type] of rows)
      columns.push({
        name: String(name),
        nested: /\[|^(STRUCT|MAP|UNION)/.test(String(type)),
        double: /^(?:DOUBLE|FLOAT)$/.test(String(type)),
        pointed: /^(?:DECIMAL\(\d+,\d+\)|DOUBLE|FLOAT)$/.test(String(type)),
      })
  const pointed = columns.flatMap((column, i) => (column.pointed ? [i] : []))
  const names = await namesOf(path)

  let total = 0
  const counted = `select sum(num_rows)::bigint from parquet_file_metadata('${path.replaceAll("'", "''")}')`
  for await (const rows of scratched(path, (scratch) => scratch.stream(counted))) total = Number(rows[0]?.[0] ?? 0)

  async function* rows(): AsyncGenerator<RawRow[]> {
    const wanted = columns.map(({ name, nested }) => {
      const quoted = `"${name.replaceAll('"', '""')}"`
      return nested ? `to_json(${quoted})::varchar` : `${quoted}::varchar`
    })
    let line = 0
    for await (const batch of scratched(path, (scratch) =>
      scratch.stream(`select ${wanted.join(', ')} from ${source}`),
    ))
      yield batch.map((values) => ({
        line: ++line,
        pointed,
        cells: values.map((value, i): CellValue => {
          if (value === null) return ''
          const text = String(value)
          if (columns[i]?.nested) return cellOf(JSON.parse(text))
          return (columns[i]?.double && wholeNumber(text)) || text
        }),
      }))
    // DuckDB ends a stream that it has no memory for as if there were no more rows.
    if (line !== total) {
      const says = `The file has ${total} rows and only ${line} could be read; write it with smaller row groups, of 100,000 rows or fewer`
      throw new TableError('too_large', says)
    }
  }
  return { names, rows }
}

/** As the file has them: DuckDB's own names are made different where only case tells two apart. */
async function namesOf(path: string): Promise<string[]> {
  const names: string[] = []
  /** Elements that are still to come within each open group; the first row is the group of all columns. */
  const open: number[] = []
  const wanted = `select name, coalesce(num_children, 0)::integer from parquet_schema('${path.replaceAll("'", "''")}')`
  for await (const rows of scratched(path, (scratch) => scratch.stream(wanted)))
    for (const [name, children] of rows) {
      if (open.length === 1) names.push(String(name))
      if (open.length > 0) open[open.length - 1] = (open.at(-1) ?? 0) - 1
      if (Number(children) > 0) open.push(Number(children))
      while (open.length > 1 && open.at(-1) === 0) open.pop()
    }
  return names
}

/** A DuckDB of its own for each reading, gone with it. */
async function* scratched<T>(path: string, read: (scratch: Scratch) => AsyncIterable<T>): AsyncGenerator<T> {
  const scratch = await openScratch(`${path}.${randomUUID()}.duckdb`, memoryMb)
  try {
    yield* read(scratch)
  } finally {
    await scratch.close()
  }
}
