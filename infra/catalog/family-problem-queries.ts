/** Families whose variants may not go together, found set-wise over the catalog as it is: which they are, and what there is to tell of them. Under policy. */
import type { PoolClient } from 'pg'
import { mostVariants } from '../../schemas/feeds/family-asks.ts'
import type { FamilySeen } from '../../transforms/gold/family-problems.ts'

export interface SeenFamily extends FamilySeen {
  readonly familyId: string
  readonly itemGroupId: string | null
}

interface Asked {
  readonly after: string | null
  readonly only: string | null
  /** Names of options that stand for an attribute, in small letters. */
  readonly optionNames: readonly string[]
}

/**
 * In order of their ids. All that have a problem, and some that have none: a color may be a column here and an option there, which
 * is not SQL's to know. A catalog without problems is read once.
 */
export async function suspectFamilies(
  tx: PoolClient,
  catalog: string,
  { after, only, optionNames }: Asked,
  limit: number,
): Promise<{ id: string }[]> {
  const { rows } = await tx.query<{ id: string }>(
    `select v.family_id as id from (${variants('($2::uuid is null or p.family_id > $2) and ($3::uuid is null or p.family_id = $3)', '$5')}) v
      group by v.family_id
     having min(v.names) <> max(v.names) or count(distinct v.signature) < count(*) or count(*) > ${mostVariants}
      order by v.family_id limit $4`,
    [catalog, after, only, limit, optionNames],
  )
  return rows
}

export async function seeFamilies(
  tx: PoolClient,
  catalog: string,
  families: readonly string[],
  { optionNames }: Pick<Asked, 'optionNames'>,
): Promise<SeenFamily[]> {
  if (families.length === 0) return []
  const { rows } = await tx.query<SeenFamily>(
    `with variant as (${variants('p.family_id = any ($2::uuid[])', '$3')}),
     whole as (
       select family_id, min(item_group_id) as item_group_id, count(*)::int as variants from variant group by family_id),
     form as (
       select family_id, jsonb_agg(jsonb_build_object('names', names, 'variants', n, 'examples', examples) order by names) as forms
         from (select family_id, names, count(*) as n, ${examples} from variant group by family_id, names) f
        group by family_id),
     same as (
       select family_id, product_id, sku, signature, gtin,
              count(*) over (partition by family_id, signature) as n,
              count(gtin) over (partition by family_id, signature, gtin) as of_gtin from variant),
     alike as (
       select family_id, count(*)::int as n, bool_or(of_gtin > 1) as of_one_gtin, ${examples.replace('order by', 'order by signature,')}
         from same where n > 1 group by family_id)
     select family_id as "familyId", w.item_group_id as "itemGroupId", w.variants, f.forms,
            jsonb_build_object('variants', coalesce(a.n, 0), 'ofOneGtin', coalesce(a.of_one_gtin, false),
                               'examples', coalesce(to_jsonb(a.examples), '[]')) as alike
       from whole w join form f using (family_id) left join alike a using (family_id) order by family_id`,
    [catalog, families, optionNames],
  )
  return rows
}

const examples = `(array_agg(jsonb_build_object('productId', product_id, 'sku', sku) order by product_id))[1:10] as examples`

/** The attributes that tell variants apart beside their options, as fields and as `refined` has them. */
const attributes = {
  color: 'color',
  size: 'size',
  material: 'material',
  pattern: 'pattern',
  gender: 'gender',
  age_group: 'ageGroup',
}

const columns = Object.entries(attributes)
const named = columns.map(([name, key]) => `case when p.refined->>'${key}' <> '' then '${name}' end`)
const valued = columns.map(([, key]) => `lower(p.refined->>'${key}')`)

/**
 * `names` is what a variant says at all, `signature` what it says: its case is not significant. An option that stands for an
 * attribute is told by that alone, as feeds tell it: silver has filled it, and an edit of it counts over the option.
 * @param stand the parameter with the names of such options
 */
const variants = (which: string, stand: string) => `
  select p.family_id, p.product_id, p.sku, p.gtin, p.refined->>'itemGroupId' as item_group_id,
         array_cat(array(select lower(k) from jsonb_object_keys(coalesce(p.refined->'options', '{}')) k order by 1),
                   array_remove(array[${named.join(', ')}], null)) as names,
         array_cat(array[${valued.join(', ')}],
                   array(select lower(o.key || ':' || o.value) from jsonb_each_text(coalesce(p.refined->'options', '{}')) o
                          where translate(lower(o.key), '_-', '  ') <> all (${stand}::text[]) order by 1)) as signature
    from products p
   where p.catalog_id = $1 and p.kind = 'variant' and p.alive and p.stage <> 'bronze' and p.family_id is not null and ${which}`
