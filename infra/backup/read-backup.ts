/** Reads what a backup says of itself, and compares every file of it with its checksum. */
import { readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { type BackupManifest, backupManifest } from '../../schemas/backup.ts'
import { StartError } from '../start-error.ts'
import { BackupDamaged, readChecksums, sha256Of } from './checksums.ts'
import type { Kept } from './keep-files.ts'
import { tableFile } from './table-file.ts'

export const manifestFile = 'manifest.json'

/**
 * Every byte of it is read, and nothing else touched.
 * @param onProgress told of bytes read and bytes there are
 * @throws BackupDamaged, and StartError where the folder is no backup
 */
export async function checkBackup(
  folder: string,
  onProgress: (doneBytes: number, totalBytes: number | null) => void = () => {},
): Promise<BackupManifest> {
  const total = await totalBytes(folder)
  const sums = await checksumsOf(folder)
  const wanted = new Set<string>()
  let manifest: BackupManifest | null = null
  const kept = { files: 0, archive: 0 }
  let done = 0
  for await (const { name, sha256 } of sums) {
    const found = await sha256Of(join(folder, name), (bytes) => {
      done += bytes
      onProgress(done, total)
    }).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'ENOENT') throw error
      throw new BackupDamaged(`The backup is damaged: ${name} is not there any more`)
    })
    if (found !== sha256) throw new BackupDamaged(`The backup is damaged: ${name} is not what was written`)
    const [top] = name.split('/')
    if (top === 'files' || top === 'archive') kept[top]++
    else wanted.add(name)
    if (name === manifestFile) manifest = await readManifest(folder)
  }
  if (!manifest) throw new BackupDamaged('The backup is damaged: it has no manifest')
  const absent = manifest.tables.map((table) => tableFile(table.name)).find((name) => !wanted.has(name))
  if (absent !== undefined) throw new BackupDamaged(`The backup is damaged: ${absent} has no checksum`)
  for (const as of ['files', 'archive'] as const) {
    const said = manifest[as]?.count ?? 0
    if (kept[as] !== said)
      throw new BackupDamaged(`The backup is damaged: ${as} has ${kept[as]} files, and the manifest says ${said}`)
  }
  return manifest
}

/** The names of the kept files, as they lie in that folder of the backup. */
export async function* keptNames(folder: string, as: Kept): AsyncGenerator<{ name: string; sha256: string }> {
  for await (const { name, sha256 } of await checksumsOf(folder))
    if (name.startsWith(`${as}/`)) yield { name: name.slice(as.length + 1), sha256 }
}

async function checksumsOf(folder: string) {
  const sums = await readChecksums(folder)
  if (!sums) throw new StartError(`${folder} is no backup, or one that did not come to its end.`)
  return sums
}

/** About: the lists are short. */
async function totalBytes(folder: string): Promise<number> {
  let total = 0
  for await (const { name } of await checksumsOf(folder))
    total += await stat(join(folder, name)).then(
      ({ size }) => size,
      () => 0,
    )
  return total
}

async function readManifest(folder: string): Promise<BackupManifest> {
  const read: unknown = JSON.parse(await readFile(join(folder, manifestFile), 'utf8'))
  const { format } = read as { format?: unknown }
  if (format !== 1)
    throw new StartError(
      `The backup has the format ${format}, which this Assay does not know; restore it with a newer one.`,
    )
  return backupManifest.parse(read)
}
