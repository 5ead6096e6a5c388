/** Reads a file to its end as an import does and tells what that took: a process of its own, so that the peak of its memory is the file's. */
import { readFile } from 'node:fs/promises'
import { openTable } from '../../ingest/readers/table.ts'

const began = performance.now()
const table = await openTable(process.argv[2] ?? '')
let rows = 0
for await (const batch of table.rows()) rows += batch.length
const seconds = (performance.now() - began) / 1_000
// `maxRSS` begins with what the process that started this one had: the next file's reader seemed to take what the last file's writer did.
const peak = /^VmHWM:\s*(\d+) kB$/m.exec(await readFile('/proc/self/status', 'utf8').catch(() => ''))?.[1]
process.stdout.write(JSON.stringify({ rows, seconds, peak: Number(peak ?? process.resourceUsage().maxRSS) * 1024 }))
