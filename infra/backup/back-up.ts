/** Takes a backup: database, files and log positions at one point, of an Assay that goes on meanwhile. */
import { randomUUID } from 'node:crypto'
import { open } from 'node:fs/promises'
import { join } from 'node:path'
import type { BackupManifest } from '../../schemas/backup.ts'
import {
  appliedMigrations,
  archivedFiles,
  holdPartitions,
  keptFiles,
  logPositions,
  sequences,
  serverVersion,
  storedTables,
} from '../catalog/backup-queries.ts'
import { openSnapshot, type Snapshot } from '../catalog/snapshot.ts'
import { secretKeyFile } from '../secret-key.ts'
import { StartError } from '../start-error.ts'
import { abandonBackup, beginBackup, unmark } from './backup-folder.ts'
import { type ChecksumWriter, sha256Of, writeChecksums } from './checksums.ts'
import { dumpTables } from './dump-tables.ts'
import { copyWhole, type KeptFile, keepFile } from './keep-files.ts'
import { manifestFile } from './read-backup.ts'

export interface BackupOrder {
  readonly databaseUrl: string
  readonly dataFolder: string
  /** null where the archive is in a bucket. */
  readonly archiveFolder: string | null
  /** Of the backup. */
  readonly folder: string
  /** Bytes as COPY has them; the total is what the tables take on disk, about the same. */
  readonly onProgress: (doneBytes: number, totalBytes: number) => void
}

/** What fails leaves nothing; what is killed leaves a folder that says so. @throws StartError */
export async function backUp(order: BackupOrder): Promise<BackupManifest> {
  const snapshot = await openSnapshot(order.databaseUrl)
  try {
    await beginBackup(order.folder)
    const checksums = await writeChecksums(order.folder)
    try {
      const manifest = await writeAll(snapshot, order, checksums)
      await checksums.finish()
      await unmark(order.folder)
      return manifest
    } catch (error) {
      await checksums.close().catch(() => {})
      await abandonBackup(order.folder)
      throw error
    }
  } finally {
    await snapshot.close()
  }
}

async function writeAll(snapshot: Snapshot, order: BackupOrder, checksums: ChecksumWriter): Promise<BackupManifest> {
  const { holder } = snapshot
  const takenAt = new Date().toISOString()
  const migrations = await appliedMigrations(holder)
  if (!migrations) throw new StartError('There is no Assay in this database: nothing of it is there.')
  const tables = await storedTables(holder)
  await holdPartitions(holder, tables)
  const issuer = await keepKey(issuerFile, order, checksums)
  const secretKey = await keepKey(secretKeyFile, order, checksums)
  // Before the tables, which take longer: a file may be swept once its row says so, and these rows are of the past already.
  const files = await keepSpool(snapshot, order, checksums)
  const archive = await keepArchive(snapshot, order, checksums)
  const total = tables.reduce((sum, { size }) => sum + size, 0)
  let done = 0
  const dumped = await dumpTables(snapshot, tables, order.folder, (bytes) => {
    done += bytes
    order.onProgress(done, Math.max(total, done))
  })
  for (const { checksum } of dumped) await checksums.add(checksum)
  const manifest: BackupManifest = {
    ...{ format: 1, id: randomUUID(), takenAt, postgres: await serverVersion(holder), migrations },
    tables: dumped.map(({ table }) => table),
    sequences: await sequences(holder),
    log: await logPositions(holder),
    ...{ files, archive, issuer, secretKey, events: null },
  }
  await writeManifest(order.folder, manifest)
  await checksums.add({ name: manifestFile, sha256: await sha256Of(join(order.folder, manifestFile)) })
  return manifest
}

const isHash = /^[0-9a-f]{64}$/

async function keepSpool(
  snapshot: Snapshot,
  { dataFolder, archiveFolder, folder }: BackupOrder,
  checksums: ChecksumWriter,
) {
  let altered = 0
  const kept = await keepAll(keptFiles(snapshot.holder, archiveFolder !== null), async (name) => {
    const file = await keepFile(join(dataFolder, 'spool'), name, folder, 'files')
    if (file && isHash.test(name) && file.sha256 !== name) altered++
    if (file) await checksums.add(file)
    return file
  })
  return { ...kept, altered }
}

async function keepArchive(snapshot: Snapshot, { archiveFolder, folder }: BackupOrder, checksums: ChecksumWriter) {
  if (archiveFolder === null) return null
  return keepAll(archivedFiles(snapshot.holder), async (name) => {
    const file = await keepFile(archiveFolder, name, folder, 'archive')
    if (file) await checksums.add(file)
    return file
  })
}

async function keepAll(names: AsyncIterable<string>, keep: (name: string) => Promise<KeptFile | null>) {
  const found = { count: 0, bytes: 0, missing: 0 }
  for await (const name of names) {
    const kept = await keep(name)
    if (kept) found.count++
    else found.missing++
    found.bytes += kept?.bytes ?? 0
  }
  return found
}

/** The key by which the local issuer's tokens hold. */
export const issuerFile = 'issuer.json'

/** @returns whether there was one */
async function keepKey(name: string, { dataFolder, folder }: BackupOrder, checksums: ChecksumWriter): Promise<boolean> {
  const to = join(folder, name)
  try {
    await copyWhole(join(dataFolder, name), to)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return false
    throw error
  }
  await checksums.add({ name, sha256: await sha256Of(to) })
  return true
}

async function writeManifest(folder: string, manifest: BackupManifest): Promise<void> {
  const file = await open(join(folder, manifestFile), 'wx', 0o600)
  try {
    await file.writeFile(`${JSON.stringify(manifest, null, 1)}\n`)
    await file.sync()
  } finally {
    await file.close()
  }
}
