/** Restores a backup into an empty data folder, and into the embedded database in it or the empty one at DATABASE_URL. */
import { join } from 'node:path'
import type { Client } from 'pg'
import type { BackupManifest } from '../../schemas/backup.ts'
import { startEmbeddedPostgres } from '../catalog/embedded.ts'
import { lockInstance } from '../catalog/lock-instance.ts'
import { migrationLock } from '../catalog/migrate.ts'
import { connect } from '../catalog/postgres.ts'
import { countRelations, isRestored } from '../catalog/restore-queries.ts'
import type { Config } from '../config.ts'
import { isBeingRestored } from '../data-folder.ts'
import { secretKeyFile } from '../secret-key.ts'
import { StartError } from '../start-error.ts'
import { issuerFile } from './back-up.ts'
import { copyWhole } from './keep-files.ts'
import type { Compared } from './load-tables.ts'
import { type OnProgress, restoreDatabase } from './restore-database.ts'
import { beginRestore, endRestore, refuseFullArchive, refuseUsed, restoreFiles } from './restore-folder.ts'

interface Order {
  /** The backup's. */
  readonly folder: string
  readonly manifest: BackupManifest
  readonly into: Pick<Config, 'databaseUrl' | 'dataFolder'> & { readonly archiveFolder: string | null }
  readonly onProgress: OnProgress
}

/**
 * @param order.manifest of a backup whose every byte was checked
 * @returns the comparison; empty where a restore that was killed at its last step had compared all before
 * @throws StartError where something is there already
 */
export async function restore(order: Order): Promise<Compared[]> {
  const { manifest, into } = order
  if (into.archiveFolder === null && (manifest.archive?.count ?? 0) > 0)
    throw new StartError('The backup has the archive as files, and ASSAY_ARCHIVE names a bucket; name a folder.')
  if (into.databaseUrl === undefined) await refuseUsed(into.dataFolder)
  if (into.archiveFolder !== null) await refuseFullArchive(into.archiveFolder, into.dataFolder)
  return order.into.databaseUrl === undefined ? restoreEmbedded(order) : restoreAt(order, order.into.databaseUrl)
}

/** Rows that a transaction writes into what it has emptied need no log of their own at this level: the half of what is written. */
const settings = { wal_level: 'minimal', max_wal_senders: '0' }

async function restoreEmbedded(order: Order): Promise<Compared[]> {
  const { dataFolder } = order.into
  await beginRestore(dataFolder)
  await bringFiles(order)
  const postgres = await startEmbeddedPostgres(dataFolder, settings)
  const lock = await lockInstance(postgres.url)
  if (!lock) throw new StartError(`Another restore into ${dataFolder} is under way.`)
  try {
    const compared = await withClient(postgres.url, async (client) => {
      const found = await fill(client, order)
      // The stop that follows has a bound, within which not everything need be written.
      await client.query('checkpoint')
      return found
    })
    await postgres.stop()
    return await ended(compared, dataFolder)
  } finally {
    await postgres.stop()
    await lock.release()
  }
}

async function restoreAt(order: Order, url: string): Promise<Compared[]> {
  const { dataFolder } = order.into
  return withClient(url, async (client) => {
    // An Assay that starts meanwhile waits for it, and finds all of it or nothing.
    await client.query(migrationLock)
    const relations = await countRelations(client)
    // Killed between its last two steps.
    if (relations > 0 && (await isBeingRestored(dataFolder)) && (await isRestored(client, order.manifest.id)))
      return ended([], dataFolder)
    if (relations > 0)
      throw new StartError(
        `The database is not empty: it has ${relations} tables, views and sequences; make a new one and name it in DATABASE_URL.`,
      )
    await beginRestore(dataFolder)
    await bringFiles(order)
    return ended(await fill(client, order), dataFolder)
  })
}

async function bringFiles({ folder, manifest, into }: Order): Promise<void> {
  await restoreFiles(folder, 'files', join(into.dataFolder, 'spool'))
  if (into.archiveFolder !== null) await restoreFiles(folder, 'archive', into.archiveFolder)
  const keys = [...(manifest.issuer ? [issuerFile] : []), ...(manifest.secretKey ? [secretKeyFile] : [])]
  for (const name of keys) await copyWhole(join(folder, name), join(into.dataFolder, name))
}

const fill = (client: Client, { folder, manifest, into, onProgress }: Order) =>
  restoreDatabase(client, { folder, manifest, spool: join(into.dataFolder, 'spool'), onProgress })

/** What differs stays marked, and so serves nobody. */
async function ended(compared: Compared[], dataFolder: string): Promise<Compared[]> {
  if (compared.every(({ same }) => same)) await endRestore(dataFolder)
  return compared
}

async function withClient<T>(url: string, work: (client: Client) => Promise<T>): Promise<T> {
  const client = await connect(url)
  try {
    return await work(client)
  } finally {
    await client.end()
  }
}
