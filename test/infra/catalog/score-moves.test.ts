import { randomUUID } from 'node:crypto'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Catalog, openCatalog, type Principal } from '../../../infra/catalog/postgres.ts'
import { countMoves } from '../../../infra/catalog/score-moves.ts'
import { streamPatterns } from '../../../infra/catalog/score-patterns.ts'
import { ensureWorkspace } from '../../../infra/catalog/tenants.ts'
import { score, type Weights } from '../../../schemas/score.ts'
import { freshDatabase, type TestDatabase } from '../../harness.ts'
import { anyWeights } from '../../transforms/gold/any-points.ts'

interface Scored {
  readonly id: string
  readonly sub: readonly number[]
  readonly points: Uint8Array
  readonly valid: number
  readonly rubric: number
}

let database: TestDatabase
let catalog: Catalog
let scored: readonly Scored[]
const mine = 'ws_mine'
const all: Principal = { workspaceId: mine, brandIds: '*' }

beforeAll(async () => {
  database = await freshDatabase()
  catalog = openCatalog(database.url, { maxConnections: 4 })
  const one = fc.record({
    id: fc.uuid({ version: 4 }),
    sub: fc.array(fc.integer({ min: 0, max: 10_000 }), { minLength: 7, maxLength: 7 }),
    points: fc.constantFrom('\x00d', 'dd', '\xffd').map((text) => Uint8Array.from(Buffer.from(text, 'latin1'))),
    valid: fc.nat(3),
    rubric: fc.constantFrom(7, 7, 7, 6),
  })
  scored = fc.sample(fc.uniqueArray(one, { minLength: 300, maxLength: 300, selector: ({ id }) => id }), 1)[0] ?? []
  await fill(mine, scored)
  await fill('ws_theirs', [{ ...(scored[0] as Scored), id: randomUUID() }])
})
afterAll(async () => {
  await catalog.close()
  await database.drop()
})

async function fill(workspace: string, rows: readonly Scored[]): Promise<void> {
  await ensureWorkspace(catalog.pipeline, workspace, 'Test')
  await catalog.pipeline.query(
    `insert into product_score (catalog_id, product_id, workspace_id, brand_id, s1, s2, s3, s4, s5, s6, s7, rule_points, valid, rubric_version, scored_at)
     select c.catalog_id, id, c.workspace_id, c.brand_id, s[1], s[2], s[3], s[4], s[5], s[6], s[7], points, valid, rubric, now()
       from catalog c, unnest($2::uuid[], $3::bytea[], $4::int[], $5::text[], $6::int[]) as u (id, points, valid, subs, rubric),
            lateral (select string_to_array(subs, ',')::smallint[] as s) t
      where c.workspace_id = $1`,
    [
      workspace,
      rows.map(({ id }) => id),
      rows.map(({ points }) => Buffer.from(points)),
      rows.map(({ valid }) => valid),
      rows.map(({ sub }) => sub.join(',')),
      rows.map(({ rubric }) => rubric),
    ],
  )
}

const moves = (principal: Principal, before: Weights, after: Weights, shown = 5) =>
  catalog.withTenant(principal, (tx) => countMoves(tx, { before, after }, 7, shown))
const total = (rows: readonly { readonly products: number }[]) => rows.reduce((sum, row) => sum + row.products, 0)

test('moves are to the last digit what the formula gives product by product, under any two weights', async () => {
  await fc.assert(
    fc.asyncProperty(anyWeights, anyWeights, async (before, after) => {
      const wanted = new Map<string, number>()
      for (const { sub, valid, rubric } of scored) {
        const key = `${score(sub, before)} ${score(sub, after)} ${rubric === 7 && (valid & 1) === 1}`
        wanted.set(key, (wanted.get(key) ?? 0) + 1)
      }
      const rows = await moves(all, before, after)
      expect(new Map(rows.map((row) => [`${row.before} ${row.after} ${row.passes}`, row.products]))).toEqual(wanted)
      const shown = rows.filter(({ product }) => product !== null)
      const farthest = rows.map((row) => Math.abs(row.after - row.before)).filter((far) => far > 0)
      expect(shown).toHaveLength(Math.min(5, farthest.length))
      for (const { product, before: was, after: becomes } of shown) {
        const found = scored.find(({ id }) => id === product)
        expect([score(found?.sub ?? [], before), score(found?.sub ?? [], after)]).toEqual([was, becomes])
      }
      const least = farthest.sort((a, b) => b - a)[shown.length - 1]
      expect(Math.min(...shown.map((row) => Math.abs(row.after - row.before)))).toBe(
        shown.length > 0 ? least : Infinity,
      )
    }),
    { numRuns: 30 },
  )
})

test('moves are of the principal’s own brands, and of no catalog that is deleted', async () => {
  const [a, b] = [
    [10_000, 0, 0, 0, 0, 0, 0],
    [0, 10_000, 0, 0, 0, 0, 0],
  ]
  expect(total(await moves({ workspaceId: 'ws_theirs', brandIds: '*' }, a, b))).toBe(1)
  expect(total(await moves({ workspaceId: mine, brandIds: [randomUUID()] }, a, b))).toBe(0)
  const deleted = 'update catalog set deleted_at = $2 where workspace_id = $1'
  await catalog.pipeline.query(deleted, [mine, new Date()])
  expect(total(await moves(all, a, b))).toBe(0)
  await catalog.pipeline.query(deleted, [mine, null])
})

test('patterns come once each, the commonest first, and what other rubrics scored is one of its own', async () => {
  const { rows } = await catalog.pipeline.query<{ id: string }>(
    'select catalog_id as id from catalog where workspace_id = $1',
    [mine],
  )
  const found = await catalog.withTenant(all, async (tx) => {
    const pages = []
    for await (const page of streamPatterns(tx, rows[0]?.id ?? '', 7)) pages.push(...page)
    return pages
  })
  const keyOf = (points: Uint8Array | null, valid: number | null) =>
    points === null ? 'other' : `${Buffer.from(points).toString('hex')} ${valid}`
  const wanted = new Map<string, number>()
  for (const { points, valid, rubric } of scored) {
    const key = rubric === 7 ? keyOf(points, valid) : keyOf(null, null)
    wanted.set(key, (wanted.get(key) ?? 0) + 1)
  }
  expect(found).toHaveLength(wanted.size)
  expect(new Map(found.map(({ points, valid, products }) => [keyOf(points, valid), products]))).toEqual(wanted)
  const counts = found.map(({ products }) => products)
  expect(counts).toEqual(counts.toSorted((x, y) => y - x))
})
