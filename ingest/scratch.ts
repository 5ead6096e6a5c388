/** A DuckDB database of tables that are gone when it closes: what must be grouped or ordered over a whole file spills to disk beside the spool and never grows this process. */
import { mkdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { type DuckDBConnection, DuckDBDataChunk, DuckDBInstance, INTEGER, VARCHAR } from '@duckdb/node-api'

export type ScratchValue = string | number | null

interface ScratchColumn {
  readonly name: string
  /** Numbers are row counts and the like, below 2^31. */
  readonly type: 'number' | 'text'
}

export interface ScratchTable {
  /** Buffered; rows become visible to queries after `flush`. */
  add(values: readonly ScratchValue[]): void
  flush(): void
}

export interface Scratch {
  table(name: string, columns: readonly ScratchColumn[]): Promise<ScratchTable>
  run(sql: string): Promise<void>
  /** Rows in the query's order, a few thousand at a time; bigint columns come as numbers. */
  stream(sql: string): AsyncIterable<ScratchValue[][]>
  /** Keeps these tables alone, and gives back the memory of the others, which the database holds until it closes: 150 to 190 MB after 300,000 rows. */
  renew(keep: readonly string[]): Promise<void>
  close(): Promise<void>
}

/** A chunk holds at most this many rows (DuckDB's vector size). */
const chunkRows = 2_048

/**
 * One thread and a small buffer: what is beyond it goes to files under `path`. Not a database on disk: its write-ahead log and its checkpoint at
 * the close cost a quarter of the time of a million rows, and held the process up for 50 ms at the end of the smallest import.
 */
export async function openScratch(path: string, memoryMb = 64): Promise<Scratch> {
  await removeScratch(path)
  let open = await openInstance(path, memoryMb)
  const shut = () => {
    open.connection.closeSync()
    open.instance.closeSync()
  }
  const run = async (sql: string) => void (await open.connection.run(sql))
  return {
    run,
    table: (name, columns) => createTable(open.connection, name, columns),
    stream: (sql) => streamRows(open.connection, sql),
    async renew(keep) {
      const fileOf = (name: string) => `'${join(keptUnder(path), name).replaceAll("'", "''")}'`
      await mkdir(keptUnder(path))
      for (const name of keep) await run(`copy ${name} to ${fileOf(name)} (format parquet)`)
      shut()
      open = await openInstance(path, memoryMb)
      for (const name of keep) await run(`create table ${name} as from read_parquet(${fileOf(name)})`)
      await rm(keptUnder(path), { recursive: true })
    },
    async close() {
      shut()
      await removeScratch(path)
    },
  }
}

async function openInstance(path: string, memoryMb: number) {
  const instance = await DuckDBInstance.create(':memory:', {
    threads: '1',
    memory_limit: `${memoryMb}MB`,
    temp_directory: path,
  })
  return { instance, connection: await instance.connect() }
}

/** Beside what the database itself puts under `path`. */
const keptUnder = (path: string) => `${path}.kept`

async function removeScratch(path: string) {
  for (const each of [path, keptUnder(path)]) await rm(each, { force: true, recursive: true })
}

async function createTable(connection: DuckDBConnection, name: string, columns: readonly ScratchColumn[]) {
  await connection.run(
    `create or replace table ${name} (${columns.map((c) => `${c.name} ${c.type === 'number' ? 'integer' : 'varchar'}`).join(', ')})`,
  )
  const types = columns.map((c) => (c.type === 'number' ? INTEGER : VARCHAR))
  const appender = await connection.createAppender(name)
  let buffer: ScratchValue[][] = columns.map(() => [])
  const put = () => {
    const n = buffer[0]?.length ?? 0
    if (n === 0) return
    const chunk = DuckDBDataChunk.create(types, n)
    for (const [i, values] of buffer.entries()) chunk.setColumnValues(i, values)
    appender.appendDataChunk(chunk)
    buffer = columns.map(() => [])
  }
  return {
    add(values: readonly ScratchValue[]) {
      for (let i = 0; i < columns.length; i++) buffer[i]?.push(values[i] ?? null)
      if ((buffer[0]?.length ?? 0) >= chunkRows) put()
    },
    flush() {
      put()
      appender.flushSync()
    },
  }
}

async function* streamRows(connection: DuckDBConnection, sql: string): AsyncGenerator<ScratchValue[][]> {
  const result = await connection.stream(sql)
  for (;;) {
    const chunk = await result.fetchChunk()
    if (!chunk || chunk.rowCount === 0) return
    const columns = Array.from({ length: chunk.columnCount }, (_, i) => chunk.getColumnValues(i))
    const rows: ScratchValue[][] = new Array(chunk.rowCount)
    for (let r = 0; r < chunk.rowCount; r++) {
      rows[r] = columns.map((values) => {
        const value = values[r]
        return typeof value === 'bigint' ? Number(value) : (value as ScratchValue)
      })
    }
    yield rows
  }
}
