/** The data folder that a backup is restored into: empty before, marked until all is there, so that nothing serves from half of it. */
import { mkdir, readdir, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { startEmbeddedPostgres } from '../catalog/embedded.ts'
import { lockInstance } from '../catalog/lock-instance.ts'
import { findPostmaster } from '../catalog/postmaster.ts'
import { isBeingRestored, makeDataFolder, restoreMark } from '../data-folder.ts'
import { StartError } from '../start-error.ts'
import { BackupDamaged, sha256Of } from './checksums.ts'
import { copyWhole, type Kept } from './keep-files.ts'
import { keptNames } from './read-backup.ts'

const said =
  'A backup is being restored here, or was and did not come to its end. Run assay restore again, or remove the folder.\n'
const ofDisks = new Set(['lost+found'])

/**
 * What a restore that was killed has left is removed first.
 * @throws StartError where something else lies there
 */
export async function beginRestore(folder: string): Promise<void> {
  await makeDataFolder(folder)
  const names = (await readdir(folder)).filter((name) => !ofDisks.has(name))
  if (names.length > 0 && !(await isBeingRestored(folder)))
    throw new StartError(`The data folder ${folder} is not empty; name a new one with --data, or empty it first.`)
  await stopServer(folder)
  await writeFile(restoreMark(folder), said)
  for (const name of names) {
    const path = join(folder, name)
    if (path !== restoreMark(folder)) await rm(path, { recursive: true, force: true })
  }
}

export const endRestore = (folder: string): Promise<void> => rm(restoreMark(folder), { force: true })

/** Told before all else that stands in the way: what lies there is that Assay's. @throws StartError */
export async function refuseUsed(folder: string): Promise<void> {
  if ((await isBeingRestored(folder)) || !(await findPostmaster(join(folder, 'postgres', 'data')))?.lives) return
  const server = await startEmbeddedPostgres(folder)
  const lock = await lockInstance(server.url)
  if (!lock) throw new StartError(`The data folder ${folder} is in use by another Assay.`)
  await lock.release()
}

/** The embedded server outlives who started it. */
async function stopServer(folder: string): Promise<void> {
  if ((await findPostmaster(join(folder, 'postgres', 'data')))?.lives !== true) return
  const server = await startEmbeddedPostgres(folder)
  const lock = await lockInstance(server.url)
  if (!lock) throw new StartError(`Another restore into ${folder} is under way.`)
  await server.stop()
  await lock.release()
}

/** Each is compared with its checksum where it has come to lie. */
export async function restoreFiles(backup: string, as: Kept, into: string): Promise<void> {
  for await (const { name, sha256 } of keptNames(backup, as)) {
    const to = join(into, name)
    await mkdir(dirname(to), { recursive: true })
    await copyWhole(join(backup, as, name), to)
    if ((await sha256Of(to)) !== sha256) throw new BackupDamaged(`The file ${name} was not copied as it is`)
  }
}

/** One outside the data folder may hold another system's. @throws StartError */
export async function refuseFullArchive(folder: string, dataFolder: string): Promise<void> {
  const names = await readdir(folder).catch(() => [])
  if (names.length > 0 && !(await isBeingRestored(dataFolder)))
    throw new StartError(`The archive's folder ${folder} is not empty; name a new one in ASSAY_ARCHIVE.`)
}
