/** Lets variants have what their parent has where another source tells the parent, and families of edits a parent as long as they have variants: by records of Assay's own, whatever changed either of them. */
import type { PoolClient } from 'pg'
import { editRecord } from '../../ingest/edit.ts'
import type { BronzeRecord } from '../../schemas/pipeline.ts'
import { familyRow, familySource } from '../../schemas/pipeline.ts'
import { topics } from '../../schemas/topics.ts'
import { contextsOf } from '../../transforms/bronze/contexts-of.ts'
import { cellsFromParent, type ReadBy } from '../../transforms/bronze/from-parent.ts'
import { isJoined } from '../../transforms/bronze/joined.ts'
import { findContexts } from '../catalog/import-sources.ts'
import { catalogsWithDue, type FamilyPage, familiesOf, takeFamilies } from '../catalog/joined-families.ts'
import type { Catalog } from '../catalog/postgres.ts'
import { findSettings } from '../catalog/settings.ts'
import type { Log } from '../log/port.ts'
import type { BulkWriter } from './bulk-writer.ts'
import { parentAgain, parentNoMore } from './emptied.ts'

export interface Following {
  /** What is due in a catalog, and waits until it can be seen: the end of an import, an undo or a redo. */
  settle(catalog: string, signal: AbortSignal): Promise<void>
  /** What is due after edits, restores, new settings and what was cut off. */
  auto(signal: AbortSignal): Promise<false>
}

/** Variants looked at in one transaction. */
const pageRows = 1_000
/** What followed names its families again, and then nothing more follows; where others go on naming families, they are not waited for. */
const othersMs = 5_000

export function openFollowing({ catalog, log, bulk }: { catalog: Catalog; log: Log; bulk: BulkWriter }): Following {
  const pool = catalog.pipeline

  /**
   * Families are marked as looked at together with the records that this asked for, both or neither. Records that the sink has
   * not passed yet may be appended a second time, which changes nothing.
   * @returns false where nothing was due
   */
  const step = (id: string): Promise<boolean> =>
    catalog.inTransaction(pool, async (tx) => {
      const pages = await takeFamilies(tx, id, pageRows)
      if (pages === null) return false
      const by = await readBy(tx, pages)
      const at = new Date()
      const records = by && pages.flatMap((page) => [...recordsOf(id, page, by, at), ...parentRecords(id, page, at)])
      const values = (records ?? []).map((record) => ({ key: record.product, value: JSON.stringify(record) }))
      // Last, since it holds the log's counters until the commit.
      if (values.length > 0) await log.append(topics.bronze, values, tx)
      return true
    })

  async function follow(id: string, signal: AbortSignal): Promise<void> {
    do {
      await bulk.keepPace(signal)
      signal.throwIfAborted()
    } while (await step(id))
  }

  return {
    async settle(id, signal) {
      let { some, due } = await familiesOf(pool, id)
      const until = Date.now() + othersMs
      do {
        if (due) await follow(id, signal)
        // Whoever appended what followed: it may have been another process, of what was there before.
        if (some) await bulk.settled(signal)
        ;({ some, due } = await familiesOf(pool, id))
      } while (due && Date.now() < until)
    },
    async auto(signal) {
      for (const id of await catalogsWithDue(pool)) await follow(id, signal)
      return false
    },
  }
}

/**
 * By the transaction's own connection: others wait for it with theirs.
 * @returns null where there is nothing to read, or the workspace is gone and nothing follows there any more
 */
async function readBy(tx: PoolClient, pages: readonly FamilyPage[]): Promise<ReadBy | null> {
  const [first] = pages
  const settings = first ? await findSettings(tx, first.workspace) : null
  if (!settings) return null
  const numbers = new Set(pages.flatMap(({ members }) => members.flatMap(({ layers }) => [...contextsOf(layers)])))
  const contexts = new Map((await findContexts(tx, [...numbers])).map((context) => [context.id, context]))
  return { contexts: (number) => contexts.get(number), settings: settings.silver }
}

function recordsOf(catalog: string, page: FamilyPage, by: ReadBy, at: Date): BronzeRecord[] {
  const { workspace, brand, family, head, members } = page
  return members.flatMap(({ id, sid, kind, layers, options }) => {
    const told = kind === 'variant' && head !== null && isJoined(head.layers) ? head : null
    const cells = cellsFromParent(layers, options, told, by)
    const columns = Object.keys(cells)
    if (columns.length === 0) return []
    return {
      ...{ v: 1, op: 'put', workspace, brand, catalog, product: id, source: familySource, sid, context: 0, seq: -1 },
      ...{ rows: [], kind: layers.kind, ...(layers.family === null ? {} : { family: layers.family }) },
      ...{ inherited: { row: familyRow, columns }, from: { catalog, version: null, product: family } },
      ...{ at: at.toISOString(), by: 'assay', cells },
    } satisfies BronzeRecord
  })
}

/** Of what the parent itself is; variants of a group may come back, as with the redo of a file that named it, or leave as with its undo. */
function parentRecords(
  catalog: string,
  { workspace, brand, family, head, isFirst, members }: FamilyPage,
  at: Date,
): BronzeRecord[] {
  if (head === null) return []
  const hasVariants = members.some(({ kind }) => kind === 'variant')
  const isEmpty = isFirst && !hasVariants && head.alive
  const became = hasVariants ? parentAgain(family, head) : isEmpty ? parentNoMore(family, head.layers, at) : null
  if (became === null) return []
  const { cells, ...says } = became
  const scope = { workspace, brand, catalog, by: 'assay' }
  return [{ ...editRecord(scope, family, head.sid, cells, says), at: at.toISOString() }]
}
