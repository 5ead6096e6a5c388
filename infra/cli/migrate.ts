/** `assay migrate`: brings the database to the present form without starting a server. */
import type { Config } from '../config.ts'
import { openLogger } from '../logger.ts'
import { readArguments } from './arguments.ts'

export async function migrateCommand(args: string[], config: Config): Promise<number> {
  readArguments(args, {})
  const { openSystem } = await import('../system.ts')
  const logger = openLogger('silent')
  const system = await openSystem(config, logger, { roles: [], alone: config.databaseUrl === undefined })
  await system.close()
  process.stdout.write('The database is up to date.\n')
  return 0
}
