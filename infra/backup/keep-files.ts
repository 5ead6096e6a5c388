/** Takes the files that a snapshot's rows name into a backup: linked where both lie on one disk, else copied. */
import { constants } from 'node:fs'
import { chmod, copyFile, link, mkdir, open, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { type Checksum, sha256Of } from './checksums.ts'

export interface KeptFile extends Checksum {
  readonly bytes: number
}

/** Folders of a backup: files of the spool, and of the log's archive. */
export type Kept = 'files' | 'archive'

/**
 * A file of spool or archive is never written again under its name, so a link stays what it was.
 * @param name in the folder `from`
 * @returns null where it has gone
 */
export async function keepFile(from: string, name: string, folder: string, as: Kept): Promise<KeptFile | null> {
  const inBackup = `${as}/${name}`
  const to = join(folder, inBackup)
  await mkdir(dirname(to), { recursive: true, mode: 0o700 })
  try {
    await linkOrCopy(join(from, name), to)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null
    throw error
  }
  return { name: inBackup, sha256: await sha256Of(to), bytes: (await stat(to)).size }
}

/** Another disk, a system without links, or one that refuses those of others' files. */
const noLinks = new Set(['EXDEV', 'EPERM', 'EACCES', 'EMLINK', 'ENOTSUP', 'ENOSYS'])

async function linkOrCopy(from: string, to: string): Promise<void> {
  try {
    await link(from, to)
  } catch (error) {
    if (!noLinks.has((error as NodeJS.ErrnoException).code ?? '')) throw error
    await copyWhole(from, to)
  }
}

/** On disk when it resolves, and for its owner alone. */
export async function copyWhole(from: string, to: string): Promise<void> {
  await copyFile(from, to, constants.COPYFILE_FICLONE)
  await chmod(to, 0o600)
  const file = await open(to, 'r+')
  await file.sync().finally(() => file.close())
}
