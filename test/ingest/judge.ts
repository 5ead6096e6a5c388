/** Judges rows as an import does: over a whole file, on disk, with what the catalog knows of them. */
import { randomUUID } from 'node:crypto'
import { rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Candidate } from '../../ingest/candidate.ts'
import type { Repeats } from '../../ingest/repeats.ts'
import { openScratch, type Scratch } from '../../ingest/scratch.ts'
import { type Facts, openFacts, type Verdict } from '../../ingest/verdicts.ts'
import { notShared } from './rows.ts'

/** @returns what the work gives; the file is gone afterwards */
export async function withScratch<T>(work: (scratch: Scratch) => Promise<T>): Promise<T> {
  const path = join(tmpdir(), `judge-${randomUUID()}.duckdb`)
  const scratch = openScratch(path)
  try {
    return await work(scratch)
  } finally {
    await scratch.close()
    await rm(path, { force: true })
  }
}

/** Facts of a table each, so that one scratch serves many files. @param all keeps the facts of all rows, as for families, and looks at all of them unless told what repeats */
export async function factsOf(
  scratch: Scratch,
  rows: readonly Candidate[],
  all = false,
  repeats: Repeats = { see: () => {}, has: () => true, some: true },
): Promise<Facts> {
  const again = {
    async *items() {
      yield rows
    },
  }
  const facts = await (all ? openFacts(scratch, null, repeats) : openFacts(scratch, again))
  for (const row of rows) facts.add(row)
  return facts
}

/** Plain wins included, in order of seq. */
export async function verdictsOf(facts: Facts, rows: readonly Candidate[]): Promise<Verdict[]> {
  const told = new Map<number, Verdict>()
  for await (const batch of (await facts.judge()).exceptions()) for (const one of batch) told.set(one.seq, one)
  return rows.map(
    ({ seq, rows: [first] }) =>
      told.get(seq) ?? { seq, verdict: 'win', winnerRow: first ?? null, shared: notShared, own: false },
  )
}
