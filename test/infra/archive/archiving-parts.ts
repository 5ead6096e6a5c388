/** What an archive of tests is opened with: everything in one folder. */
import { join } from 'node:path'
import type { Catalog } from '../../../infra/catalog/postgres.ts'
import type { Log } from '../../../infra/log/port.ts'

export const archivingParts = ({ folder, catalog, log }: { folder: string; catalog: Catalog; log: Log }) => ({
  config: { dataFolder: folder, archive: { folder: join(folder, 'archive') }, logRetentionDays: undefined },
  ...{ catalog, log },
  now: () => new Date(),
})
