/** Import contexts by number for whoever refines page after page: read once, and forgotten together when they are many. */
import type { Pool } from 'pg'
import type { ImportContext, Layers } from '../../schemas/pipeline.ts'
import { contextsOf } from '../../transforms/bronze/contexts-of.ts'
import { ownContext } from '../../transforms/own-context.ts'
import { findContexts } from '../catalog/import-sources.ts'

/** Contexts are small and many products share one. */
const mostContexts = 500

type Lookup = (id: number) => ImportContext | undefined

/** @returns reads the contexts that these layers name; another caller may forget them, this one's look-up keeps them */
export function openContextLookup(pool: Pool): (layers: readonly Layers[]) => Promise<Lookup> {
  const known = new Map<number, ImportContext>()
  return async (layers) => {
    if (known.size > mostContexts) known.clear()
    const wanted = new Set(layers.flatMap((one) => [...contextsOf(one)]))
    const found = new Map<number, ImportContext>([[0, ownContext]])
    const missing: number[] = []
    for (const id of wanted) {
      const context = known.get(id)
      if (context) found.set(id, context)
      else missing.push(id)
    }
    for (const context of missing.length > 0 ? await findContexts(pool, missing) : []) {
      known.set(context.id, context)
      found.set(context.id, context)
    }
    return (id) => found.get(id)
  }
}
