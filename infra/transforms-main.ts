/** Process entry for the transforms beside the other roles of `assay serve`: it ends when the process that started it does. */
import { once } from 'node:events'
import { isStoreAway } from './catalog/sql-errors.ts'
import { ConfigError, readConfig } from './config.ts'
import { openLogger } from './logger.ts'
import { StartError } from './start-error.ts'
import { openTransforms } from './system/open-transforms.ts'

async function run(): Promise<void> {
  const config = readConfig(process.env)
  const logger = openLogger(config.logLevel, { role: config.roles.join() })
  const ended = once(process, 'disconnect')
  const transforms = await openTransforms(config, logger)
  await ended
  await transforms.close()
}

run().then(
  () => process.exit(0),
  (error: unknown) => {
    const told = error instanceof StartError || error instanceof ConfigError || isStoreAway(error)
    process.stderr.write(`${told ? (error as Error).message : (error as Error).stack}\n`)
    process.exit(1)
  },
)
