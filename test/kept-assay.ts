/** The Assay that test files of a worker use one after another. It ends before one of them starts its own: its loops would go on beside it. */
import type { Running } from './running.ts'

let kept: Promise<Running> | null = null

export function keptAssay(start: () => Promise<Running>): Promise<Running> {
  kept ??= start().catch((error: unknown) => {
    kept = null
    throw error
  })
  return kept
}

export async function endKept(): Promise<void> {
  const ended = kept
  kept = null
  await (await ended)?.close()
}
