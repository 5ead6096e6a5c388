/** `assay replay`: has a server replay the log into a shadow and prints the verdict; `assay replay promote ID` and `… discard ID` decide on it. */
import { readFile, writeFile } from 'node:fs/promises'
import type { Config } from '../config.ts'
import { readArguments } from './arguments.ts'
import { type Client, client } from './client.ts'
import { CommandError } from './command-error.ts'
import { followJob } from './follow-job.ts'
import { type PrintedVerdict, printVerdict } from './verdict-report.ts'

const print = (line: string) => process.stdout.write(`${line}\n`)

export async function replay(args: string[], config: Config): Promise<number> {
  const { values, positionals } = readArguments(args, options, 2)
  if (config.token === undefined) throw new CommandError('Set ASSAY_TOKEN to a token, as `assay token` prints one.')
  const server = client(config.url, config.token)
  const base = `/api/workspace/${encodeURIComponent(values.workspace)}/replays`
  const [decision, id] = positionals
  if (decision === undefined) return make(server, base, values)
  if (decision !== 'promote' && decision !== 'discard')
    throw new CommandError(`A replay is promoted or discarded, not "${decision}"; see assay --help.`)
  if (id === undefined) throw new CommandError(`Say which replay: assay replay ${decision} ID`)
  const path = `${base}/${encodeURIComponent(id)}/${decision}`
  return decision === 'promote' ? promote(server, path, id) : discard(server, path, id)
}

const options = {
  workspace: { type: 'string', default: 'ws_demo' },
  catalog: { type: 'string' },
  brand: { type: 'string' },
  key: { type: 'string', multiple: true },
  offsets: { type: 'string', multiple: true },
  from: { type: 'string' },
  to: { type: 'string' },
  import: { type: 'string' },
  settings: { type: 'string' },
  rate: { type: 'string' },
  share: { type: 'string' },
  out: { type: 'string' },
  json: { type: 'boolean', default: false },
} as const

type Values = ReturnType<typeof readArguments<typeof options>>['values']

async function make(server: Client, base: string, values: Values): Promise<number> {
  const { job, replay } = await server.post<{ job: { id: string }; replay: { id: string } }>(base, await bodyOf(values))
  const { error } = await followJob(server, job.id, 'replay', 'products')
  const { json, out } = values
  if (error) {
    if (json) print(JSON.stringify({ error }))
    else process.stderr.write(`The log was not replayed: ${error.message}\n`)
    return 1
  }
  const verdict = await server.get<PrintedVerdict>(`${base}/${replay.id}/verdict`)
  if (out !== undefined) await writeFile(out, `${JSON.stringify(verdict, null, 2)}\n`)
  if (json) print(JSON.stringify({ replay: replay.id, verdict }))
  else {
    printVerdict(verdict, print)
    print(
      `Nothing was changed. To have it: assay replay promote ${replay.id}; to let it go: assay replay discard ${replay.id}`,
    )
  }
  return 0
}

async function promote(server: Client, path: string, id: string): Promise<number> {
  const { job } = await server.post<{ job: { id: string } }>(path, {})
  const { error } = await followJob(server, job.id, 'promote', 'products')
  if (error)
    process.stderr.write(`The replay was not promoted to its end: ${error.message}; asked again, it goes on.\n`)
  else print(`Replay ${id} is promoted.`)
  return error ? 1 : 0
}

async function discard(server: Client, path: string, id: string): Promise<number> {
  await server.post(path, {})
  print(`Replay ${id} is discarded.`)
  return 0
}

async function bodyOf(values: Values): Promise<object> {
  const { catalog, brand, key, from, to, rate, share, settings } = values
  const range = {
    ...(values.offsets ? { offsets: values.offsets.map(stretch) } : {}),
    ...(from === undefined ? {} : { from: moment('from', from) }),
    ...(to === undefined ? {} : { to: moment('to', to) }),
    ...(values.import === undefined ? {} : { import_id: values.import }),
  }
  return {
    ...(catalog === undefined ? {} : { catalog_id: catalog }),
    ...(brand === undefined ? {} : { brand_id: brand }),
    ...(Object.keys(range).length === 0 ? {} : { range }),
    ...(key === undefined ? {} : { product_ids: key }),
    ...(settings === undefined ? {} : { settings: await settingsIn(settings) }),
    ...(rate === undefined ? {} : { rate: number('rate', rate) }),
    ...(share === undefined ? {} : { share: number('share', share) }),
  }
}

/** `2:100-500`, or `2:100-` up to the end; `1/2:100-500` of an epoch before the present one. */
function stretch(text: string): object {
  const [, epoch, partition, from, to] = /^(?:(\d{1,6})\/)?(\d{1,6}):(\d{1,15})-(\d{0,15})$/.exec(text) ?? []
  if (partition === undefined || from === undefined)
    throw new CommandError(
      `--offsets takes PARTITION:FROM-TO, as 2:100-500 or, of a former epoch, 1/2:100-500, not "${text}".`,
    )
  return {
    ...(epoch ? { epoch: Number(epoch) } : {}),
    ...{ partition: Number(partition), from: Number(from), ...(to ? { to: Number(to) } : {}) },
  }
}

function moment(name: string, text: string): string {
  const ms = Date.parse(text)
  if (Number.isNaN(ms)) throw new CommandError(`--${name} takes a time, as 2026-11-28T09:30:00Z, not "${text}".`)
  return new Date(ms).toISOString()
}

function number(name: string, text: string): number {
  const value = Number(text)
  if (text.trim() === '' || !Number.isFinite(value)) throw new CommandError(`--${name} takes a number, not "${text}".`)
  return value
}

async function settingsIn(path: string): Promise<unknown> {
  const text = await readFile(path, 'utf8').catch((cause: NodeJS.ErrnoException) => {
    throw new CommandError(`${path} cannot be read (${cause.code}).`, { cause })
  })
  try {
    return JSON.parse(text)
  } catch (cause) {
    throw new CommandError(`${path} is no JSON.`, { cause })
  }
}
