/** Decides over a whole file which rows are one product: duplicates, conflicts, and identifiers that stand on several products and so decide nothing. */
import { hash } from 'node:crypto'
import type { CellValue } from '../schemas/pipeline.ts'
import { type Candidate, isFault } from './candidate.ts'
import type { Gathering } from './gather.ts'
import { type Identifiers, tidy, unit } from './identifiers.ts'
import { judgement, noExceptions } from './judgement.ts'
import { type KnownRow, openKnownRows } from './known-rows.ts'
import { openRepeats, type Repeats } from './repeats.ts'
import type { Scratch, ScratchTable, ScratchValue } from './scratch.ts'

/** Identifiers of one candidate that are shared within its file. */
export interface SharedFlags {
  readonly sku: boolean
  readonly sourceId: boolean
  readonly family: boolean
  readonly gtin: boolean
  readonly mpnBrand: boolean
  readonly url: boolean
}

export interface Verdict {
  readonly seq: number
  /** `win`: goes on the log. */
  readonly verdict: 'win' | 'duplicate' | 'id_conflict' | 'ambiguous_identity'
  /** First row of the candidate that stands for the product instead. */
  readonly winnerRow: number | null
  readonly shared: SharedFlags
  /** The catalog knows it as a product that another row of the file is: it is one of its own, whatever its identifiers say. */
  readonly own: boolean
}

const columns = [
  { name: 'seq', type: 'number' },
  { name: 'row', type: 'number' },
  { name: 'sku', type: 'text' },
  { name: 'sid', type: 'text' },
  { name: 'fam', type: 'text' },
  { name: 'opt', type: 'text' },
  { name: 'gtin', type: 'text' },
  { name: 'mb', type: 'text' },
  { name: 'url', type: 'text' },
  { name: 'content', type: 'text' },
] as const

/** What a row without any identifier is known by: its cells, tidied, sorted by name. */
export function contentText(cells: Readonly<Record<string, CellValue>>): string {
  let text = ''
  for (const name of Object.keys(cells).sort()) {
    const value = cells[name]
    text += `${name}${unit}${typeof value === 'string' ? (tidy(value) ?? '') : value?.map((v) => tidy(v) ?? '').join('\u001e')}${unit}`
  }
  return text
}

/** Equal for two rows of one file whose cells are equal once trimmed. Cells keep the file's order, so nothing is sorted: 4 µs a row instead of 12. */
function contentHash(cells: Readonly<Record<string, CellValue>>): string {
  let text = ''
  for (const name in cells) {
    const value = cells[name]
    text += `${name}${unit}${typeof value === 'string' ? value.trim() : value?.map((v) => v.trim()).join('\u001e')}${unit}`
  }
  return digest(text)
}

const digest = (text: string) => hash('sha256', text, 'base64url').slice(0, 22)

/** Such a row is known by its content, so its content here must be the very text that identity takes. */
const isNameless = ({ sku, sourceId, family, gtin, mpnBrand, url }: Identifiers) =>
  (sku ?? sourceId ?? family ?? gtin ?? mpnBrand ?? url) === null

export interface Facts {
  add(candidate: Candidate): void
  /** The catalog knows these candidates as these products. */
  resolve(known: readonly KnownRow[]): Promise<void>
  /** Whether two candidates that win are one product to the catalog: then judge again. */
  meet(): Promise<boolean>
  /** After the last candidate, and again after the look-up where it told something new. */
  judge(): Promise<Verdicts>
}

export interface Verdicts {
  /** What they are read from, in the scratch: all else is needed only until they are there. */
  readonly tables: readonly string[]
  /** Only what is not a plain win, in order of seq. */
  exceptions(): AsyncIterable<Verdict[]>
  /** SKUs that differ from another of the file only by case. */
  caseOnly(): Promise<{ sku: string; other: string; row: number }[]>
}

/** Of a file without any row that could be anything but a plain win. */
const allWin: Verdicts = { tables: [], async *exceptions() {}, caseOnly: async () => [] }

/** Slots for some three thousand identifiers, where the facts of all are kept anyway. */
const ofFew = [2 ** 12, 2 ** 12] as const

/**
 * Few rows of most files share anything with another, and only these can be anything but a plain win: which identifiers repeat is
 * known by their hashes, and the facts of their rows are read from the file once more. Without any, a row costs 2.2 µs with the
 * judgement, and 6.6 where the facts of all are kept. Where nothing repeats, the scratch is not asked at all: of a small import that was a
 * quarter of its time.
 * @param again the same candidates that are added; null where reading them again is dear, so that the facts of all are kept
 * @param repeats says which identifiers repeat; for tests
 */
export async function openFacts(
  scratch: Scratch,
  again: Pick<Gathering, 'items'> | null,
  repeats: Repeats = openRepeats(again === null ? ofFew : undefined),
): Promise<Facts> {
  const known = openKnownRows(scratch)
  let table = again === null ? await scratch.table('fact', columns) : null
  let filled = false

  /** The facts of rows that have anything in common with another. */
  async function fill(facts: ScratchTable, from: Pick<Gathering, 'items'>) {
    const met = await known.met()
    if (met === null && (filled || !repeats.some)) return
    for await (const items of from.items())
      for (const item of items) {
        if (isFault(item)) continue
        const repeated = identifierTexts(item).some(([kind, text]) => repeats.has(kind, text))
        if (repeated ? !filled : met?.has(item.seq)) facts.add(factOf(item))
      }
    filled = true
  }

  return {
    resolve: known.add,
    meet: known.meet,
    add(candidate: Candidate) {
      if (again === null) table?.add(factOf(candidate))
      // Of the few that repeat nothing it tells so; what more there is the facts tell.
      if (again !== null || !repeats.some)
        for (const [kind, text] of identifierTexts(candidate)) repeats.see(kind, text)
    },
    async judge() {
      if (!repeats.some && !(await known.meet())) return allWin
      table ??= await scratch.table('fact', columns)
      if (again !== null) await fill(table, again)
      await known.keepInTable()
      table.flush()
      for (const statement of findSuspects) await scratch.run(statement)
      const suspects = await hasRows(scratch, 'select seq from suspect limit 1')
      for (const statement of suspects ? judgement : noExceptions) await scratch.run(statement)
      await scratch.run(findCaseOnly)
      return readVerdicts(scratch)
    },
  }
}

function factOf({ seq, rows, cells, ids }: Candidate): ScratchValue[] {
  const { sku, sourceId, family, options, gtin, mpnBrand, url } = ids
  const content = isNameless(ids) ? digest(contentText(cells)) : contentHash(cells)
  return [seq, rows[0] ?? null, sku, sourceId, family, options, gtin, mpnBrand, url, content]
}

/** All that two rows can have in common, each with its kind; a SKU in either case too, since those that differ by it are told. */
function identifierTexts({ ids, cells }: Candidate): [kind: number, text: string][] {
  const found: [number, string][] = []
  const { sku, sourceId, family, options, gtin, mpnBrand, url } = ids
  if (sku !== null) found.push([0, sku.toLowerCase()])
  if (sourceId !== null) found.push([1, sourceId])
  if (family !== null && options !== null) found.push([2, `${family}${unit}${options}`])
  if (gtin !== null) found.push([3, gtin])
  if (mpnBrand !== null) found.push([4, mpnBrand])
  if (url !== null) found.push([5, url])
  if (found.length === 0) found.push([6, contentText(cells)])
  return found
}

const identifiers = ['sku', 'sid', 'fam || chr(31) || opt', 'gtin', 'mb', 'url'] as const
const nameless = identifiers.map((value) => `(${value}) is null`).join(' and ')

/** Grouping by 64-bit hashes finds them at 3 µs a row; a chance collision only adds a suspect. */
const findSuspects = [
  `create or replace table repeated as
     ${identifiers.map((value, i) => `select ${i} as kind, hash(${value}) as h from fact where (${value}) is not null group by 2 having count(*) > 1`).join(' union all ')}
     union all select 6, hash(content) from fact where ${nameless} group by 2 having count(*) > 1
     union all select 7, hash(product) from resolved group by 2 having count(*) > 1`,
  `create or replace table suspect as
     select f.* from fact f left join resolved r on r.seq = f.seq
      where exists (select 1 from repeated)
        and (${identifiers.map((value, i) => `hash(${value}) in (select h from repeated where kind = ${i})`).join(' or ')}
             or (${nameless} and hash(content) in (select h from repeated where kind = 6))
             or hash(r.product) in (select h from repeated where kind = 7))`,
]

async function hasRows(scratch: Scratch, sql: string): Promise<boolean> {
  for await (const rows of scratch.stream(sql)) return rows.length > 0
  return false
}

/** Made out here, so that verdicts, which live as long as their import, do not keep the table of identifiers alive. */
const readVerdicts = (scratch: Scratch): Verdicts => ({
  tables: ['exception', 'case_only'],
  exceptions: () => exceptions(scratch),
  caseOnly: () => caseOnly(scratch),
})

async function* exceptions(scratch: Scratch): AsyncGenerator<Verdict[]> {
  const rows = scratch.stream(
    `select seq, verdict, winner_row, sku_s::int, sid_s::int, fam_s::int, gtin_s::int, mb_s::int, url_s::int, own::int
       from exception order by seq`,
  )
  for await (const batch of rows) {
    yield batch.map(([seq, verdict, winnerRow, sku, sourceId, family, gtin, mpnBrand, url, own]) => ({
      seq: seq as number,
      verdict: verdict as Verdict['verdict'],
      winnerRow: winnerRow as number | null,
      shared: {
        sku: sku === 1,
        sourceId: sourceId === 1,
        family: family === 1,
        gtin: gtin === 1,
        mpnBrand: mpnBrand === 1,
        url: url === 1,
      },
      own: own === 1,
    }))
  }
}

const findCaseOnly = `
  create or replace table case_only as
    with folded as (select hash(lower(sku)) as h from fact where sku is not null group by 1 having count(*) > 1),
         sku as (select sku, lower(sku) as folded, min(row) as row from fact where hash(lower(sku)) in (select h from folded) group by sku)
    select a.sku, min(b.sku) as other, a.row from sku a join sku b on a.folded = b.folded and a.sku <> b.sku group by a.sku, a.row order by a.row limit 1000`

async function caseOnly(scratch: Scratch) {
  const found: { sku: string; other: string; row: number }[] = []
  for await (const batch of scratch.stream('select sku, other, row from case_only order by row'))
    for (const [sku, other, row] of batch)
      found.push({ sku: sku as string, other: other as string, row: row as number })
  return found
}
