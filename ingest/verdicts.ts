/** Decides over a whole file which rows are one product: duplicates, conflicts, and identifiers that stand on several products and so decide nothing. */
import { hash } from 'node:crypto'
import type { CellValue } from '../schemas/pipeline.ts'
import type { Candidate } from './candidate.ts'
import { type Identifiers, tidy, unit } from './identifiers.ts'
import type { Scratch } from './scratch.ts'

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
}

const columns = [
  { name: 'seq', type: 'bigint' },
  { name: 'row', type: 'bigint' },
  { name: 'sku', type: 'text' },
  { name: 'sid', type: 'text' },
  { name: 'fam', type: 'text' },
  { name: 'opt', type: 'text' },
  { name: 'gtin', type: 'text' },
  { name: 'mb', type: 'text' },
  { name: 'url', type: 'text' },
  { name: 'content', type: 'text' },
] as const

/** What two rows have in common when one repeats the other: their cells, trimmed, by name. */
export function contentText(cells: Readonly<Record<string, CellValue>>): string {
  let text = ''
  for (const name of Object.keys(cells).sort()) {
    const value = cells[name]
    text += `${name}${unit}${typeof value === 'string' ? (tidy(value) ?? '') : value?.map((v) => tidy(v) ?? '').join('\u001e')}${unit}`
  }
  return text
}

const contentHash = (cells: Readonly<Record<string, CellValue>>) =>
  hash('sha256', contentText(cells), 'base64').slice(0, 24)

export interface Facts {
  add(candidate: Candidate): void
  /** The catalog knows this candidate as this product. */
  resolve(seq: number, product: string): void
  /** Whether two candidates that win are one product to the catalog: then judge again. */
  meet(): Promise<boolean>
  /** After the last candidate, and again after the look-up where it told something new. */
  judge(): Promise<Verdicts>
}

export interface Verdicts {
  /** Only what is not a plain win, in order of seq. */
  exceptions(): AsyncIterable<Verdict[]>
  /** SKUs that differ from another of the file only by case. */
  caseOnly(): Promise<{ sku: string; other: string; row: number }[]>
}

export async function openFacts(scratch: Scratch): Promise<Facts> {
  const table = await scratch.table('fact', columns)
  const resolved = await scratch.table('resolved', [
    { name: 'seq', type: 'bigint' },
    { name: 'product', type: 'text' },
  ])
  return {
    resolve: (seq, product) => resolved.add([seq, product]),
    async meet() {
      resolved.flush()
      for await (const rows of scratch.stream(
        'select product from resolved group by product having count(*) > 1 limit 1',
      ))
        return rows.length > 0
      return false
    },
    add({ seq, rows, cells, ids }: Candidate) {
      const i: Identifiers = ids
      table.add([
        seq,
        rows[0] ?? null,
        i.sku,
        i.sourceId,
        i.family,
        i.options,
        i.gtin,
        i.mpnBrand,
        i.url,
        contentHash(cells),
      ])
    },
    async judge() {
      table.flush()
      resolved.flush()
      for (const statement of judgement) await scratch.run(statement)
      return { exceptions: () => exceptions(scratch), caseOnly: () => caseOnly(scratch) }
    },
  }
}

/**
 * `who` is what tells rows apart that carry a weak identifier. A row without a SKU (or without any strong identifier) whose
 * identifier stands on exactly one row with a stronger one is that row's product.
 */
const judgement = [
  `create or replace table sku_shared as
     select sku from fact where sku is not null and fam is not null group by sku, fam having count(distinct opt) > 1`,
  `create or replace table named as
     select f.*, s.sku is not null as sku_s,
            case when f.sku is not null and s.sku is null then 'k' || f.sku
                 when f.sid is not null then 'i' || f.sid
                 when f.fam is not null then 'f' || f.fam || chr(31) || f.opt end as who,
            f.fam || chr(31) || f.opt as famopt
       from fact f left join (select distinct sku from sku_shared) s on s.sku = f.sku`,
  `create or replace table sid_shared as select sid from named where sid is not null and sku is not null and not sku_s group by sid having count(distinct sku) > 1`,
  `create or replace table fam_shared as select famopt from named where famopt is not null and sku is not null and not sku_s group by famopt having count(distinct sku) > 1`,
  ...['gtin', 'mb', 'url'].map(
    (kind) =>
      `create or replace table ${kind}_shared as select ${kind} from named where ${kind} is not null group by ${kind} having count(distinct who) > 1`,
  ),
  `create or replace table decided as
     select n.*, i.sid is not null as sid_s, f.famopt is not null as fam_s,
            g.gtin is not null as gtin_s, m.mb is not null as mb_s, u.url is not null as url_s,
            case when n.sku is not null and not n.sku_s then 'k' || n.sku
                 when n.sid is not null and i.sid is null then 'i' || n.sid
                 when n.famopt is not null and f.famopt is null then 'f' || n.famopt
                 when n.gtin is not null and g.gtin is null then 'g' || n.gtin
                 when n.mb is not null and m.mb is null then 'm' || n.mb
                 when n.url is not null and u.url is null then 'u' || n.url
                 when coalesce(n.sku, n.sid, n.famopt, n.gtin, n.mb, n.url) is not null then '?'
                 else 'r' || n.content end as own
       from named n
       left join sid_shared i on i.sid = n.sid
       left join fam_shared f on f.famopt = n.famopt
       left join gtin_shared g on g.gtin = n.gtin
       left join mb_shared m on m.mb = n.mb
       left join url_shared u on u.url = n.url`,
  `create or replace table holder as
     select 'i' || sid as key, min(own) as own from decided where sid is not null and own[1] = 'k' group by sid having count(distinct own) = 1
     union all select 'f' || famopt, min(own) from decided where famopt is not null and own[1] in ('k', 'i') group by famopt having count(distinct own) = 1
     union all select 'g' || gtin, min(own) from decided where gtin is not null and own[1] in ('k', 'i', 'f') group by gtin having count(distinct own) = 1
     union all select 'm' || mb, min(own) from decided where mb is not null and own[1] in ('k', 'i', 'f', 'g') group by mb having count(distinct own) = 1
     union all select 'u' || url, min(own) from decided where url is not null and own[1] in ('k', 'i', 'f', 'g', 'm') group by url having count(distinct own) = 1`,
  `create or replace table grouped as
     select d.*, case when d.own = '?' then '?' || d.seq else coalesce('p' || r.product, h.own, d.own) end as grp
       from decided d left join holder h on h.key = d.own left join resolved r on r.seq = d.seq`,
  `create or replace table winner as
     select grp, max(seq) as seq, arg_max(row, seq) as row, arg_max(content, seq) as content, count(*) as n from grouped group by grp`,
  `create or replace table exception as
     select g.seq,
            case when g.own = '?' then 'ambiguous_identity'
                 when g.seq = w.seq then 'win'
                 when g.content = w.content then 'duplicate' else 'id_conflict' end as verdict,
            w.row as winner_row, g.sku_s, g.sid_s, g.fam_s, g.gtin_s, g.mb_s, g.url_s
       from grouped g join winner w on w.grp = g.grp
      where g.own = '?' or g.seq <> w.seq or g.sku_s or g.sid_s or g.fam_s or g.gtin_s or g.mb_s or g.url_s`,
]

async function* exceptions(scratch: Scratch): AsyncGenerator<Verdict[]> {
  const rows = scratch.stream(
    `select seq, verdict, winner_row, sku_s::int::bigint, sid_s::int::bigint, fam_s::int::bigint, gtin_s::int::bigint, mb_s::int::bigint, url_s::int::bigint
       from exception order by seq`,
  )
  for await (const batch of rows) {
    yield batch.map(([seq, verdict, winnerRow, sku, sourceId, family, gtin, mpnBrand, url]) => ({
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
    }))
  }
}

async function caseOnly(scratch: Scratch) {
  const found: { sku: string; other: string; row: number }[] = []
  const rows = scratch.stream(
    `with sku as (select sku, lower(sku) as folded, min(row) as row from fact where sku is not null group by sku)
     select a.sku, min(b.sku), a.row from sku a join sku b on a.folded = b.folded and a.sku <> b.sku group by a.sku, a.row order by a.row limit 1000`,
  )
  for await (const batch of rows)
    for (const [sku, other, row] of batch)
      found.push({ sku: sku as string, other: other as string, row: row as number })
  return found
}
