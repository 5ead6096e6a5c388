/** The statements that bring rows of one product together, over the rows that have anything in common with another (DESIGN 5.3). */

// Temporary tables spill to disk as others do, and cost half as much to make.

/** Kinds below the SKU in the order in which they decide: a column of the rows, and the letter that a group is named with. */
const kinds = [
  ['sid', 'i'],
  ['famopt', 'f'],
  ['gtin', 'g'],
  ['mb', 'm'],
  ['url', 'u'],
] as const

/**
 * Every row gets a group, strongest kinds first. An identifier that stands on rows of several groups is shared and decides nothing;
 * one that stands on rows of a single group brings the rows that have nothing stronger into it. So an identifier that is not
 * shared stands in one group only, and no order of the rows makes another product of it.
 */
const placeRows = [
  `create or replace temp table sku_shared as
     select sku from suspect where sku is not null and fam is not null group by sku, fam having count(distinct opt) > 1`,
  `create or replace temp table rest as
     select f.*, f.fam || chr(31) || f.opt as famopt, s.sku is not null as sku_s
       from suspect f left join (select distinct sku from sku_shared) s on s.sku = f.sku`,
  `create or replace temp table placed as select *, 'k' || sku as grp from rest where sku is not null and not sku_s`,
  'delete from rest where sku is not null and not sku_s',
  ...kinds.flatMap(([kind, letter]) => [
    `create or replace temp table ${kind}_held as
       select ${kind} as value, min(grp) as grp, count(distinct grp) > 1 as shared from placed where ${kind} is not null group by ${kind}`,
    `insert into placed
       select r.*, coalesce(h.grp, '${letter}' || r.${kind}) from rest r left join ${kind}_held h on h.value = r.${kind}
        where r.${kind} is not null and h.shared is distinct from true`,
    `delete from rest where ${kind} is not null and ${kind} not in (select value from ${kind}_held where shared)`,
  ]),
  `insert into placed
     select *, case when coalesce(sku, sid, famopt, gtin, mb, url) is null then 'r' || content else '?' || seq end from rest`,
]

/**
 * Groups that the catalog knows as one product are one. Where several would give a product its first SKU or its options, the first
 * one does, and those with others are products of their own.
 */
const meetInCatalog = [
  `create or replace temp table known as
     with told as (
            select p.grp, p.seq, case when not p.sku_s then p.sku end as sku, nullif(p.opt, '') as opt, r.product, r.gives = 1 as gives
              from placed p join resolved r on r.seq = p.seq),
          given as (
            select product, arg_min(sku, seq) filter (sku is not null) as sku, arg_min(opt, seq) filter (opt is not null) as opt
              from told where gives group by product)
     select t.grp, t.seq, t.product, not t.gives or (coalesce(t.sku = g.sku, true) and coalesce(t.opt = g.opt, true)) as meets
       from told t left join given g on g.product = t.product`,
  `create or replace temp table met as select grp, min(product) as product from known where meets group by grp`,
  // The look-up of the append must not find them again, in whatever order it comes to them.
  `create or replace temp table own as select seq from known where not meets and grp not in (select grp from met)`,
  `create or replace temp table grouped as
     select p.* exclude (grp), coalesce('p' || m.product, p.grp) as grp from placed p left join met m on m.grp = p.grp`,
]

const shared = kinds.map(([kind]) => `${kind}_h.shared is true as ${kind}_s`).join(', ')
const held = kinds.map(([kind]) => `left join ${kind}_held ${kind}_h on ${kind}_h.value = g.${kind}`).join(' ')

/** Of a file whose rows have nothing in common, as most have; the judgement costs a tenth of a second. */
export const noExceptions = [
  `create or replace table exception as
     select 0 as seq, 0 as winner_row, false as sku_s, false as sid_s, false as fam_s, false as gtin_s, false as mb_s, false as url_s, false as own, 'win' as verdict
      where false`,
]

/** From `suspect` and `resolved` to `exception`: every row that is anything but a plain win. */
export const judgement = [
  ...placeRows,
  ...meetInCatalog,
  `create or replace temp table winner as
     select grp, max(seq) as seq, arg_max(row, seq) as row, arg_max(content, seq) as content from grouped group by grp`,
  `create or replace table exception as
     with told as (
       select g.seq, g.grp, g.content, g.sku_s, ${shared}, o.seq is not null as own, w.seq as winner, w.row as winner_row, w.content as winner_content
         from grouped g join winner w on w.grp = g.grp left join own o on o.seq = g.seq ${held})
     select seq, winner_row, sku_s, sid_s, famopt_s as fam_s, gtin_s, mb_s, url_s, own,
            case when grp[1] = '?' then 'ambiguous_identity'
                 when seq = winner then 'win'
                 when content = winner_content then 'duplicate' else 'id_conflict' end as verdict
       from told
      where grp[1] = '?' or seq <> winner or sku_s or sid_s or famopt_s or gtin_s or mb_s or url_s or own`,
]
