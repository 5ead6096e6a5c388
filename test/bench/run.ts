/** `npm run bench NAME [arguments]`: runs one benchmark, each of which prints its baseline from the same run. */
import { archiveBench } from './archive.ts'
import { bulkBench } from './bulk.ts'
import { duplicatesBench } from './duplicates.ts'
import { eventsBench } from './events.ts'
import { feedsBench } from './feeds.ts'
import { formatsBench } from './formats.ts'
import { gradeBench } from './grade.ts'
import { httpBench } from './http.ts'
import { imagesBench } from './images.ts'
import { ingestBench } from './ingest.ts'
import { kafkaBench } from './kafka.ts'
import { mcpBench } from './mcp.ts'
import { publishBench } from './publish.ts'
import { replayBench } from './replay.ts'
import { reweighBench } from './reweigh.ts'
import { rolesBench } from './roles.ts'
import { searchBench } from './search.ts'
import { webhooksBench } from './webhooks.ts'

const benches: Readonly<Record<string, (args: string[]) => Promise<void>>> = {
  ingest: ingestBench,
  http: httpBench,
  formats: formatsBench,
  grade: gradeBench,
  bulk: bulkBench,
  publish: publishBench,
  reweigh: reweighBench,
  replay: replayBench,
  roles: rolesBench,
  kafka: kafkaBench,
  archive: archiveBench,
  events: eventsBench,
  feeds: feedsBench,
  search: searchBench,
  webhooks: webhooksBench,
  duplicates: duplicatesBench,
  images: imagesBench,
  mcp: mcpBench,
}

const [name = '', ...args] = process.argv.slice(2)
const bench = Object.hasOwn(benches, name) ? benches[name] : undefined
if (!bench) {
  process.stderr.write(`Usage: npm run bench ${Object.keys(benches).join(' | ')}\n`)
  process.exit(2)
}
await bench(args)
