/** `assay dead-letters [list | show ID | redrive]`: what no step could read, as a table, and redriving it through a server. */
import type { Config } from '../config.ts'
import { readArguments } from './arguments.ts'
import { type Client, client } from './client.ts'
import { CommandError } from './command-error.ts'
import { followJob } from './follow-job.ts'
import { grouped } from './progress.ts'
import { table } from './table.ts'

interface Letter {
  readonly id: string
  readonly kind: string
  readonly says: string
  readonly reason: string
  readonly state: string
  readonly attempts: number
  readonly source: string | null
  readonly diedAt: string
}

interface Listed {
  readonly deadLetters: readonly Letter[]
  readonly kinds: readonly {
    readonly kind: string
    readonly says: string
    readonly count: number
    readonly sample: Letter
  }[]
  readonly next: string | null
}

interface Shown {
  readonly deadLetter: Letter
  readonly attempts: readonly {
    attempt: number
    at: string
    by: string | null
    result: string
    reason: string | null
  }[]
  readonly record: unknown
  readonly bytes: string | null
  /** Why there is neither. */
  readonly missing: string | null
}

interface Redriven {
  readonly dryRun: boolean
  readonly matched: number
  readonly created: number
  readonly updated: number
  readonly unchanged: number
  readonly stillDead: number
  readonly reasons: Readonly<Record<string, number>>
}

const mostCharacters = 60
const print = (line: string) => process.stdout.write(`${line}\n`)
const cut = (text: string) => (text.length > mostCharacters ? `${text.slice(0, mostCharacters - 1)}…` : text)

const filters = ['catalog', 'import', 'kind', 'topic', 'state', 'since', 'until'] as const
/** In the API's words. */
const nameOf = (filter: (typeof filters)[number]) =>
  filter === 'catalog' || filter === 'import' ? `${filter}_id` : filter

export async function deadLetters(args: string[], config: Config): Promise<number> {
  const text = { type: 'string' } as const
  const { values, positionals } = readArguments(
    args,
    {
      ...{ catalog: text, import: text, kind: text, topic: text, state: text, since: text, until: text },
      ...{ limit: text, rate: text, workspace: { type: 'string', default: 'ws_demo' } },
      all: { type: 'boolean', default: false },
      'dry-run': { type: 'boolean', default: false },
      json: { type: 'boolean', default: false },
    },
    1_001,
  )
  const [what = 'list', ...ids] = positionals
  if (config.token === undefined) throw new CommandError('Set ASSAY_TOKEN to a token, as `assay token` prints one.')
  const server = client(config.url, config.token)
  const path = `/api/workspace/${encodeURIComponent(values.workspace)}/dead-letters`
  const said = Object.fromEntries(
    filters.flatMap((name) => (values[name] === undefined ? [] : [[nameOf(name), values[name]]])),
  )
  if (what === 'show') {
    if (ids.length !== 1) throw new CommandError('Say which one to show: assay dead-letters show ID')
    return show(await server.get<Shown>(`${path}/${encodeURIComponent(ids[0] ?? '')}`), values.json)
  }
  if (what === 'redrive') {
    const { state: _, ...filter } = said
    const which = ids.length > 0 ? { ...filter, ids } : values.all ? { ...filter, all: true } : filter
    if (Object.keys(which).length === 0)
      throw new CommandError(
        'Say which to redrive: ids, --kind, --catalog, --import, --topic, --since, --until, or --all.',
      )
    const more = { rate: numberOf(values.rate, 'rate'), dry_run: values['dry-run'] || undefined }
    return redrive(server, path, { ...which, ...more }, values.json)
  }
  if (what !== 'list' || ids.length > 0)
    throw new CommandError(`"${[what, ...ids].join(' ')}" is not known: assay dead-letters [list | show ID | redrive].`)
  const limit = numberOf(values.limit, 'limit')
  const query = new URLSearchParams({
    state: 'dead',
    ...said,
    ...(limit === undefined ? {} : { limit: String(limit) }),
  })
  return list(await server.get<Listed>(`${path}?${query}`), values.json)
}

function numberOf(text: string | undefined, flag: string): number | undefined {
  if (text === undefined) return undefined
  if (!/^[1-9]\d{0,5}$/.test(text)) throw new CommandError(`--${flag} takes a number, not "${text}".`)
  return Number(text)
}

function list(listed: Listed, json: boolean): number {
  const { deadLetters: letters, kinds, next } = listed
  if (json) print(JSON.stringify(listed))
  else if (letters.length === 0) print('No dead letters.')
  else {
    print(
      table([
        ['kind', 'count', 'reason of the newest'],
        ...kinds.map((one) => [one.kind, one.count, cut(one.sample.reason)]),
      ]),
    )
    print('')
    const rows = letters.map(({ id, kind, attempts, diedAt, source, reason }) => [
      ...[id, kind, attempts, diedAt, source ?? '-', cut(reason)],
    ])
    print(table([['id', 'kind', 'attempts', 'died', 'source', 'reason'], ...rows]))
    if (next !== null) print('… and more; --limit shows up to 200')
  }
  return 0
}

function show(shown: Shown, json: boolean): number {
  const { deadLetter: letter, attempts, record, bytes, missing } = shown
  if (json) {
    print(JSON.stringify(shown))
    return 0
  }
  print(`${letter.id} is ${letter.state}: ${letter.reason} (${letter.kind}: ${letter.says})\n`)
  const rows = attempts.map(({ attempt, at, by, result, reason }) => [
    attempt,
    at,
    by ?? '-',
    result,
    cut(reason ?? ''),
  ])
  print(table([['attempt', 'at', 'by', 'result', 'reason'], ...rows]))
  print(`\n${record === null ? (bytes ?? `There is no record: ${missing}.`) : JSON.stringify(record, null, 2)}`)
  return 0
}

async function redrive(server: Client, path: string, body: object, json: boolean): Promise<number> {
  const { job } = await server.post<{ job: { id: string } }>(`${path}/redrive`, body)
  const { status, result, error } = await followJob<Redriven>(server, job.id, 'redrive', 'letters')
  if (json) print(JSON.stringify(result ?? { error }))
  if (status === 'failed' || result === null) {
    if (!json) process.stderr.write(`The dead letters were not redriven: ${error?.message ?? 'the job failed'}\n`)
    return 1
  }
  if (json) return 0
  const { dryRun, matched, created, updated, unchanged, stillDead, reasons } = result
  print(`${grouped(matched)} dead letters ${dryRun ? 'would be' : 'were'} redriven`)
  print(
    table([
      ['created', created],
      ['updated', updated],
      ['unchanged', unchanged],
      ['still dead', stillDead],
      ...Object.entries(reasons).map(([kind, count]) => [`  ${kind}`, count]),
    ]),
  )
  return 0
}
