/** Removes files of imports that are kept no longer, and those that never came to be an import. */
import { readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { Pool } from 'pg'
import { claimedFiles, filesPastKeeping, markFileGone } from '../catalog/kept-files.ts'

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

const named = /^[0-9a-f]{64}$/
const stepFiles = 1_000

/** A file that was refused, or whose request died before its import had a row. @param folder of the spool @returns how many */
export async function sweepUnclaimed(pool: Pool, folder: string, now: Date): Promise<number> {
  const names = (await readdir(folder).catch(() => [])).filter((name) => named.test(name))
  let removed = 0
  for (let at = 0; at < names.length; at += stepFiles) {
    const files = names.slice(at, at + stepFiles).map((name) => join(folder, name))
    const claimed = await claimedFiles(pool, files)
    for (const file of files) {
      if (claimed.has(file)) continue
      const found = await stat(file).catch(() => null)
      if (!found || now.getTime() - found.mtimeMs < sentJustNowMs) continue
      await rm(file, { force: true })
      removed++
    }
  }
  return removed
}
