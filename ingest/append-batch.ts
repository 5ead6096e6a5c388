/** Appends one batch of an import: identities, the reader's own results, the records and how far it has come, in one transaction. */

import type { ImportOffsets } from '../infra/catalog/imports.ts'
import type { Log, OffsetRange } from '../infra/log/port.ts'
import { topics } from '../schemas/topics.ts'
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
    try {
      return await ports.inTransaction(ports.pool, async (tx) => {
        if (!(await store.hold(tx, row.id, before.appendedSeq)))
          throw new Error(`import ${row.id} is run by another process`)
        await identities.insert(tx, row.catalog, resolution.insert)
        await identities.share(tx, row.catalog, resolution.share)
        await identities.gain(tx, row.catalog, resolution.gain)
        const key = {
          importId: row.id,
          epoch: log.epoch,
          partition: -1,
          firstSeq: first,
          workspace: row.workspace,
          brand: row.brand,
        }
        await store.insertOutcome(tx, key, outcome, rows)
        await store.insertNotes(tx, key, notes)
        const ranges = await log.append(
          topics.bronze,
          records.map((r) => ({ key: r.product, value: JSON.stringify(r) })),
          tx,
        )
        const moved = extend(before.offsets, ranges, log)
        await store.set(tx, row.id, { appendedSeq: last, offsets: moved })
        return moved
      })
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
