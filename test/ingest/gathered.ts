/** Gathers a file as an import does, from its bytes to candidates. */
import { randomUUID } from 'node:crypto'
import { rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Candidate, type Item, isFault } from '../../ingest/candidate.ts'
import { openReading } from '../../ingest/context.ts'
import { gatherFamilies, gatherFlat } from '../../ingest/gather.ts'
import { openTable } from '../../ingest/readers/table.ts'
import type { Scratch } from '../../ingest/scratch.ts'
import { withScratch } from './judge.ts'

export const source = 'file:test'

/** @returns what each of two passes gives */
export async function gatherTwice(file: string | Uint8Array, scratch?: Scratch): Promise<readonly [Item[], Item[]]> {
  if (!scratch) return withScratch((own) => gatherTwice(file, own))
  const path = join(tmpdir(), `gather-${randomUUID()}`)
  await writeFile(path, file)
  try {
    const table = await openTable(path)
    const reading = openReading(table.header, source, { mappings: {} }, {})
    const context = {
      id: 0,
      platform: reading.platform,
      header: table.header,
      mapping: reading.mapping,
      numbers: {},
      currencies: {},
      notes: [],
    }
    const gathering = reading.rule
      ? await gatherFamilies(table, context, reading.rule, source, scratch, () => {})
      : gatherFlat(table, context)
    const pass = async () => {
      const items: Item[] = []
      for await (const batch of gathering.items()) items.push(...batch)
      return items
    }
    return [await pass(), await pass()]
  } finally {
    await rm(path)
  }
}

export async function gather(file: string | Uint8Array, scratch?: Scratch): Promise<Candidate[]> {
  const [items] = await gatherTwice(file, scratch)
  return items.filter((item): item is Candidate => !isFault(item))
}

/** Kind, rows and SKU of each, in order. */
export const outline = (candidates: readonly Candidate[]) =>
  candidates.map(({ kind, rows, ids }) => `${kind} ${ids.sku ?? '-'} [${rows}]`)
