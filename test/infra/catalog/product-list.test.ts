import { randomUUID } from 'node:crypto'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Catalog, openCatalog, type Principal } from '../../../infra/catalog/postgres.ts'
import type { ProductFilter, Scoring } from '../../../infra/catalog/product-conditions.ts'
import { type ListPlace, listProductPage, type ProductPage } from '../../../infra/catalog/product-list.ts'
import { ensureWorkspace } from '../../../infra/catalog/tenants.ts'
import { bandOf, bandRange, bands, feedReadyFrom, score } from '../../../schemas/score.ts'
import { gapFields } from '../../../transforms/gold/gains.ts'
import { gapPlaces, presencePlaces } from '../../../transforms/gold/gap-places.ts'
import { gapsOf } from '../../../transforms/gold/gaps.ts'
import { normaliseWeights } from '../../../transforms/gold/reweight.ts'
import { rubric } from '../../../transforms/gold/rubric.ts'
import { freshDatabase, type TestDatabase } from '../../harness.ts'

const workspace = 'ws_test'
const principal: Principal = { workspaceId: workspace, brandIds: '*' }
const catalogId = randomUUID()
const manyRows = 9_000

interface Scored {
  readonly id: string
  readonly sub: readonly number[]
  readonly points: Uint8Array
  readonly valid: number
}

let database: TestDatabase
let catalog: Catalog
let scored: readonly Scored[]

const insertProducts = `
  insert into products (catalog_id, product_id, workspace_id, brand_id, kind, stage, rev, source_identifier, sku, title, alive, content_hash,
                        settings_number, created_at, updated_at, refined, layers)
  select $1, id, $2, $1, 'single', 'gold', 1, '\\x00', 'S-' || n, 'Mug number ' || n, true, '\\x00', 1, now(), now(), '{}', '{}'
    from unnest($3::uuid[]) with ordinality as u (id, n)`
const insertScores = `
  insert into product_score (catalog_id, product_id, workspace_id, brand_id, s1, s2, s3, s4, s5, s6, s7, rule_points, valid, rubric_version, scored_at)
  select $1, id, $2, $1, s[1], s[2], s[3], s[4], s[5], s[6], s[7], points, valid, 1, now()
    from unnest($3::uuid[], $4::bytea[], $5::int[], $6::text[]) as u (id, points, valid, subs),
         lateral (select string_to_array(subs, ',')::smallint[] as s) t`

beforeAll(async () => {
  database = await freshDatabase()
  catalog = openCatalog(database.url)
  await ensureWorkspace(catalog.pipeline, workspace, 'Test')
  const percent = fc.constantFrom(0, 0, 50, 99, 100, 100, 255)
  const sample = fc.record({
    id: fc.uuid({ version: 4 }),
    sub: fc.array(fc.integer({ min: 0, max: 10_000 }), { minLength: 7, maxLength: 7 }),
    // Shorter ones are of a rubric that had fewer rules.
    points: fc
      .uint8Array({ minLength: rubric.length - 3, maxLength: rubric.length })
      .chain((bytes) =>
        fc.array(percent, { minLength: bytes.length, maxLength: bytes.length }).map((list) => Uint8Array.from(list)),
      ),
    valid: fc.nat(3),
  })
  scored = fc.sample(fc.uniqueArray(sample, { minLength: 200, maxLength: 200, selector: ({ id }) => id }), 1)[0] ?? []
  const ids = scored.map(({ id }) => id)
  await catalog.pipeline.query(insertProducts, [catalogId, workspace, ids])
  await catalog.pipeline.query(insertScores, [
    catalogId,
    workspace,
    ids,
    scored.map(({ points }) => Buffer.from(points)),
    scored.map(({ valid }) => valid),
    scored.map(({ sub }) => sub.join(',')),
  ])
})
afterAll(async () => {
  await catalog.close()
  await database.drop()
})

async function listed(filter: Omit<ProductFilter, 'catalog'>, scoring: Scoring, of = catalogId): Promise<string[]> {
  const found: string[] = []
  for (let after: ListPlace | null = null; ; ) {
    const from: ListPlace | null = after
    const { rows, end }: ProductPage = await catalog.withTenant(principal, (tx) =>
      listProductPage(tx, { catalog: of, ...filter }, scoring, { sort: 'id', direction: 'asc' }, from, 70),
    )
    found.push(...rows.map(({ id }) => id))
    if (end === null) return found
    after = end
  }
}

test('a list by score is whole and in order while no ranks are built for the weights in force', async () => {
  const w = normaliseWeights([3, 1, 0, 2, 1, 1, 4])
  const scoring = { weights: w, required: 0, feedReadyFrom, rubric: 1 }
  await catalog.pipeline.query('update workspace set rank_number = 0')
  for (const direction of ['asc', 'desc'] as const) {
    const found: string[] = []
    for (let after: ListPlace | null = null, over = false; !over; over = after === null) {
      const from: ListPlace | null = after
      const page: ProductPage = await catalog.withTenant(principal, (tx) =>
        listProductPage(tx, { catalog: catalogId, scores: [20, 80] }, scoring, { sort: 'score', direction }, from, 7),
      )
      found.push(...page.rows.map(({ id }) => id))
      after = page.end
    }
    const sign = direction === 'asc' ? 1 : -1
    const expected = scored
      .filter(({ sub }) => score(sub, w) >= 20 && score(sub, w) <= 80)
      .toSorted((a, b) => sign * (score(a.sub, w) - score(b.sub, w) || (a.id < b.id ? 1 : -1)))
    expect(found).toEqual(expected.map(({ id }) => id))
  }
  await catalog.pipeline.query('update workspace set rank_number = weights_number')
})

const weights = fc
  .array(fc.nat(100), { minLength: 7, maxLength: 7 })
  .filter((list) => list.some((one) => one > 0))
  .map(normaliseWeights)
const idsWhere = (holds: (one: Scored) => boolean) =>
  scored
    .filter(holds)
    .map(({ id }) => id)
    .sort()

describe('what the database finds is what the rubric says', () => {
  test('of bands and feed-readiness, under any weights', async () => {
    await fc.assert(
      fc.asyncProperty(
        weights,
        fc.constantFrom(...bands),
        fc.nat(3),
        fc.boolean(),
        async (w, band, required, ready) => {
          const scoring = { weights: w, required, feedReadyFrom, rubric: 1 }
          expect(await listed({ scores: bandRange(band) }, scoring)).toEqual(
            idsWhere(({ sub }) => bandOf(score(sub, w)) === band),
          )
          expect(await listed({ feedReady: ready }, scoring)).toEqual(
            idsWhere(({ sub, valid }) => (score(sub, w) >= feedReadyFrom && (valid & required) === required) === ready),
          )
        },
      ),
      { numRuns: 15 },
    )
  })

  test('of gaps and missing fields, under any weights', async () => {
    await fc.assert(
      fc.asyncProperty(weights, fc.constantFrom(...gapFields), async (w, field) => {
        const scoring = { weights: w, required: 1, feedReadyFrom, rubric: 1 }
        const gap = gapPlaces(field, w)
        expect(await listed({ gap }, scoring)).toEqual(
          idsWhere(({ points }) => gapsOf(points, w).gaps.some((one) => one.field === field)),
        )
        expect(await listed({ gap, absent: presencePlaces(field) }, scoring)).toEqual(
          idsWhere(({ points }) => gapsOf(points, w).missing.includes(field)),
        )
      }),
      { numRuns: 15 },
    )
  })

  test('and nothing, where the rubric is another than the one that the scores are of', async () => {
    const scoring = { weights: normaliseWeights([1, 1, 1, 1, 1, 1, 1]), required: 1, feedReadyFrom, rubric: 2 }
    expect(await listed({ feedReady: true }, scoring)).toEqual([])
    expect(await listed({ gap: rubric.map((_, place) => place) }, scoring)).toEqual([])
  })
})

test('a page ends where its look ends, though nothing was found, and goes on from there to the very last row', async () => {
  const many = randomUUID()
  const ids = Array.from({ length: manyRows }, () => randomUUID()).sort()
  await catalog.pipeline.query(insertProducts, [many, workspace, ids])
  const last = `number ${manyRows}`.split(' ')
  const scoring = { weights: [10_000, 0, 0, 0, 0, 0, 0], required: 1, feedReadyFrom, rubric: 1 }
  expect(await listed({ words: last }, scoring, many)).toEqual([ids.at(-1)])
  expect(await listed({ words: ['NUMBER', 'mug', '777'] }, scoring, many)).toHaveLength(18)
})
