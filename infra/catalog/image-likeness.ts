/** Finds which images of a catalog show one picture: those of whose 64 bits at most three differ. */
import type { PoolClient } from 'pg'

/**
 * Two that differ in at most three bits agree in one of four parts at least, so only those that share a part are compared. A
 * part that very many share, as that of a plain ground, tells nothing and is passed over: what is compared stays in proportion
 * to what there is.
 */
const mostAlikePart = 200
const bitsApart = 3
/** Chains of pictures that are each near the next are one group after so many rounds, or stay several. */
const rounds = 8

const tablesSql = `
  create temp table looks_alike (looks text, alike text) on commit drop;
  create temp table looks_near (looks text, other text) on commit drop`

/** Equal looks are one row, however many files have them. */
const looksSql = `
  insert into looks_alike
    select encode(looks, 'hex') as looks, encode(looks, 'hex') as alike from image_check
     where catalog_id = $1 and looks is not null group by looks`

const nearSql = `
  insert into looks_near
    with part as (
      select looks, n, substr(looks, n * 4 + 1, 4) as part from looks_alike, generate_series(0, 3) as n),
    shared as (
      select n, part from part group by n, part having count(*) between 2 and ${mostAlikePart})
    select distinct a.looks, b.looks as other
      from shared join part a using (n, part) join part b using (n, part)
     where a.looks > b.looks and bit_count(('x' || a.looks)::bit(64) # ('x' || b.looks)::bit(64)) <= ${bitsApart}`

/** The least of a group stands for it: from round to round it goes one further along both ways of each pair. */
const spreadSql = `
  update looks_alike l set alike = s.alike
    from (select looks, min(alike) as alike
            from (select n.looks, o.alike from looks_near n join looks_alike o on o.looks = n.other
                  union all select n.other, o.alike from looks_near n join looks_alike o on o.looks = n.looks) p group by looks) s
   where s.looks = l.looks and s.alike < l.alike`

const writeSql = `
  update image_check c set alike = decode(l.alike, 'hex') from looks_alike l
   where c.catalog_id = $1 and c.looks = decode(l.looks, 'hex') and c.alike is distinct from decode(l.alike, 'hex')`

/** In a transaction of its own with what must be true together with it: its tables are gone at the end. */
export async function groupAlike(tx: PoolClient, catalog: string): Promise<void> {
  await tx.query(tablesSql)
  await tx.query(looksSql, [catalog])
  await tx.query('analyze looks_alike')
  await tx.query(nearSql)
  for (let round = 0; round < rounds; round++) if (!(await tx.query(spreadSql)).rowCount) break
  await tx.query(writeSql, [catalog])
}
