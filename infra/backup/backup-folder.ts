/** The folder that a backup is written into: empty before, marked while it is under way, a backup once its checksums stand in it. */
import { chmod, mkdir, readdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { StartError } from '../start-error.ts'
import { checksumList } from './checksums.ts'

const mark = 'UNFINISHED'
const said =
  'A backup is being written here, or was and did not come to its end. Run assay backup again, or remove the folder.\n'
/** What a fresh disk has. */
const ofDisks = new Set(['lost+found'])

/**
 * Rests of one that was killed are removed.
 * @throws StartError where something else lies there
 */
export async function beginBackup(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const names = (await readdir(folder)).filter((name) => !ofDisks.has(name))
  // Killed at its last step a backup is whole already, and marked.
  if (names.length > 0 && (!names.includes(mark) || names.includes(checksumList)))
    throw new StartError(`${folder} is not empty; name a new folder with --to`)
  // It holds every product, hashes of keys and the installation's secrets.
  await chmod(folder, 0o700)
  await writeFile(join(folder, mark), said, { mode: 0o600 })
  await clear(folder)
  await mkdir(join(folder, 'tables'))
}

/** With its checksums it is a backup already. */
export const unmark = (folder: string): Promise<void> => rm(join(folder, mark), { force: true })

/** Of one that failed nothing is left. */
export async function abandonBackup(folder: string): Promise<void> {
  await clear(folder)
  await unmark(folder)
}

async function clear(folder: string): Promise<void> {
  for (const name of await readdir(folder))
    if (name !== mark && !ofDisks.has(name)) await rm(join(folder, name), { recursive: true, force: true })
}
