/** Reaches the database of an Assay that runs or does not: the one at DATABASE_URL, or the embedded one of a data folder. */
import { access } from 'node:fs/promises'
import { join } from 'node:path'
import { startEmbeddedPostgres } from '../catalog/embedded.ts'
import { lockInstance } from '../catalog/lock-instance.ts'
import { findPostmaster } from '../catalog/postmaster.ts'
import type { Config } from '../config.ts'
import { refuseHalfRestored } from '../data-folder.ts'
import { StartError } from '../start-error.ts'

export interface Reached {
  readonly url: string
  /** Stops a server that was started for this, unless an Assay has come to use it meanwhile. */
  leave(): Promise<void>
}

/** @throws StartError where there is no Assay */
export async function reachDatabase({
  databaseUrl,
  dataFolder,
}: Pick<Config, 'databaseUrl' | 'dataFolder'>): Promise<Reached> {
  await refuseHalfRestored(dataFolder)
  if (databaseUrl !== undefined) return { url: databaseUrl, leave: async () => {} }
  const data = join(dataFolder, 'postgres', 'data')
  await access(join(data, 'PG_VERSION')).catch((cause) => {
    throw new StartError(`There is no Assay in ${dataFolder}; name its folder with --data, or set DATABASE_URL.`, {
      cause,
    })
  })
  const lived = (await findPostmaster(data))?.lives === true
  const postgres = await startEmbeddedPostgres(dataFolder)
  return {
    url: postgres.url,
    async leave() {
      const lock = lived ? null : await lockInstance(postgres.url)
      if (!lock) return
      await postgres.stop()
      await lock.release()
    },
  }
}
