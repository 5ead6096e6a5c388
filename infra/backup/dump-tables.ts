/** Writes every table of a snapshot as binary COPY, packed, through several readers of the one state. */
import { createHash } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { constants, createZstdCompress } from 'node:zlib'
import type { Client } from 'pg'
import type { BackupTable } from '../../schemas/backup.ts'
import type { StoredTable } from '../catalog/backup-queries.ts'
import { copyOut } from '../catalog/postgres.ts'
import type { Snapshot } from '../catalog/snapshot.ts'
import type { Checksum } from './checksums.ts'
import { pieceBytesFor } from './piece-bytes.ts'
import { openRowDigest } from './row-digest.ts'
import { tableFile } from './table-file.ts'

/** One is read while another is packed; more of them take cores from those who serve. */
const readers = 2
/** The log's batches are packed already, and more effort costs more time than it saves room. */
const packing = { [constants.ZSTD_c_compressionLevel]: 1 }

/** @param tables the largest first, so that none is left to the end alone @param onBytes told of what was read */
export async function dumpTables(
  snapshot: Snapshot,
  tables: readonly StoredTable[],
  folder: string,
  onBytes: (bytes: number) => void,
): Promise<{ table: BackupTable; checksum: Checksum }[]> {
  const waiting = [...tables]
  const done: { table: BackupTable; checksum: Checksum }[] = []
  let failed = false
  const work = async () => {
    const reader = await snapshot.reader()
    try {
      for (let table = waiting.shift(); table && !failed; table = waiting.shift()) {
        const dumped = await reader.read((client) => dumpTable(client, table, folder, onBytes))
        done.push(dumped)
      }
    } catch (error) {
      failed = true
      throw error
    } finally {
      await reader.close()
    }
  }
  const ended = await Promise.allSettled(Array.from({ length: readers }, work))
  for (const one of ended) if (one.status === 'rejected') throw one.reason
  return done.sort((a, b) => (a.table.name < b.table.name ? -1 : 1))
}

async function dumpTable(
  client: Client,
  { size, ...table }: StoredTable,
  folder: string,
  onBytes: (bytes: number) => void,
) {
  const digest = openRowDigest()
  const sum = createHash('sha256')
  const name = tableFile(table.name)
  await pipeline(
    copyOut(client, `copy ${copied(client, table)} to stdout (format binary)`),
    async function* (chunks: AsyncIterable<Buffer>) {
      for await (const chunk of chunks) {
        digest.feed(chunk)
        onBytes(chunk.length)
        yield chunk
      }
    },
    createZstdCompress({ params: packing, chunkSize: pieceBytesFor(size) }),
    async function* (chunks: AsyncIterable<Buffer>) {
      for await (const chunk of chunks) {
        sum.update(chunk)
        yield chunk
      }
    },
    createWriteStream(join(folder, name), { flags: 'wx', mode: 0o600, flush: true }),
  )
  return { table: { ...table, ...digest.end() }, checksum: { name, sha256: sum.digest('hex') } }
}

/** A table and its columns, as COPY names them: those of a backup need not be those of today. */
export function copied(client: Client, { name, columns }: Pick<StoredTable, 'name' | 'columns'>): string {
  return `${client.escapeIdentifier(name)} (${columns.map((column) => client.escapeIdentifier(column)).join(', ')})`
}
