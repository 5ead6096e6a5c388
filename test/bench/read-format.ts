/** Reads a file to its end as an import does and tells what that took: a process of its own, so that the peak of its memory is the file's. */
import { openTable } from '../../ingest/readers/table.ts'

const began = performance.now()
const table = await openTable(process.argv[2] ?? '')
let rows = 0
for await (const batch of table.rows()) rows += batch.length
const seconds = (performance.now() - began) / 1_000
process.stdout.write(JSON.stringify({ rows, seconds, peak: process.resourceUsage().maxRSS * 1024 }))
