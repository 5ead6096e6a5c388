/** `npm run bench formats [rows] [xml …]`: products a second from a file of each format to scored rows through the real program, and how fast the same file is only read; CSV is the baseline. */
import { execFile } from 'node:child_process'
import { mkdtemp, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { table } from '../../infra/cli/table.ts'
import { formats } from './format-files.ts'
import { importFile } from './import-file.ts'
import { watchMemory } from './node-memory.ts'
import { serveForBench } from './serving.ts'

const run = promisify(execFile)
/** As `npm start` runs the server. */
const flags = ['--disable-warning=ExperimentalWarning', '--max-semi-space-size=32', '--no-allocation-site-pretenuring']
const heads = ['format', 'MB', 'imported', 'of CSV', 'server MB', 'transforms MB', 'only read', 'reader MB']
const least = { ofCsv: 0.5, xlsxRows: 15_000 }

interface Read {
  readonly rows: number
  readonly seconds: number
  readonly peak: number
}

export async function formatsBench(args: string[]): Promise<void> {
  const [count = 1_000_000, ...only] = args
  const rows = Number(count)
  const folder = await mkdtemp(join(tmpdir(), 'assay-bench-'))
  const lines: string[][] = []
  let csv = 0
  try {
    for (const [name, write] of Object.entries(formats)) {
      // CSV always: it is what the others are compared with, and packed ones are made of it.
      if (name !== 'a.csv' && only.length > 0 && !only.includes(name.slice(2))) continue
      const path = join(folder, name)
      await write(path, rows, folder)
      const read = await readAlone(path)
      if (read.rows !== rows) throw new Error(`${name} has ${rows} rows and gave ${read.rows}`)
      const { seconds, memory } = await imported(path)
      if (csv === 0) csv = seconds
      const perSecond = (time: number) => `${Math.round(rows / time)}/s`
      const mb = (bytes = 0) => String(Math.round(bytes / 1e6))
      lines.push([
        name.slice(2),
        mb((await stat(path)).size),
        perSecond(seconds),
        (csv / seconds).toFixed(2),
        mb(memory.get('server')),
        mb(memory.get('transforms')),
        perSecond(read.seconds),
        mb(read.peak),
      ])
      // At once: what breaks off later must not take it along.
      process.stderr.write(`${table([heads, ...lines.slice(-1)])}\n`)
      // Packed ones are made of it.
      if (name !== 'a.csv') await rm(path)
    }
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
  process.stdout.write(`${table([heads, ...lines])}\n`)
  process.stdout.write(`bars: ${least.ofCsv} of CSV each; XLSX only read ${least.xlsxRows}/s\n`)
}

/** In a process of its own, so that the peak of its memory is the file's. */
async function readAlone(path: string): Promise<Read> {
  const reader = join(import.meta.dirname, 'read-format.ts')
  const { stdout } = await run(process.execPath, [...flags, reader, path])
  return JSON.parse(stdout)
}

/** Into an empty catalog of a server of its own. */
async function imported(path: string): Promise<{ seconds: number; memory: ReadonlyMap<string, number> }> {
  const assay = await serveForBench()
  const memory = watchMemory(assay.pid)
  try {
    const seconds = await importFile(assay.url, assay.token, path)
    return { seconds, memory: memory.take() }
  } finally {
    memory.stop()
    await assay.close()
  }
}
