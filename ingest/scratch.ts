/** A DuckDB database of tables that are gone when it closes: what must be grouped or ordered over a whole file spills to disk beside the spool and never grows this process. */
import { mkdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { DuckDBConnection, DuckDBInstance, DuckDBValue } from '@duckdb/node-api'

/** Loaded with the first database: a process that only transforms has none, and its 180 modules take a tenth of a start. */
const driver = () => import('@duckdb/node-api')
type Driver = Awaited<ReturnType<typeof driver>>

export type ScratchValue = string | number | null

interface ScratchColumn {
  readonly name: string
  readonly type: ColumnType
}

/** Numbers are row counts and the like, below 2^31; whole ones above that are `long`. */
type ColumnType = 'number' | 'long' | 'double' | 'text' | 'bytes'

const columnTypes = {
  number: { type: 'INTEGER', sql: 'integer' },
  long: { type: 'BIGINT', sql: 'bigint' },
  double: { type: 'DOUBLE', sql: 'double' },
  text: { type: 'VARCHAR', sql: 'varchar' },
  bytes: { type: 'BLOB', sql: 'blob' },
} as const

export interface ScratchTable {
  /** Buffered; rows become visible to queries after `flush`. */
  add(values: readonly (ScratchValue | Buffer)[]): void
  flush(): void
}

export interface Scratch {
  table(name: string, columns: readonly ScratchColumn[]): Promise<ScratchTable>
  run(sql: string): Promise<void>
  /** Rows in the query's order, a few thousand at a time; bigint columns come as numbers, and blobs as buffers where `T` says so. */
  stream<T = ScratchValue>(sql: string): AsyncIterable<T[][]>
  /** Keeps these tables alone, which must be there, and gives back the memory of the others, which the database holds until it closes: 150 to 190 MB after 300,000 rows. */
  renew(keep: readonly string[]): Promise<void>
  close(): Promise<void>
}

/** A chunk holds at most this many rows (DuckDB's vector size). */
const chunkRows = 2_048

/**
 * One thread and a small buffer: what is beyond it goes to files under `path`. Not a database on disk: its write-ahead log and its checkpoint at
 * the close cost a quarter of the time of a million rows, and held the process up for 50 ms at the end of the smallest import. It opens with
 * the first question: most imports are of a few rows, and ask none.
 */
export function openScratch(path: string, memoryMb = 64): Scratch {
  let opened: Promise<Opened> | null = null
  const open = () => {
    opened ??= openInstance(path, memoryMb)
    return opened
  }
  const run = async (sql: string) => void (await (await open()).connection.run(sql))
  return {
    run,
    table: async (name, columns) => createTable(await open(), name, columns),
    async *stream<T>(sql: string) {
      yield* streamRows<T>(await open(), sql)
    },
    async renew(keep) {
      if (opened === null) return
      const fileOf = (name: string) => `'${join(keptUnder(path), name).replaceAll("'", "''")}'`
      await mkdir(keptUnder(path))
      for (const name of keep) await run(`copy ${name} to ${fileOf(name)} (format parquet)`)
      shut(await opened)
      opened = null
      for (const name of keep) await run(`create table ${name} as from read_parquet(${fileOf(name)})`)
      await rm(keptUnder(path), { recursive: true })
    },
    async close() {
      if (opened === null) return
      shut(await opened)
      await removeScratch(path)
    },
  }
}

interface Opened {
  readonly duckdb: Driver
  readonly instance: DuckDBInstance
  readonly connection: DuckDBConnection
}

async function openInstance(path: string, memoryMb: number): Promise<Opened> {
  const duckdb = await driver()
  await rm(path, { force: true, recursive: true })
  const instance = await duckdb.DuckDBInstance.create(':memory:', {
    threads: '1',
    memory_limit: `${memoryMb}MB`,
    temp_directory: path,
  })
  return { duckdb, instance, connection: await instance.connect() }
}

function shut({ instance, connection }: Opened) {
  connection.closeSync()
  instance.closeSync()
}

/** Beside what the database itself puts under `path`. */
const keptUnder = (path: string) => `${path}.kept`

async function removeScratch(path: string) {
  for (const each of [path, keptUnder(path)]) await rm(each, { force: true, recursive: true })
}

/** What DuckDB does not take as it is. */
const storedAs = ({
  blobValue,
}: Driver): Partial<Record<ColumnType, (value: string | number | Buffer) => DuckDBValue>> => ({
  long: (value) => BigInt(value as number),
  bytes: (value) => blobValue(value as Buffer),
})

async function createTable({ duckdb, connection }: Opened, name: string, columns: readonly ScratchColumn[]) {
  await connection.run(
    `create or replace table ${name} (${columns.map((c) => `${c.name} ${columnTypes[c.type].sql}`).join(', ')})`,
  )
  const types = columns.map((c) => duckdb[columnTypes[c.type].type])
  const as = storedAs(duckdb)
  const stored = columns.map((c) => as[c.type])
  const appender = await connection.createAppender(name)
  let buffer: DuckDBValue[][] = columns.map(() => [])
  const put = () => {
    const n = buffer[0]?.length ?? 0
    if (n === 0) return
    const chunk = duckdb.DuckDBDataChunk.create(types, n)
    for (const [i, values] of buffer.entries()) chunk.setColumnValues(i, values)
    appender.appendDataChunk(chunk)
    buffer = columns.map(() => [])
  }
  return {
    add(values: readonly (ScratchValue | Buffer)[]) {
      for (let i = 0; i < columns.length; i++) {
        const value = values[i] ?? null
        buffer[i]?.push(value === null ? null : (stored[i]?.(value) ?? (value as ScratchValue)))
      }
      if ((buffer[0]?.length ?? 0) >= chunkRows) put()
    },
    flush() {
      put()
      appender.flushSync()
    },
  }
}

async function* streamRows<T>({ duckdb: { DuckDBBlobValue }, connection }: Opened, sql: string): AsyncGenerator<T[][]> {
  const result = await connection.stream(sql)
  for (;;) {
    const chunk = await result.fetchChunk()
    if (!chunk || chunk.rowCount === 0) return
    const columns = Array.from({ length: chunk.columnCount }, (_, i) => chunk.getColumnValues(i))
    const rows: T[][] = new Array(chunk.rowCount)
    for (let r = 0; r < chunk.rowCount; r++) {
      rows[r] = columns.map((values) => {
        const value = values[r]
        return (typeof value === 'bigint' ? Number(value) : value instanceof DuckDBBlobValue ? value.bytes : value) as T
      })
    }
    yield rows
  }
}
