/** Derives the topic `catalog.changes` from the published versions: in order, resumable, nothing skipped. */
import type { CatalogChange } from '../../schemas/catalog-change.ts'
import { showChange } from '../../schemas/position.ts'
import { topics } from '../../schemas/topics.ts'
import {
  type ChangeCursor,
  changesPage,
  holdCursor,
  moveCursor,
  type Round,
  toTell,
} from '../catalog/change-queries.ts'
import type { Catalog } from '../catalog/postgres.ts'
import type { Log } from '../log/port.ts'

const pageRows = 2_000

const causes = { version: 'published', leaving: 'deleted', returning: 'undeleted' } as const satisfies Record<
  Round,
  CatalogChange['cause']
>

/** @returns whether there may be more to tell */
export async function relayChanges(catalog: Catalog, log: Log): Promise<boolean> {
  let more = false
  for (const id of await toTell(catalog.pipeline)) if (await relayPage(catalog, log, id)) more = true
  return more
}

/** A round that has begun is told to its end, whatever became of the catalog meanwhile. */
function roundOf({ round, gone, version, publishedVersion, deletedAt }: ChangeCursor): Round | null {
  if (round) return round
  if (!gone && version < publishedVersion) return 'version'
  if (gone === (deletedAt !== null)) return null
  return gone ? 'returning' : 'leaving'
}

/**
 * The cursor moves in the transaction of the append: once each where the log lives in this database, at least once elsewhere.
 * @returns false where nothing was to tell, or another process tells it
 */
async function relayPage(catalog: Catalog, log: Log, id: string): Promise<boolean> {
  return catalog.inTransaction(catalog.pipeline, async (tx) => {
    const cursor = await holdCursor(tx, id)
    const round = cursor && roundOf(cursor)
    if (!cursor || !round) return false
    const version = round === 'version' ? (cursor.next ?? cursor.publishedVersion) : cursor.version
    const page = await changesPage(tx, cursor, round, version, pageRows)
    const at = ((round === 'version' ? cursor.nextAt : cursor.deletedAt) ?? new Date()).toISOString()
    const { workspace, brand } = cursor
    const records = page.flatMap(({ product, change }) => {
      if (change === null) return []
      const position = showChange({ mode: 't', version, product })
      const told = {
        v: 1,
        workspace,
        brand,
        catalog: id,
        product,
        version,
        position,
        change,
        cause: causes[round],
        at,
      } as const
      return [{ key: product, value: JSON.stringify(told satisfies CatalogChange) }]
    })
    const ended = page.length < pageRows
    await moveCursor(tx, id, {
      version: ended ? version : cursor.version,
      gone: ended && round !== 'version' ? round === 'leaving' : cursor.gone,
      round: ended ? null : round,
      after: ended ? null : (page.at(-1)?.product ?? null),
    })
    // Last, since it holds the log's counters until the commit.
    if (records.length > 0) await log.append(topics.changes, records, tx)
    return true
  })
}
