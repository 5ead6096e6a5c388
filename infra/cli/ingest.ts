/** `assay ingest FILE`: sends a file to a server and follows its import; the exit code is 0 only when the ledger balances. */
import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import { Readable } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Config } from '../config.ts'
import { readArguments } from './arguments.ts'
import { CommandError } from './command-error.ts'
import { grouped, progressLine } from './progress.ts'
import { table } from './table.ts'

interface Ledger {
  readonly read: number
  readonly created: number
  readonly updated: number
  readonly unchanged: number
  readonly duplicate: number
  readonly rejected: number
  /** Products that a snapshot withdrew. */
  readonly removed: number
  readonly warnings: Readonly<Record<string, number>>
  readonly notes: readonly string[]
  readonly importId: string
  /** The guard stopped it: nothing was appended, and a person decides. */
  readonly state?: 'held'
}

interface Job {
  readonly status: 'queued' | 'active' | 'completed' | 'failed'
  readonly progress: { readonly done: number; readonly total: number | null }
  readonly result: Ledger | null
  readonly error: { readonly code: string; readonly message: string } | null
}

const pollMs = 250
/** A server that is started again while an import is followed is back within this. */
const awayMs = 60_000
const results = ['created', 'updated', 'unchanged', 'duplicate', 'rejected'] as const

export async function ingest(args: string[], config: Config): Promise<number> {
  const { values, positionals } = readArguments(
    args,
    {
      workspace: { type: 'string', default: 'ws_demo' },
      catalog: { type: 'string' },
      source: { type: 'string' },
      map: { type: 'string', multiple: true },
      snapshot: { type: 'boolean', default: false },
      json: { type: 'boolean', default: false },
    },
    1,
  )
  const [file] = positionals
  if (file === undefined) throw new CommandError('Say which one file to ingest: assay ingest FILE')
  if (config.token === undefined) throw new CommandError('Set ASSAY_TOKEN to a token, as `assay token` prints one.')
  const server = client(config.url, config.token)
  const query = new URLSearchParams()
  if (values.catalog !== undefined) query.set('catalog_id', values.catalog)
  if (values.source !== undefined) query.set('source', values.source)
  if (values.snapshot) query.set('mode', 'snapshot')
  for (const map of values.map ?? []) query.append('map', map)
  const found = await stat(file).catch((cause: NodeJS.ErrnoException) => {
    throw new CommandError(
      `${file} cannot be read (${cause.code === 'ENOENT' ? 'there is no such file' : cause.code}).`,
    )
  })
  if (!found.isFile()) throw new CommandError(`${file} is no file.`)

  const path = `/api/workspace/${encodeURIComponent(values.workspace)}/datasets/ingest?${query}`
  const { job } = await server.send<{ job: { id: string } }>(path, file)
  const line = progressLine(file, 'rows')
  let heardAt = Date.now()
  for (;;) {
    const answer = await server.get<{ job: Job }>(`/jobs/${job.id}`).catch((error: Error) => {
      // The import goes on where it was when the server is back.
      if (error instanceof AwayError && Date.now() - heardAt < awayMs) return null
      throw error
    })
    if (answer === null) {
      await sleep(pollMs)
      continue
    }
    heardAt = Date.now()
    const state = answer.job
    line.show(state.progress.done, state.progress.total)
    if (state.status === 'completed' || state.status === 'failed') {
      line.end()
      return report(file, state, values.json)
    }
    await sleep(pollMs)
  }
}

function report(file: string, { result, error }: Job, json: boolean): number {
  if (json) process.stdout.write(`${JSON.stringify(result ?? { error })}\n`)
  if (result === null) {
    if (!json) process.stderr.write(`${file} was not imported: ${error?.message ?? 'the job failed'}\n`)
    return 1
  }
  if (result.state === 'held') {
    if (!json)
      process.stderr.write(
        `${file} is held, and nothing of it was imported.\n${result.notes.map((note) => `  ${note}\n`).join('')}Release or discard import ${result.importId}.\n`,
      )
    return 1
  }
  const balances = result.read === results.reduce((sum, name) => sum + result[name], 0)
  if (!json) {
    process.stdout.write(
      `${file}: ${grouped(result.read)} rows\n${table(results.map((name) => [name, result[name]]))}\n`,
    )
    if (result.removed > 0) process.stdout.write(`  ${grouped(result.removed)} products withdrawn\n`)
    for (const note of result.notes) process.stdout.write(`  ${note}\n`)
    const warnings = Object.entries(result.warnings)
    if (warnings.length > 0) process.stdout.write(`warnings\n${table(warnings)}\n`)
    if (!balances) process.stderr.write('The ledger does not balance.\n')
  }
  return balances ? 0 : 1
}

/** The server cannot be reached, or says that it cannot answer now. */
class AwayError extends CommandError {}

function client(base: string, token: string) {
  const headers = { authorization: `Bearer ${token}` }
  const answer = async <T>(path: string, init: RequestInit): Promise<T> => {
    const response = await fetch(new URL(path, base), init).catch((cause: Error) => {
      throw new AwayError(`No server answers at ${base}: start one with \`assay serve\`, or set ASSAY_URL.`, {
        cause,
      })
    })
    const body = (await response.json().catch(() => null)) as
      | (T & { error?: string | { message?: string }; details?: { message?: string } })
      | null
    if (response.ok && body) return body
    const said = typeof body?.error === 'object' ? body.error.message : (body?.details?.message ?? body?.error)
    const Refusal = response.status === 503 ? AwayError : CommandError
    throw new Refusal(`The server answered ${response.status}: ${said ?? response.statusText}`)
  }
  return {
    get: <T>(path: string) => answer<T>(path, { headers }),
    send: async <T>(path: string, file: string) => {
      const body = createReadStream(file)
      let unread: NodeJS.ErrnoException | undefined
      body.on('error', (error) => {
        unread = error
      })
      return answer<T>(path, {
        method: 'POST',
        headers: { ...headers, 'content-type': 'application/octet-stream' },
        body: Readable.toWeb(body),
        duplex: 'half',
      } as RequestInit).catch((error: Error) => {
        throw unread ? new CommandError(`${file} cannot be read (${unread.code}).`, { cause: unread }) : error
      })
    },
  }
}
