/** Which import contexts a product's cells need to be read, those of remembered values included: a later record can bring them back. */
import type { Layers } from '../../schemas/pipeline.ts'

/** Without context 0, which is our own field names. */
export function contextsOf({ layers }: Layers): Set<number> {
  const contexts = new Set<number>()
  for (const { from, ghosts } of layers) {
    for (const { context } of from) if (context > 0) contexts.add(context)
    if (ghosts === undefined) continue
    for (const known of Object.values(ghosts))
      for (const [, { context }] of known) if (context > 0) contexts.add(context)
  }
  return contexts
}
