/** A process for `take-over.test.ts` to kill: an Assay that does nothing but jobs. */
import pino from 'pino'
import { readConfig } from '../../../infra/config.ts'
import { openSystem } from '../../../infra/system.ts'

const [dataFolder = '', databaseUrl = ''] = process.argv.slice(2)
await openSystem(readConfig({ ASSAY_DATA: dataFolder, DATABASE_URL: databaseUrl }), pino({ level: 'silent' }), {
  roles: ['jobs'],
  alone: false,
})
process.stdout.write('open\n')
