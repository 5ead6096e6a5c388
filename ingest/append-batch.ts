/** Appends one batch of an import: identities, the reader's own results, the records and how far it has come. */
import type { PoolClient } from 'pg'
import type { ImportOffsets } from '../infra/catalog/imports.ts'
import type { Log, OffsetRange } from '../infra/log/port.ts'
import { topics } from '../schemas/topics.ts'
import { afterRegister } from './after-register.ts'
import { batchRecords, type CaseOnly, ownResults } from './batch-records.ts'
import type { ImportPorts } from './import-ports.ts'
import type { Judged } from './judged.ts'
import type { Run } from './pass-one.ts'

/** A rival registers the same identifiers once; more collisions than this are a fault of ours. */
const maxTries = 5

/** @param before how far the import has come; @param cased SKUs that differ only by case, told with the first batch */
export async function appendBatch(
  run: Run,
  ports: ImportPorts,
  batch: readonly Judged[],
  before: { readonly offsets: ImportOffsets | null; readonly appendedSeq: number },
  parents: Map<string, string>,
  cased: readonly CaseOnly[],
): Promise<ImportOffsets | null> {
  const { row } = run
  const { store, identities, log } = ports
  const own = ownResults(batch, cased, run.context.mapping)
  const first = batch[0]?.item.seq ?? 0
  const last = batch.at(-1)?.item.seq ?? 0
  for (let empty = run.empty, tries = 1; ; empty = false, tries++) {
    const resolution = await run.resolve(own.asked, empty)
    const at = ports.now().toISOString()
    const { outcome, notes, records, rows } = await batchRecords(run, identities, own, resolution, parents, at)
    const { id: importId, workspace, brand } = row
    const key = { importId, epoch: log.epoch, partition: -1, firstSeq: first, workspace, brand }
    const hold = async (tx: PoolClient) => {
      if (!(await store.hold(tx, row.id, before.appendedSeq)))
        throw new Error(`import ${row.id} is run by another process`)
    }
    const register = async (tx: PoolClient) => {
      await hold(tx)
      await identities.insert(tx, row.catalog, resolution.insert)
      await identities.share(tx, row.catalog, resolution.share)
      await identities.gain(tx, row.catalog, resolution.gain)
      // Told by a try that was cut off: what the sink made of its records since is no result of the reader's.
      if (!log.transactional && (await store.isTold(tx, key))) return
      await store.insertOutcome(tx, key, outcome, rows)
      await store.insertNotes(tx, key, notes)
    }
    const append = async (tx: PoolClient) => {
      if (!log.transactional) await hold(tx)
      const values = records.map((r) => ({ key: r.product, value: JSON.stringify(r) }))
      const moved = extend(before.offsets, await log.append(topics.bronze, values, tx), log)
      await store.set(tx, row.id, { appendedSeq: last, offsets: moved })
      return moved
    }
    try {
      return await afterRegister(ports, register, append)
    } catch (error) {
      // Someone else registered one of these identifiers meanwhile: look again and repeat.
      if (!ports.isUniqueViolation(error) || tries === maxTries) throw error
    }
  }
}

export function extend(offsets: ImportOffsets | null, ranges: readonly OffsetRange[], log: Log): ImportOffsets {
  const none = Array.from({ length: log.partitions }, () => null)
  const from: (number | null)[] = [...(offsets?.from ?? none)]
  const to: (number | null)[] = [...(offsets?.to ?? none)]
  for (const range of ranges) {
    from[range.partition] ??= range.from
    to[range.partition] = range.to
  }
  return { epoch: log.epoch, from, to }
}
