/** `assay rebuild --catalog ID | --all`: has a server make catalogs anew from the log; the exit code is 0 where all of each could be made. */
import type { Config } from '../config.ts'
import { readArguments } from './arguments.ts'
import { type Client, client } from './client.ts'
import { CommandError } from './command-error.ts'
import { differenceTable, type ShownDifference } from './difference-table.ts'
import { followJob } from './follow-job.ts'
import { grouped } from './progress.ts'
import { table } from './table.ts'

const counts = ['equal', 'stale', 'mended', 'restored', 'unfounded', 'failed'] as const

type Rebuilt = Readonly<Record<(typeof counts)[number] | 'compared' | 'ranks', number>> & {
  readonly examples: readonly ShownDifference[]
}

const print = (line: string) => process.stdout.write(`${line}\n`)

export async function rebuild(args: string[], config: Config): Promise<number> {
  const { values } = readArguments(args, {
    workspace: { type: 'string', default: 'ws_demo' },
    catalog: { type: 'string' },
    all: { type: 'boolean', default: false },
    json: { type: 'boolean', default: false },
  })
  const { catalog, all, json } = values
  if ((catalog === undefined) === !all)
    throw new CommandError('Say what to rebuild: assay rebuild --catalog ID, or --all.')
  if (config.token === undefined) throw new CommandError('Set ASSAY_TOKEN to a token, as `assay token` prints one.')
  const server = client(config.url, config.token)
  const base = `/api/workspace/${encodeURIComponent(values.workspace)}/catalogs`
  let code = 0
  for (const id of catalog === undefined ? await catalogIds(server, base) : [catalog]) {
    const { job } = await server.post<{ job: { id: string } }>(`${base}/${encodeURIComponent(id)}/rebuild`, {})
    const { status, result, error } = await followJob<Rebuilt>(server, job.id, 'rebuild', 'products')
    if (json) print(JSON.stringify({ catalogId: id, ...(result ?? { error }) }))
    const failed = status === 'failed' || result === null
    if (failed && !json) process.stderr.write(`Catalog ${id} was not rebuilt: ${error?.message ?? 'the job failed'}\n`)
    if (!failed && !json) report(id, result)
    if (failed || result.failed + result.unfounded > 0) code = 1
  }
  return code
}

async function catalogIds(server: Client, base: string): Promise<string[]> {
  const ids: string[] = []
  for (let after: string | null = ''; after !== null; ) {
    const query: string = after === '' ? '' : `&after=${encodeURIComponent(after)}`
    const page = await server.get<{ catalogs: { id: string }[]; next: string | null }>(`${base}?limit=200${query}`)
    ids.push(...page.catalogs.map(({ id }) => id))
    after = page.next
  }
  return ids
}

function report(catalog: string, result: Rebuilt): void {
  print(`catalog ${catalog}: ${grouped(result.compared)} products compared`)
  print(table([...counts, 'ranks' as const].map((name) => [name, result[name]])))
  for (const line of differenceTable(result.examples, result.mended + result.unfounded + result.failed)) print(line)
}
