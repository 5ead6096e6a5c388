/** The same products twice: as the catalog stores them, and as a fold of their whole history on the log has them. */
import { hash } from 'node:crypto'
import { findContexts } from '../../infra/catalog/import-sources.ts'
import { findSettings } from '../../infra/catalog/settings.ts'
import type { System } from '../../infra/system.ts'
import type { ImportContext, Layers } from '../../schemas/pipeline.ts'
import { topics } from '../../schemas/topics.ts'
import { type Lookups, settle } from '../../transforms/apply.ts'
import { decodeRecord } from '../../transforms/bronze/decode.ts'
import { type HistoryEntry, refoldRecords } from '../../transforms/bronze/refold.ts'
import { withoutRepeats } from '../../transforms/bronze/without-repeats.ts'
import { ownContext } from '../../transforms/own-context.ts'

export interface Told {
  readonly layers: Layers
  readonly content: string
  readonly alive: boolean
}

export type Parts = Pick<System, 'catalog' | 'log'>

/** By product id, both from nothing but the database: what the rows say, and what the log says. */
export async function storedAndRefolded(
  { catalog: { pipeline }, log }: Parts,
  catalog: string,
): Promise<{ stored: Record<string, Told>; refolded: Record<string, Told> }> {
  const { rows } = await pipeline.query<Told & { id: string; workspace: string; text: string }>(
    `select product_id as id, workspace_id as workspace, alive, encode(content_hash, 'hex') as content, convert_from(layers, 'UTF8') as text
       from products where catalog_id = $1 order by product_id`,
    [catalog],
  )
  const stored: Record<string, Told> = {}
  for (const { id, alive, content, text } of rows) stored[id] = { alive, content, layers: JSON.parse(text) }

  const contexts = new Map<number, ImportContext>()
  const { rows: numbers } = await pipeline.query<{ id: number }>('select context_id as id from import_context')
  for (const one of await findContexts(
    pipeline,
    numbers.map((row) => row.id),
  ))
    contexts.set(one.id, one)
  const found = rows[0] && (await findSettings(pipeline, rows[0].workspace))
  const refolded: Record<string, Told> = {}
  const { rows: out } = await pipeline.query<{ at: string }>(
    `select partition || '/' || "offset" as at from refused union select partition || '/' || "offset" from dead_record where topic = $1`,
    [topics.bronze],
  )
  const leftOut = new Set(out.map((row) => row.at))
  for (const id of Object.keys(stored)) {
    const history: HistoryEntry[] = []
    for await (const { partition, offset, value } of log.readKeys(topics.bronze, [id], await log.ends(topics.bronze))) {
      const read = decodeRecord(value)
      if (read.kind !== 'ok') continue
      history.push({
        record: read.value,
        position: { epoch: log.epoch, partition, offset },
        refused: leftOut.has(`${partition}/${offset}`),
      })
    }
    const { layers } = refoldRecords(withoutRepeats(history))
    if (!layers || !found) throw new Error(`the log knows nothing of product ${id}`)
    const lookups: Lookups = {
      context: (number) => (number === 0 ? ownContext : contexts.get(number)),
      settings: found.silver,
      digest: (text) => hash('sha256', text, 'hex').slice(0, 32),
    }
    const { alive, content } = settle(null, layers, lookups, null).state
    refolded[id] = { alive, content, layers: JSON.parse(JSON.stringify(layers)) }
  }
  return { stored, refolded }
}
