/** A process that only transforms, beside one that has the other roles: a third of the modules that those load. */
import type { Logger } from 'pino'
import type { Config } from '../config.ts'
import { makeDataFolder, refuseHalfRestored } from '../data-folder.ts'
import { openBulkWriter } from './bulk-writer.ts'
import { closing } from './closing.ts'
import { tellFaults } from './faults.ts'
import { joinTransforms } from './join-transforms.ts'
import { openStores } from './open-stores.ts'
import { openTaxonomy } from './taxonomy.ts'

/** @throws StartError */
export async function openTransforms(config: Config, logger: Logger): Promise<{ close(): Promise<void> }> {
  const faults = tellFaults(logger)
  const end = closing(faults('closing'))
  try {
    await refuseHalfRestored(config.dataFolder)
    await makeDataFolder(config.dataFolder)
    const stores = await openStores(config, { databaseUrl: config.databaseUrl ?? '', now: () => new Date() }, end)
    const { known: categories } = await openTaxonomy(config.taxonomy)
    joinTransforms({ ...stores, bulk: openBulkWriter(stores), categories, faults }, end)
    end.closers.push(stores.leftBehind.watch(faults('the epoch of the log')))
    return { close: end.close }
  } catch (error) {
    await end.close()
    throw error
  }
}
