/** What a batch leaves beside its products: results of imports, notes of rows, refusals, dead letters, and what publish, rank and the search for duplicates must look at. */
import type { PoolClient } from 'pg'
import { topics } from '../../schemas/topics.ts'
import type { ProductWrite, SinkBatch } from '../../transforms/ports.ts'
import type { Log } from '../log/port.ts'
import { insertNotes, insertOutcome } from './import-ledger.ts'
import { type FamilyWord, writeFamilies } from './joined-families.ts'
import { kept } from './kept.ts'
import { shareDirty } from './publish.ts'
import { writeDead } from './write-dead.ts'
import { writeRedriven } from './write-redriven.ts'

/** `import_id`: an import, or a bulk job whose records are numbered. */
const progressSql = `
  insert into import_progress (import_id, epoch, partition, max_seq) values ($1, $2, $3, $4)
  on conflict (import_id, epoch, partition) do update set max_seq = greatest(import_progress.max_seq, excluded.max_seq)`

/** One row per batch and import, one per batch and catalog; only rejected and warned rows have a row of their own, all others a byte or two. */
export async function writeEffects(tx: PoolClient, log: Log, batch: SinkBatch): Promise<void> {
  const { partition, effects, notes } = batch
  for (const effect of effects) {
    const scope = { importId: effect.import, workspace: effect.workspace, brand: effect.brand }
    await insertOutcome(
      tx,
      { ...scope, epoch: log.epoch, partition, firstSeq: effect.firstSeq },
      { ...effect.counts, duplicate: 0, removed: effect.removed, warnings: effect.warnings },
      effect.rows,
    )
    await tx.query(kept(progressSql, [effect.import, log.epoch, partition, effect.maxSeq]))
    const own = notes.filter((note) => note.import === effect.import)
    await insertNotes(tx, scope, own)
  }
  for (const [job, number] of batch.taken ?? []) await tx.query(kept(progressSql, [job, log.epoch, partition, number]))
  await writeBulk(tx, log, batch)
  await writeRefusals(tx, log, batch)
  await writeDead(tx, log, topics.bronze, batch.dead)
  await writeRedriven(tx, log.epoch, batch.redriven ?? [])
  await writeDue(tx, batch.writes)
}

async function writeBulk(tx: PoolClient, log: Log, { partition, bulk = [] }: SinkBatch) {
  for (const { job, firstOffset, changed, unchanged, refused } of bulk) {
    await tx.query(
      `insert into bulk_outcome (job_id, epoch, partition, first_offset, changed, unchanged, refused)
       values ($1, $2, $3, $4, $5, $6, $7)`,
      [job, log.epoch, partition, firstOffset, changed, unchanged, refused],
    )
  }
}

async function writeRefusals(tx: PoolClient, log: Log, { partition, refused }: SinkBatch) {
  for (const { position, product, code, says } of refused) {
    await tx.query(
      'insert into refused (epoch, partition, "offset", product_id, code, says) values ($1, $2, $3, $4, $5, $6)',
      [log.epoch, partition, position.offset, product, code, says],
    )
  }
}

/** What a publish takes in may be, or no longer be, a duplicate. */
const dirtySql = `
  with due as (insert into duplicate_due (catalog_id, product_ids) values ($1, $2))
  insert into dirty (catalog_id, product_ids) values ($1, $2)`

/** What publish, rank and the search for duplicates must look at, and what follows in families. */
export async function writeDue(
  tx: PoolClient,
  writes: readonly (FamilyWord & Pick<ProductWrite, 'product' | 'contentChanged'>)[],
) {
  const dirty = new Map<string, string[]>()
  const ranked = new Map<string, string[]>()
  for (const write of writes) {
    if (write.contentChanged) listOf(dirty, write.catalog).push(write.product)
    listOf(ranked, write.catalog).push(write.product)
  }
  for (const [catalog, ids] of dirty) {
    await tx.query(kept(shareDirty, [catalog]))
    await tx.query(kept(dirtySql, [catalog, ids]))
  }
  for (const [catalog, ids] of ranked)
    await tx.query(kept('insert into rank_due (catalog_id, product_ids) values ($1, $2)', [catalog, ids]))
  await writeFamilies(tx, writes)
}

function listOf(map: Map<string, string[]>, key: string): string[] {
  const found = map.get(key)
  if (found) return found
  const made: string[] = []
  map.set(key, made)
  return made
}
