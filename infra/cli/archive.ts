/** `assay archive [run | list | verify]`: archives what the log has now, shows the archive's files, or checks each of them. */
import type { ArchivedRange } from '../../schemas/archive.ts'
import type { ArchiveFault } from '../archive/verify-archive.ts'
import type { Config } from '../config.ts'
import { openLogger } from '../logger.ts'
import type { Archiving } from '../system/archiving.ts'
import { readArguments } from './arguments.ts'
import { CommandError } from './command-error.ts'
import { grouped, progressLine } from './progress.ts'
import { table } from './table.ts'

const print = (line: string) => process.stdout.write(`${line}\n`)
const stopped = () => {
  const stop = new AbortController()
  for (const signal of ['SIGINT', 'SIGTERM'] as const)
    process.once(signal, () => stop.abort(new CommandError('It was stopped; what counts already is kept.')))
  return stop.signal
}

const parts = { run, list, verify }

export async function archive(args: string[], config: Config): Promise<number> {
  const { values, positionals } = readArguments(args, { json: { type: 'boolean', default: false } }, 1)
  const name = positionals[0] ?? 'run'
  if (!Object.hasOwn(parts, name))
    throw new CommandError(`There is no "${name}"; say assay archive run, list or verify.`)
  const { openSystem } = await import('../system.ts')
  const alone = config.databaseUrl === undefined ? 'if none lives' : false
  const system = await openSystem(config, openLogger('silent'), { roles: [], alone })
  try {
    return await parts[name as keyof typeof parts](system.archiving, values.json, stopped())
  } finally {
    await system.close()
  }
}

async function run(archiving: Archiving, json: boolean, signal: AbortSignal): Promise<number> {
  const written: ArchivedRange[] = []
  let records = 0
  const progress = progressLine('archive', 'records')
  const files = await archiving
    .runNow(signal, (range) => {
      written.push(range)
      records += range.records
      progress.show(records, null)
    })
    .finally(() => progress.end())
  if (files === null) throw new CommandError('Another process is archiving; try again when it has ended.')
  if (json) print(JSON.stringify({ archive: archiving.place, written }))
  else print(`${grouped(records)} records in ${grouped(files)} new files in ${archiving.place}`)
  return 0
}

async function list(archiving: Archiving, json: boolean): Promise<number> {
  const files = await archiving.list()
  if (json) print(JSON.stringify({ archive: archiving.place, files }))
  else if (files.length === 0) print('Nothing is archived yet.')
  else
    print(
      table([
        ['epoch', 'topic', 'partition', 'from', 'to', 'records', 'bytes', 'file'],
        ...files.map((one) => [
          one.epoch,
          one.topic,
          one.partition,
          one.from,
          one.to - 1,
          one.records,
          one.fileBytes,
          one.path,
        ]),
      ]),
    )
  return 0
}

interface Tally {
  files: number
  records: number
  to: number
  bytes: number
  faults: number
}

async function verify(archiving: Archiving, json: boolean, signal: AbortSignal): Promise<number> {
  const tallies = new Map<string, { of: ArchivedRange; tally: Tally }>()
  const faults = await archiving.verify(signal, (range, found) => {
    const of = `${range.epoch}/${range.topic}/${range.partition}`
    const entry = tallies.get(of) ?? { of: range, tally: { files: 0, records: 0, to: 0, bytes: 0, faults: 0 } }
    tallies.set(of, entry)
    add(entry.tally, range, found)
  })
  const partitions = [...tallies.values()].map(({ of: { epoch, topic, partition }, tally }) => ({
    ...{ epoch, topic, partition },
    ...tally,
  }))
  if (json) print(JSON.stringify({ archive: archiving.place, partitions, faults }))
  else report(partitions, faults)
  return faults.length === 0 ? 0 : 1
}

function add(tally: Tally, range: ArchivedRange, found: readonly ArchiveFault[]): void {
  tally.files++
  tally.records += range.records
  tally.to = range.to
  tally.bytes += range.fileBytes
  tally.faults += found.length
}

function report(
  partitions: readonly (Tally & Pick<ArchivedRange, 'epoch' | 'topic' | 'partition'>)[],
  faults: readonly ArchiveFault[],
): void {
  if (partitions.length === 0) print('Nothing is archived yet.')
  else
    print(
      table([
        ['epoch', 'topic', 'partition', 'files', 'records', 'up to', 'bytes', 'faults'],
        ...partitions.map((p) => [p.epoch, p.topic, p.partition, p.files, p.records, p.to - 1, p.bytes, p.faults]),
      ]),
    )
  for (const { path, says } of faults) print(`${path}: ${says}`)
  if (faults.length === 0 && partitions.length > 0)
    print('Every file is what was written, and no offset is missing or twice.')
}
