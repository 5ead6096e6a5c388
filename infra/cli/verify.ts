/** `assay verify --catalog ID`: has a server compare a catalog with its log; the exit code is 0 only where all can be compared and nothing differs. */
import { type Hole, saysHoles } from '../../schemas/log-incomplete.ts'
import type { Config } from '../config.ts'
import { readArguments } from './arguments.ts'
import { client } from './client.ts'
import { CommandError } from './command-error.ts'
import { differenceTable, type ShownDifference } from './difference-table.ts'
import { followJob } from './follow-job.ts'
import { grouped } from './progress.ts'
import { table } from './table.ts'

interface Verification {
  readonly compared: number
  readonly equal: number
  readonly differing: number
  readonly stale: number
  readonly unsure: number
  readonly holes: readonly Hole[]
  readonly examples: readonly ShownDifference[]
  readonly lost: number
  readonly lostProducts: readonly string[]
}

const counts = ['equal', 'differing', 'stale', 'unsure'] as const

const print = (line: string) => process.stdout.write(`${line}\n`)

export async function verify(args: string[], config: Config): Promise<number> {
  const { values } = readArguments(args, {
    workspace: { type: 'string', default: 'ws_demo' },
    catalog: { type: 'string' },
    sample: { type: 'string' },
    all: { type: 'boolean', default: false },
    json: { type: 'boolean', default: false },
  })
  const { catalog, sample, all, json } = values
  if (catalog === undefined) throw new CommandError('Say which catalog to verify: assay verify --catalog ID')
  if (sample !== undefined && all) throw new CommandError('Say --sample or --all, and not both.')
  if (sample !== undefined && !/^[1-9]\d{0,6}$/.test(sample))
    throw new CommandError(`--sample takes a number of products, not "${sample}".`)
  if (config.token === undefined) throw new CommandError('Set ASSAY_TOKEN to a token, as `assay token` prints one.')
  const server = client(config.url, config.token)
  const path = `/api/workspace/${encodeURIComponent(values.workspace)}/catalogs/${encodeURIComponent(catalog)}/verify`
  const what = all ? { all } : sample === undefined ? {} : { sample: Number(sample) }
  const { job } = await server.post<{ job: { id: string } }>(path, what)
  const { status, result, error } = await followJob<Verification>(server, job.id, 'verify', 'products')
  if (json) print(JSON.stringify(result ?? { error }))
  if (status === 'failed' || result === null) {
    if (!json) process.stderr.write(`The catalog was not verified: ${error?.message ?? 'the job failed'}\n`)
    return 1
  }
  if (!json) report(result)
  return result.differing + result.unsure === 0 ? 0 : 1
}

function report(result: Verification): void {
  print(`${grouped(result.compared)} products compared\n${table(counts.map((name) => [name, result[name]]))}`)
  for (const line of differenceTable(result.examples, result.differing - result.lost)) print(line)
  if (result.unsure > 0) print(`${saysHoles(result.holes)}; products that may have had records there are not compared`)
  if (result.lost === 0) return
  print(`${grouped(result.lost)} of those that differ are on the log and have no row; assay rebuild brings them back:`)
  for (const id of result.lostProducts) print(`  ${id}`)
}
