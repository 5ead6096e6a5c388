/** Archives a log until it is done or killed: what a test kills with -9. */
import { openCatalog } from '../../../infra/catalog/postgres.ts'
import { postgresLog } from '../../../infra/log/postgres.ts'
import { openArchiving } from '../../../infra/system/archiving.ts'
import { archivingParts } from './archiving-parts.ts'

const [url = '', folder = ''] = process.argv.slice(2)
const catalog = openCatalog(url)
const log = postgresLog(catalog.pipeline, { epoch: 1, partitions: 4 })
process.stdout.write('begun\n')
await openArchiving(archivingParts({ folder, catalog, log })).runNow(new AbortController().signal)
process.exit(0)
