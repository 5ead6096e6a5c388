/** Records as imports of real files append them, with the contexts that their cells are read by; of our own sample where ../shared is not there. */
import { randomUUID } from 'node:crypto'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { type Candidate, isFault } from '../../ingest/candidate.ts'
import { openReading } from '../../ingest/context.ts'
import { gatherFamilies, gatherFlat } from '../../ingest/gather.ts'
import { openTable, type TableRow } from '../../ingest/readers/table.ts'
import type { Scratch } from '../../ingest/scratch.ts'
import { TableError } from '../../ingest/table-error.ts'
import type { BronzeRecord, ImportContext } from '../../schemas/pipeline.ts'
import { realPath, sharedIsThere } from '../ingest/expected-figures.ts'
import { withScratch } from '../ingest/judge.ts'

export interface RealRecords {
  readonly files: number
  readonly records: readonly BronzeRecord[]
  readonly contexts: ReadonlyMap<number, ImportContext>
}

const sample = join(import.meta.dirname, '../../ingest/sample/rheingold-home.csv')
/** No files of products: pages are read otherwise, and two folders hold what is none. */
const others = /^(html|not-products|reference)\/|\.md$/

async function paths(): Promise<string[]> {
  if (!sharedIsThere) return [sample]
  const found = await readdir(realPath(''), { recursive: true, withFileTypes: true })
  const files = found
    .filter((one) => one.isFile())
    .map((one) => join(one.parentPath, one.name).slice(realPath('').length))
  return files
    .filter((file) => !others.test(file))
    .toSorted()
    .map(realPath)
}

/** @param only these files, in place of all */
export async function realRecords(only?: readonly string[]): Promise<RealRecords> {
  const records: BronzeRecord[] = []
  const contexts = new Map<number, ImportContext>()
  for (const path of only ?? (await paths())) {
    const read = await withScratch((scratch) => readFile(path, contexts.size + 1, scratch))
    if (read === null) continue
    contexts.set(read.context.id, read.context)
    for (const one of read.candidates) records.push(recordOf(one, read.context.id))
  }
  return { files: contexts.size, records, contexts }
}

/** @returns null where it is no file of products */
async function readFile(
  path: string,
  id: number,
  scratch: Scratch,
): Promise<{ context: ImportContext; candidates: Candidate[] } | null> {
  try {
    const table = await openTable(path)
    const reading = openReading(table.header, 'file:bench', { mappings: {} }, {}, table.specified)
    const { platform, mapping } = reading
    const draft = { id, platform, mapping, header: table.header, numbers: {}, currencies: {}, notes: [] }
    const see = (rows: readonly TableRow[]) => {
      for (const { cells, pointed, fault } of rows) if (!fault) reading.see(cells, pointed)
    }
    const gathering = reading.rule
      ? await gatherFamilies(table, draft, reading.rule, 'file:bench', scratch, see)
      : gatherFlat(table, draft)
    const candidates: Candidate[] = []
    for await (const items of reading.rule ? gathering.items() : gathering.items(see))
      for (const item of items) if (!isFault(item)) candidates.push(item)
    return { context: { ...draft, ...reading.evidence() }, candidates }
  } catch (error) {
    if (error instanceof TableError) return null
    throw error
  }
}

const into = { workspace: 'ws_bench', brand: randomUUID(), catalog: randomUUID() }

const recordOf = ({ seq, rows, kind, cells, inherited }: Candidate, context: number): BronzeRecord => ({
  ...{ v: 1, op: 'put', ...into, product: randomUUID(), source: 'file:bench', sid: '00'.repeat(32) },
  ...{ import: into.catalog, context, seq, rows, kind, ...(inherited ? { inherited } : {}) },
  ...{ at: '2026-11-28T00:00:00.000Z', cells },
})
