/** Where the archive's files lie on this machine; null where it is in a bucket, which no backup holds. */
import { join } from 'node:path'
import type { Config } from '../config.ts'

/** @param dataFolder as the command was told, over that of the environment: the archive is in it unless it was put elsewhere */
export function archiveFolder({ archive, dataFolder: usual }: Config, dataFolder: string): string | null {
  if (!('folder' in archive) || archive.folder === undefined) return null
  return archive.folder === join(usual, 'archive') ? join(dataFolder, 'archive') : archive.folder
}
