/** Runs Vitest with the arguments given and ends with one plain line of counts; fails where anything failed or nothing ran. */
import { spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { countLine, type Report, tally } from './tally.ts'

const root = join(import.meta.dirname, '..')

/** Everything Vitest prints goes through but for the line that names our own temporary file. */
function runVitest(reportFile: string): Promise<number> {
  const vitest = join(root, 'node_modules/vitest/vitest.mjs')
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${reportFile}`]
  const colour = process.stdout.isTTY ? '--color' : '--no-color'
  const child = spawn(process.execPath, [vitest, 'run', colour, ...process.argv.slice(2), ...reporters], {
    cwd: root,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  createInterface({ input: child.stdout }).on('line', (line) => {
    if (!line.includes(reportFile)) console.log(line)
  })
  return new Promise((resolve, reject) => {
    child.on('error', reject)
    child.on('close', (code) => resolve(code ?? 1))
    // A process that a test left behind may hold the pipe open for ever: Vitest's own end is what counts.
    child.on('exit', (code) => setTimeout(resolve, 2_000, code ?? 1).unref())
  })
}

function readReport(reportFile: string): Report | null {
  try {
    return JSON.parse(readFileSync(reportFile, 'utf8'))
  } catch {
    return null
  }
}

// An interrupt reaches Vitest as well; we stay to say what had run.
process.on('SIGINT', () => {})

const folder = mkdtempSync(join(tmpdir(), 'assay-test-'))
process.on('exit', () => rmSync(folder, { recursive: true, force: true }))

const reportFile = join(folder, 'report.json')
const exitCode = await runVitest(reportFile)
const counts = tally(readReport(reportFile), exitCode)
for (const name of counts.unsteady) console.log(`passed at the second try: ${name}`)
for (const name of counts.skipped) console.log(`skipped: ${name}`)
console.log(countLine(counts))
process.exit(counts.failed > 0 || counts.passed === 0 ? 1 : 0)
