/** Appends one batch of an import: identities, the reader's own results, the records and how far it has come, in one transaction. */

import type { Identities } from '../infra/catalog/identities.ts'
import type { ImportOffsets, ImportRow } from '../infra/catalog/imports.ts'
import type { Log, OffsetRange } from '../infra/log/port.ts'
import type { BronzeRecord } from '../schemas/pipeline.ts'
import { topics } from '../schemas/topics.ts'
import { kinds, unit, valueHash } from './identifiers.ts'
import type { Found } from './identity.ts'
import type { ImportPorts } from './import-ports.ts'
import type { Judged } from './judged.ts'
import type { Run } from './pass-one.ts'
import { ambiguous, note, readerResults } from './reader-results.ts'
import { recordOf } from './record.ts'

/** A rival registers the same identifiers once; more collisions than this are a fault of ours. */
const maxTries = 5

/** @param before how far the import has come; @param cased SKUs that differ only by case, told with the first batch */
export async function appendBatch(
  run: Run,
  ports: ImportPorts,
  batch: readonly Judged[],
  before: { readonly offsets: ImportOffsets | null; readonly appendedSeq: number },
  parents: Map<string, string>,
  cased: readonly { sku: string; other: string; row: number }[],
): Promise<ImportOffsets | null> {
  const { row } = run
  const { store, identities, log } = ports
  const own = readerResults(batch)
  for (const { sku, other, row: at } of cased) {
    const says = `SKU "${sku}" differs from "${other}" of this file only by case; they are kept as two products`
    own.notes.push({
      row: at,
      ordinal: 1,
      result: 'warning',
      code: 'sku_case',
      says,
      field: 'sku',
      column: null,
      raw: sku,
    })
    own.outcome.warnings.sku_case = (own.outcome.warnings.sku_case ?? 0) + 1
  }
  const first = batch[0]?.item.seq ?? 0
  const last = batch.at(-1)?.item.seq ?? 0
  for (let empty = run.empty, tries = 1; ; empty = false, tries++) {
    const resolution = await run.resolve(own.asked, empty)
    const outcome = { ...own.outcome, removed: 0, warnings: own.outcome.warnings }
    const notes = [...own.notes]
    const records: BronzeRecord[] = []
    const at = ports.now().toISOString()
    for (const found of resolution.found) {
      const { candidate, product, refused, same } = found
      if (product === null) {
        outcome.rejected += candidate.rows.length
        if (refused) notes.push(...candidate.rows.map((at) => note(at, 'rejected', refused.code, refused.says)))
        else notes.push(...ambiguous(candidate))
        continue
      }
      if (same) {
        outcome.unchanged += candidate.rows.length
        continue
      }
      records.push(recordOf(found, row, run.recordContext.id, await parentOf(found, row, identities, parents), at))
    }
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
        await store.insertOutcome(tx, key, outcome)
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

/** The family's product: its parent comes first in the order, or was appended before a restart. */
async function parentOf(
  { candidate, product }: Found,
  row: ImportRow,
  identities: Identities,
  parents: Map<string, string>,
): Promise<string | null> {
  const family = candidate.ids.family
  if (candidate.kind === 'single' || family === null || product === null) return null
  if (candidate.kind === 'parent') {
    parents.clear()
    parents.set(family, product)
    return product
  }
  const known = parents.get(family)
  if (known) return known
  const wanted = { kind: kinds.family, hash: valueHash(kinds.family, `${family}${unit}parent`) }
  const [holder] = await identities.find(row.catalog, [wanted])
  if (holder) parents.set(family, holder.product)
  return holder?.product ?? null
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
