/** `assay migrate`: brings the database to the present form without starting a server. */
import pino from 'pino'
import type { Config } from '../config.ts'
import { openSystem } from '../system.ts'

export async function migrateCommand(_args: string[], config: Config): Promise<number> {
  const logger = pino({ level: 'silent' })
  const system = await openSystem(config, logger, { roles: [], alone: config.databaseUrl === undefined })
  await system.close()
  process.stdout.write('The database is up to date.\n')
  return 0
}
