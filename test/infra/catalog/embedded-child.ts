/** An Assay for `embedded.test.ts` to kill: starts the server, takes the instance lock, and says where. */
import { startEmbeddedPostgres } from '../../../infra/catalog/embedded.ts'
import { lockInstance } from '../../../infra/catalog/lock-instance.ts'

const { url } = await startEmbeddedPostgres(process.argv[2] ?? '')
const lock = await lockInstance(url)
process.stdout.write(`${JSON.stringify({ url, locked: lock !== null })}\n`)
setInterval(() => {}, 1_000)
