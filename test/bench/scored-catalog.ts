/** Fills a catalog with scored products for benchmarks, set by set: as many patterns of rule points as a catalog of differing products has. */

import { platformNames } from '../../schemas/feeds/profile.ts'
import { requiredBits } from '../../schemas/feeds/required-bits.ts'
import { unrefined } from '../../schemas/product.ts'
import { score, type Weights } from '../../schemas/score.ts'
import { subScoresOf } from '../../transforms/gold/grade.ts'
import { isRefusal } from '../../transforms/gold/refusals.ts'
import { rubric, rubricVersion } from '../../transforms/gold/rubric.ts'
import { random } from './catalog-file.ts'

export type Query = <R>(sql: string, values?: unknown[]) => Promise<{ rows: R[] }>

const stepRows = 100_000
const everyPlatform = requiredBits(platformNames)

/** A product lacks what others of its kind lack too: some rules are met by most, texts are of any length. */
function anyPattern(next: () => number): Uint8Array {
  const care = next()
  return Uint8Array.from(rubric, ({ id }) => {
    const roll = next()
    if (/length|snippet|shown|attributes|images/.test(id)) return Math.round(100 * Math.min(1, care + roll * 0.7))
    if (/^(color|size|material|gender|age_group|options|sale_price|original_price)$/.test(id)) return 255
    return roll < 0.35 + care * 0.65 || (isRefusal[rubric.findIndex((rule) => rule.id === id)] && roll < 0.9) ? 100 : 0
  })
}

/** The products are ranked under the weights given, as number 1. */
export async function fillScores(
  query: Query,
  { catalog, size, patterns }: { catalog: string; size: number; patterns: number },
  weights: Weights,
  told: (done: number) => void,
): Promise<void> {
  const next = random(11)
  const rows = Array.from({ length: patterns }, () => {
    const points = anyPattern(next)
    const refused = points.some((percent, place) => isRefusal[place] && percent < 100)
    return { points, sub: subScoresOf(points), valid: refused ? 0 : everyPlatform }
  })
  await query(
    'create table bench_pattern (pattern int primary key, points bytea, s smallint[], valid int, score smallint)',
  )
  await query(
    `insert into bench_pattern select n - 1, points, string_to_array(s, ',')::smallint[], valid, score
       from unnest($1::bytea[], $2::text[], $3::int[], $4::int[]) with ordinality as u (points, s, valid, score, n)`,
    [
      rows.map(({ points }) => Buffer.from(points)),
      rows.map(({ sub }) => sub.join(',')),
      rows.map(({ valid }) => valid),
      rows.map(({ sub }) => score(sub, weights)),
    ],
  )
  for (let from = 1; from <= size; from += stepRows) {
    const range = [catalog, from, Math.min(size, from + stepRows - 1)]
    await query(productSql, [...range, JSON.stringify(unrefined)])
    // Few patterns have many products, most have few.
    await query(scoreSql, [...range, patterns, rubricVersion])
    told(range[2] as number)
  }
  await query('drop table bench_pattern')
}

/** In the form of a UUIDv8, as ids of products are. */
const idOf = `overlay(overlay(md5('bench' || n) placing '8' from 13) placing 'a' from 17)::uuid`

const productSql = `
  insert into products (catalog_id, product_id, workspace_id, brand_id, kind, stage, rev, source_identifier, sku, title, alive, content_hash,
                        settings_number, created_at, updated_at, refined, layers)
  select c.catalog_id, ${idOf}, c.workspace_id, c.brand_id, 'single', 'gold', 1, decode(md5(n::text), 'hex'), 'SKU-' || n, 'Mug ' || n, true,
         decode(md5('c' || n), 'hex'), 1, now(), now(),
         $4::jsonb || jsonb_build_object('sku', 'SKU-' || n, 'title', 'Mug ' || n),
         convert_to('{"kind":"single","family":null,"epoch":1,"rev":1,"layers":[]}', 'UTF8')
    from catalog c, generate_series($2::int, $3::int) n where c.catalog_id = $1`

const scoreSql = `
  with chosen as (
    select c.catalog_id, ${idOf} as product_id, c.workspace_id, c.brand_id, b.*
      from catalog c, generate_series($2::int, $3::int) n
      join bench_pattern b on b.pattern = floor($4::int * power(('x' || left(md5('p' || n), 8))::bit(32)::bigint / 4294967296.0, 3))::int
     where c.catalog_id = $1),
  scored as (
    insert into product_score (catalog_id, product_id, workspace_id, brand_id, s1, s2, s3, s4, s5, s6, s7, rule_points, valid, rubric_version, scored_at)
    select catalog_id, product_id, workspace_id, brand_id, s[1], s[2], s[3], s[4], s[5], s[6], s[7], points, valid, $5, now() from chosen)
  insert into product_rank (catalog_id, product_id, workspace_id, brand_id, score, weights_number)
  select catalog_id, product_id, workspace_id, brand_id, score, 1 from chosen`
