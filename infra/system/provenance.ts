/** Finds out where a product's values come from: its layers, their contexts, and, of edits, who made them from the log itself. */
import { inboundContext } from '../../ingest/inbound/inbound-context.ts'
import type { BronzeRecord, Origin } from '../../schemas/pipeline.ts'
import { topics } from '../../schemas/topics.ts'
import type { Provenance, SaidAt } from '../../serving/workspace/product-ports.ts'
import { contextsOf } from '../../transforms/bronze/contexts-of.ts'
import { provenanceOf } from '../../transforms/bronze/provenance.ts'
import { ownContext } from '../../transforms/own-context.ts'
import { findContexts } from '../catalog/import-sources.ts'
import { loadProducts } from '../catalog/product-store.ts'
import { findSettings } from '../catalog/settings.ts'
import { epochOf } from '../log/epoch-of.ts'
import type { System } from '../system.ts'

/**
 * Who edited stands in the records alone: keeping it in each layer would cost every product for what few ask, and each
 * edit that still counts is one read by its position.
 */
export function openProvenance({
  catalog,
  log,
  inbound,
  categories,
}: Pick<System, 'catalog' | 'log' | 'inbound' | 'categories'>) {
  const pool = catalog.pipeline

  async function saidAt(product: string, topic: string | null, { epoch, offset, import: of }: Origin): Promise<SaidAt> {
    const said = epochOf(log, epoch)
    const partition = said.partitionOf(product)
    const position = { epoch, partition, offset }
    const nobody = { position, topic, by: null, at: null }
    if (of !== null) return nobody
    const [stored] = await said.read(topics.bronze, partition, offset, 1)
    if (stored?.offset !== offset || stored.key !== product) return nobody
    const record = JSON.parse(stored.value.toString()) as BronzeRecord
    return { position, topic, by: record.by ?? null, at: record.at }
  }

  return async (scope: { workspace: string; catalog: string }, product: string): Promise<Provenance | null> => {
    const state = (await loadProducts(pool, [{ catalog: scope.catalog, product }])).get(product)
    const settings = await findSettings(pool, scope.workspace)
    if (!state || !settings) return null
    const contexts = new Map((await findContexts(pool, [...contextsOf(state.layers)])).map((one) => [one.id, one]))
    const own = (id: number) => (id === 0 ? ownContext : contexts.get(id))
    const fields = provenanceOf(state.layers, own, settings.silver, categories)
    const said = new Map<string, SaidAt>()
    for (const { from, others } of fields) {
      for (const cell of from === null ? others : [from, ...others]) {
        const key = `${cell.origin.epoch}:${cell.origin.offset}`
        if (said.has(key)) continue
        const isInbound = own(cell.origin.context)?.platform === inboundContext.platform
        said.set(key, await saidAt(product, isInbound ? inbound.nameOf(scope.workspace) : null, cell.origin))
      }
    }
    return { fields, said }
  }
}
