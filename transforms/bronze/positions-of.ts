/** The records behind a product as it is: those that said the cells of its living layers, oldest first. */
import type { Layers, Origin } from '../../schemas/pipeline.ts'

export function positionsOf({ layers }: Layers): Pick<Origin, 'epoch' | 'offset'>[] {
  const found = new Map<string, Pick<Origin, 'epoch' | 'offset'>>()
  for (const { live, from } of layers)
    if (live) for (const { epoch, offset } of from) found.set(`${epoch}:${offset}`, { epoch, offset })
  return [...found.values()].sort((a, b) => a.epoch - b.epoch || a.offset - b.offset)
}
