/** `npm run bench formats [rows]`: how fast a file of each format is read, finding its columns included, and the memory of the process that does; CSV is the baseline. */
import { execFile } from 'node:child_process'
import { mkdtemp, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { table } from '../../infra/cli/table.ts'
import { formats } from './format-files.ts'

const run = promisify(execFile)
/** As `npm start` runs the server. */
const flags = ['--disable-warning=ExperimentalWarning', '--max-semi-space-size=16']
const least = { ofCsv: 0.5, xlsxRows: 15_000 }

export async function formatsBench(args: string[]): Promise<void> {
  const rows = Number(args[0] ?? 1_000_000)
  const folder = await mkdtemp(join(tmpdir(), 'assay-bench-'))
  const lines: string[][] = []
  let csv = 0
  try {
    for (const [name, write] of Object.entries(formats)) {
      process.stderr.write(`${name}: `)
      const path = join(folder, name)
      await write(path, rows, folder)
      process.stderr.write('written, ')
      const reader = join(import.meta.dirname, 'read-format.ts')
      const { stdout } = await run(process.execPath, [...flags, reader, path])
      const read = JSON.parse(stdout) as { rows: number; seconds: number; peak: number }
      process.stderr.write('read\n')
      if (read.rows !== rows) throw new Error(`${name} has ${rows} rows and gave ${read.rows}`)
      const rate = read.rows / read.seconds
      if (csv === 0) csv = rate
      const { size } = await stat(path)
      const mb = (bytes: number) => String(Math.round(bytes / 1e6))
      lines.push([name.slice(2), mb(size), `${Math.round(rate)}/s`, (rate / csv).toFixed(2), mb(read.peak)])
      // Packed ones are made of it.
      if (name !== 'a.csv') await rm(path)
    }
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
  process.stdout.write(`${table([['format', 'MB', 'read', 'of CSV', 'peak MB'], ...lines])}\n`)
  process.stdout.write(`bars: ${least.ofCsv} of CSV each; XLSX ${least.xlsxRows}/s\n`)
}
