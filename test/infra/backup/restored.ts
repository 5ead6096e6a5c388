/** Backs a database up and restores it into an empty one, as the commands do. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { backUp } from '../../../infra/backup/back-up.ts'
import { checkBackup } from '../../../infra/backup/read-backup.ts'
import { restore } from '../../../infra/backup/restore.ts'
import { emptyDatabase, type TestDatabase } from '../../harness.ts'

const silent = () => {}

export interface Ground {
  readonly folder: string
  backup(databaseUrl: string, dataFolder: string, name?: string): Promise<string>
  restore(backup: string, name?: string): Promise<{ database: TestDatabase; data: string; same: boolean }>
  clear(): Promise<void>
}

export async function openGround(): Promise<Ground> {
  const folder = await mkdtemp(join(tmpdir(), 'assay-backup-'))
  const made: TestDatabase[] = []
  return {
    folder,
    async backup(databaseUrl, dataFolder, name = 'backup') {
      const to = join(folder, name)
      const archiveFolder = join(dataFolder, 'archive')
      await backUp({ databaseUrl, dataFolder, archiveFolder, folder: to, onProgress: silent })
      return to
    },
    async restore(from, name = 'restored') {
      const database = await emptyDatabase()
      made.push(database)
      const data = join(folder, name)
      const into = { databaseUrl: database.url, dataFolder: data, archiveFolder: join(data, 'archive') }
      const manifest = await checkBackup(from)
      const compared = await restore({ folder: from, manifest, into, onProgress: silent })
      return { database, data, same: compared.length > 0 && compared.every(({ same }) => same) }
    },
    async clear() {
      for (const database of made) await database.drop()
      await rm(folder, { recursive: true, force: true })
    },
  }
}
