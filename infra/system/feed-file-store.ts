/** Where stored feeds lie: beside the files of imports, or in the bucket of the archive where there is one, so that every node reads them. */
import { join, resolve } from 'node:path'
import { folderStore } from '../archive/folder-store.ts'
import { s3Store } from '../archive/s3-store.ts'
import type { ArchiveStore } from '../archive/store.ts'
import type { Config } from '../config.ts'

/** Names are ids of files, without an ending: what a Parquet file is in the archive is its own affair. */
export type FeedFileStore = Pick<ArchiveStore, 'draft' | 'keep' | 'local' | 'remove'>

export function feedFileStore({ archive, dataFolder }: Pick<Config, 'archive' | 'dataFolder'>): FeedFileStore {
  if ('folder' in archive) return folderStore(resolve(dataFolder, 'spool', 'feeds'))
  const prefix = [archive.prefix, 'feeds'].filter((part) => part !== '').join('/')
  return s3Store({ ...archive, prefix }, join(resolve(dataFolder), 'feeds-read'))
}
