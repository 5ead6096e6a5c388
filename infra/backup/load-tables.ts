/** Reads a backup's tables into an empty database, and compares what has come to stand there with what was backed up. */
import { createReadStream } from 'node:fs'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { createZstdDecompress } from 'node:zlib'
import type { Client } from 'pg'
import type { BackupTable } from '../../schemas/backup.ts'
import { copyIn, copyOut } from '../catalog/postgres.ts'
import { BackupDamaged } from './checksums.ts'
import { copied } from './dump-tables.ts'
import { pieceBytesFor } from './piece-bytes.ts'
import { openRowDigest } from './row-digest.ts'
import { tableFile } from './table-file.ts'

export interface Compared {
  readonly table: string
  /** Of the backup. */
  readonly rows: number
  /** Of the database. */
  readonly restored: number
  readonly same: boolean
}

type OnBytes = (bytes: number) => void

/** In a transaction that has emptied the table: its rows are visible to all from the start, and no vacuum has to come by again. */
export async function loadTable(client: Client, table: BackupTable, folder: string, onBytes: OnBytes): Promise<void> {
  await pipeline(
    ...unpacked(table, folder),
    told(onBytes),
    copyIn(client, `copy ${copied(client, table)} from stdin (format binary, freeze)`),
  )
}

export async function compareTable(client: Client, table: BackupTable, onBytes: OnBytes): Promise<Compared> {
  const found = await digestOf(copyOut(client, `copy ${copied(client, table)} to stdout (format binary)`), onBytes)
  const same = found.rows === table.rows && found.digest === table.digest
  return { table: table.name, rows: table.rows, restored: found.rows, same }
}

/** The rows as they lie in the backup. @throws BackupDamaged where they are not those of its manifest */
export async function checkTable(table: BackupTable, folder: string, onBytes: OnBytes): Promise<void> {
  const [packed, unpack] = unpacked(table, folder)
  const [, found] = await Promise.all([pipeline(packed, unpack), digestOf(unpack, onBytes)])
  if (found.rows !== table.rows || found.digest !== table.digest)
    throw new BackupDamaged(`The backup is damaged: the rows of ${table.name} are not those of its manifest`)
}

function unpacked({ name, bytes }: BackupTable, folder: string) {
  const piece = pieceBytesFor(bytes)
  const packed = createReadStream(join(folder, tableFile(name)), { highWaterMark: piece })
  return [packed, createZstdDecompress({ chunkSize: piece })] as const
}

async function digestOf(copy: AsyncIterable<Buffer>, onBytes: OnBytes) {
  const digest = openRowDigest()
  for await (const chunk of copy) {
    digest.feed(chunk)
    onBytes(chunk.length)
  }
  return digest.end()
}

const told = (onBytes: OnBytes) =>
  async function* (chunks: AsyncIterable<Buffer>) {
    for await (const chunk of chunks) {
      onBytes(chunk.length)
      yield chunk
    }
  }
