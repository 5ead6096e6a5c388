/** Removes files of imports that are kept no longer. */
import { rm, stat } from 'node:fs/promises'
import type { Pool } from 'pg'
import { filesPastKeeping, markFileGone } from '../catalog/kept-files.ts'

/** A file that is sent again is written anew under the same name, and its import's row follows within this. */
const sentJustNowMs = 3_600_000

/** @returns how many */
export async function sweepFiles(pool: Pool, keptDays: number, now: Date): Promise<number> {
  let removed = 0
  for (const spool of await filesPastKeeping(pool, keptDays)) {
    const found = await stat(spool).catch(() => null)
    if (found && now.getTime() - found.mtimeMs < sentJustNowMs) continue
    await markFileGone(pool, spool, keptDays)
    await rm(spool, { force: true })
    removed++
  }
  return removed
}
