/** `npm run faults [NAME]…`: runs the fault programs, the long form of what the suite does in short, and tells what each found. */
import { parseArgs } from 'node:util'
import { table } from '../../infra/cli/table.ts'
import { checkAnswers } from './check-answers.ts'
import { killImport } from './kill-import.ts'
import { longSuite } from './long-suite.ts'
import { stopBrokers } from './stop-brokers.ts'
import { stopEvents } from './stop-events.ts'
import { stopPostgres } from './stop-postgres.ts'

interface Options {
  readonly rows: number
  readonly kills: number
  readonly seed: number
  readonly say: (text: string) => void
}

/** Each says what is wrong in the end; nothing when its promise is kept. */
const programs: readonly { name: string; promise: string; run: (options: Options) => Promise<string[]> }[] = [
  { name: 'kill', promise: 'killed at any instant: nothing lost, nothing twice', run: killImport },
  { name: 'postgres', promise: 'Postgres away for a while: nothing lost, nothing twice', run: stopPostgres },
  {
    name: 'events',
    promise: 'ClickHouse away for a minute: events are taken, none lost, none twice',
    run: ({ say }) => stopEvents({ awayMs: 60_000, say }),
  },
  {
    name: 'answers',
    promise: 'over a million events, twice, late and odd: 300 questions are answered as DuckDB answers them',
    run: ({ seed, say }) => checkAnswers({ events: 1_000_000, seed, say }),
  },
  {
    name: 'suite',
    promise: 'what the suite tries with few generated cases, rows, kills and files holds with all of them',
    run: longSuite,
  },
  {
    name: 'kafka',
    promise: 'brokers away, their leaders moved, one full: nothing lost, nothing twice',
    run: stopBrokers,
  },
]

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    rows: { type: 'string', default: '60000' },
    kills: { type: 'string', default: '12' },
    seed: { type: 'string', default: String(Date.now() % 1_000_000) },
  },
})
const options = { rows: Number(values.rows), kills: Number(values.kills), seed: Number(values.seed) }
const unknown = positionals.find((name) => !programs.some((program) => program.name === name))
if (unknown !== undefined) {
  process.stderr.write(`There is no fault program "${unknown}": ${programs.map(({ name }) => name).join(', ')}.\n`)
  process.exit(2)
}

for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => process.exit(130))
process.stdout.write(`${options.rows} rows, ${options.kills} kills, seed ${options.seed}\n`)
const rows: (string | number)[][] = []
let faults = 0
for (const { name, promise, run } of programs) {
  if (positionals.length > 0 && !positionals.includes(name)) continue
  const began = performance.now()
  const say = (text: string) =>
    void process.stderr.write(`${((performance.now() - began) / 1_000).toFixed(1)} s  ${text}\n`)
  const found = await run({ ...options, say }).catch((error: Error) => [error.message])
  faults += found.length
  rows.push([
    name,
    promise,
    `${Math.round((performance.now() - began) / 1_000)} s`,
    found.length === 0 ? 'kept' : 'BROKEN',
  ])
  for (const fault of found) rows.push(['', fault, '', ''])
}
process.stdout.write(`${table(rows)}\n`)
process.exit(faults === 0 ? 0 : 1)
