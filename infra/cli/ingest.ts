/** `assay ingest FILE`: sends a file to a server and follows its import, or with --dry-run what an import would do; the exit code is 0 only when the ledger balances. */
import { stat } from 'node:fs/promises'
import type { Config } from '../config.ts'
import { readArguments } from './arguments.ts'
import { client } from './client.ts'
import { CommandError } from './command-error.ts'
import { followJob } from './follow-job.ts'
import { type DryLedger, reportDryRun, reportImport } from './ledger-report.ts'
import { progressLine } from './progress.ts'
import { sendInParts } from './send-in-parts.ts'

/** What is larger is sent in parts, so that a line that breaks costs no more than one of them. */
const wholeBytes = 64 * 1024 ** 2

export async function ingest(args: string[], config: Config): Promise<number> {
  const { values, positionals } = readArguments(
    args,
    {
      workspace: { type: 'string', default: 'ws_demo' },
      catalog: { type: 'string' },
      source: { type: 'string' },
      encoding: { type: 'string' },
      sheet: { type: 'string' },
      map: { type: 'string', multiple: true },
      snapshot: { type: 'boolean', default: false },
      'dry-run': { type: 'boolean', default: false },
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
  if (values.encoding !== undefined) query.set('encoding', values.encoding)
  if (values.sheet !== undefined) query.set('sheet', values.sheet)
  if (values.snapshot) query.set('mode', 'snapshot')
  for (const map of values.map ?? []) query.append('map', map)
  const size = await sizeOf(file)
  const base = `/api/workspace/${encodeURIComponent(values.workspace)}`

  if (values['dry-run']) {
    const sent = await server.send<{ job: { id: string }; preview: unknown }>(`${base}/import/preview?${query}`, file)
    const job = await followJob<DryLedger>(server, sent.job.id, file)
    return reportDryRun(file, sent.preview, job, values.json)
  }
  const line = progressLine(file, 'MB sent')
  const megabytes = (bytes: number) => Math.ceil(bytes / 1e6)
  const { job } =
    size > wholeBytes
      ? await sendInParts(server, base, query, file, (done, total) => line.show(megabytes(done), megabytes(total)))
      : await server.send<{ job: { id: string } }>(`${base}/datasets/ingest?${query}`, file)
  line.end()
  return reportImport(file, await followJob(server, job.id, file), values.json)
}

async function sizeOf(file: string): Promise<number> {
  const found = await stat(file).catch((cause: NodeJS.ErrnoException) => {
    throw new CommandError(
      `${file} cannot be read (${cause.code === 'ENOENT' ? 'there is no such file' : cause.code}).`,
    )
  })
  if (!found.isFile()) throw new CommandError(`${file} is no file.`)
  return found.size
}
