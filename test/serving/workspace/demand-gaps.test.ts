import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ensureWorkspace } from '../../../infra/catalog/tenants.ts'
import { defaultWeights } from '../../../schemas/score.ts'
import { demandReport } from '../../../serving/workspace/demand-report.ts'
import { pointsOfField } from '../../../transforms/gold/points-of-field.ts'
import { type Running, startAssay, workspace } from '../../running.ts'

const base = `/api/workspace/${workspace}`
let assay: Running
let catalog: string
const ids = new Map<string, string>()
beforeAll(async () => {
  assay = await startAssay({}, { roles: ['api', 'jobs', 'transforms', 'events'] })
  catalog = await assay.newCatalog()
  await assay.ingest(
    catalog,
    [
      'sku,title,price,material,color,attributes',
      'T-1,Long table,50.00,Oak,brown,',
      'T-2,Round table,40.00,,brown,',
      'T-3,Side table,30.00,,,',
      'S-1,Wall shelf,20.00,,white,',
      'S-2,Book shelf,25.00,Ash,white,',
      'L-1,Table lamp,15.00,,white,"{""Wattage"":""40 W""}"',
      'L-2,Floor lamp,35.00,Brass,black,"{""Wattage"":null}"',
      '',
    ].join('\n'),
  )
  for (const { sku, id } of await assay.products(catalog)) ids.set(sku ?? '', id)
})
afterAll(() => assay.close())

const daysAgo = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString()
const times = <T>(n: number, one: T): T[] => Array.from({ length: n }, () => one)

async function send(events: readonly object[]): Promise<void> {
  const { body, text } = await assay.call(
    'POST',
    '/api/v1/events',
    events.map((one) => ({ catalog_id: catalog, ...one })),
  )
  if (body.accepted !== events.length) throw new Error(text)
  const lag = async () => (await gaps({ days: '3', fresh: 'true' })).lag
  await expect.poll(lag, { timeout: 30_000, interval: 200 }).toBe(0)
}

const asked = (query: Record<string, string> = {}, headers: Record<string, string> = {}, at = workspace) => {
  const search = new URLSearchParams({ catalog_id: catalog, ...query })
  return assay.call('GET', `/api/workspace/${at}/insights/demand-gaps?${search}`, undefined, headers)
}
async function gaps(query: Record<string, string> = {}) {
  const { status, body, text } = await asked(query)
  if (status !== 200) throw new Error(text)
  return body
}
type Gap = { field: string } & Record<string, unknown>
const gapOf = (body: { gaps: Gap[] }, field: string) => body.gaps.find((one) => one.field === field)

/** Sent once, also when the test is tried again. */
let sent = false

describe('demand', () => {
  test('of which there is none loses nothing', async () => {
    expect(await gaps()).toMatchObject({ gaps: [], watermark: null, lag: 0, isSample: false, days: 30 })
  })

  test('is joined to what the products lack that were meant, and ranked by what is lost', async () => {
    if (!sent)
      await send([
        // Of three tables and a table lamp three lack the material; of all seven four do.
        ...times(8, { type: 'search', metadata: { query: 'Table', filter_material: 'oak' } }),
        ...times(7, { type: 'search', metadata: { filter_material: 'ash' } }),
        ...times(2, { type: 'tool_call', metadata: { tool: 'find', arg_colour: 'red', arg_page: 2 } }),
        ...times(5, { type: 'search', metadata: { filter_wattage: '60', query: 'lamp' } }),
        // "oak" is a material here, so it was a shelf of oak that nobody found.
        ...times(4, { type: 'search_zero_hit', metadata: { query: 'shelf oak' } }),
        ...times(3, { type: 'search', metadata: { query: 'teapot', results: 0 } }),
        ...times(2, { type: 'order_cancelled', product_id: 'T-3', metadata: { reason: 'not the colour I expected' } }),
        { type: 'search', time: daysAgo(20), metadata: { filter_gender: 'female' } },
        ...times(9, { type: 'product_view', metadata: { filter_pattern: 'dots' } }),
        ...times(9, { type: 'search', metadata: { filter_brand: 'x', query: 'nothing like it' } }),
      ])
    sent = true
    const body = await gaps({ days: '7', fresh: 'true' })
    const materialPoints = pointsOfField('material', defaultWeights)
    expect(materialPoints).toBeGreaterThan(0)
    expect(gapOf(body, 'material')).toMatchObject({
      says: 'Filtered by material 15 times, searched for by material 4 times and not found; 63 % of matching products lack it',
      ...{ times: 19, filtered: 15, notFound: 4, called: 0, cancelled: 0, lost: 12, share: 0.6316 },
      most: { query: 'table', matching: 4, lacking: 3 },
      examples: ['T-2', 'T-3', 'L-1']
        .map((sku) => ({ productId: ids.get(sku), sku }))
        .sort((a, b) => ((a.productId ?? '') < (b.productId ?? '') ? -1 : 1))
        .filter((_, i) => i !== 1),
      fix: {
        says: expect.stringMatching(/^Fill material .* It brings a product up to [\d.]+ points\.$/),
        isGraded: true,
        points: expect.closeTo(materialPoints, 2),
      },
    })
    expect(gapOf(body, 'wattage')).toMatchObject({
      ...{ times: 5, lost: 2.5, share: 0.5, most: { query: 'lamp', matching: 2, lacking: 1 } },
      fix: { says: expect.stringMatching(/an attribute named wattage/), isGraded: false, points: 0 },
    })
    // Both cancelled orders were of the one product that has no colour; of all seven one has none.
    expect(gapOf(body, 'color')).toMatchObject({ times: 4, called: 2, cancelled: 2, lost: 2.3 })
    expect(gapOf(body, 'description')).toMatchObject({ cancelled: 2, lost: 2 })
    expect(body.gaps.map((one: Gap) => one.field)).toEqual(['material', 'wattage', 'color', 'description'])
    expect((await gaps({ days: '29' })).gaps.map((one: Gap) => one.field)).toContain('gender')
    expect((await gaps({ days: '7', limit: '1' })).gaps.map((one: Gap) => one.field)).toEqual(['material'])
  })

  test('of a large catalog is held against a sample, which is told', async () => {
    const keys = [{ key: 'filter_material', query: '', times: 10, total: 10 }]
    const principal = { workspaceId: workspace, brandIds: '*' } as const
    const report = await demandReport(
      (work) => assay.system.catalog.withTenant(principal, work),
      catalog,
      { keys, empty: [], regrets: [] },
      20,
      3,
    )
    expect(report.isSample).toBe(true)
    expect(report.gaps.at(0)?.most.matching ?? 3).toBe(3)
  })
})

test('an event counts once for a field, however many of its keys ask for it', async () => {
  await send([
    ...times(6, { type: 'search', metadata: { filter_weight_min: 1, filter_weight_max: 2 } }),
    ...times(5, { type: 'tool_call', metadata: { tool: 'find', filter_pattern: 'dots', arg_pattern: 'dots' } }),
    ...times(4, { type: 'search', metadata: { filter_size: 'M', filter_taille: 'M' } }),
    ...times(3, { type: 'search', metadata: { filter_: 'x' } }),
  ])
  const body = await gaps({ days: '1', fresh: 'true' })
  expect(gapOf(body, 'weight')).toMatchObject({ times: 6, filtered: 6, lost: 6 })
  expect(gapOf(body, 'pattern')).toMatchObject({ times: 5, filtered: 5, called: 0 })
  expect(gapOf(body, 'size')).toMatchObject({ times: 4, filtered: 4 })
  expect(body.gaps.map((one: Gap) => one.field)).not.toContain('')
})

test('a name or a text that is no SQL stays a name and a text', async () => {
  const odd = ["x'; drop table products; --", '%', '_', '\\', '{x:String}', '"', '🧦 sock']
  await send(odd.map((query) => ({ type: 'search_zero_hit', metadata: { query, filter_x_drop_table: query } })))
  await send(
    odd.map((reason) => ({ type: 'order_cancelled', product_id: reason, metadata: { reason: `size ${reason}` } })),
  )
  expect(gapOf(await gaps({ days: '1', fresh: 'true' }), 'x_drop_table')).toMatchObject({ filtered: 7 })
})

test('the same question is answered from what is kept; fresh asks anew where events came', async () => {
  await gaps({ days: '2' })
  expect((await gaps({ days: '2' })).cache_hit).toBe(true)
  expect((await gaps({ days: '4' })).cache_hit).toBe(false)
  await send([{ type: 'search', metadata: { filter_age_group: 'adult' } }])
  expect(gapOf(await gaps({ days: '2' }), 'age_group')).toBeUndefined()
  expect(gapOf(await gaps({ days: '2', fresh: 'true' }), 'age_group')).toMatchObject({ filtered: 1 })
})

test('nobody hears of another tenant’s demand, whichever parameter names it', async () => {
  await gaps()
  await ensureWorkspace(assay.system.catalog.pipeline, 'ws_other', 'Other')
  const { body } = await assay.call('POST', `${base}/brands`, { name: `B ${randomUUID()}` })
  const { brands } = (await assay.call('GET', `${base}/brands`)).body
  const main = brands.find(({ id }: { id: string }) => id !== body.brand.id).id
  const foreigners = [
    ['ws_other', await assay.token('admin', { workspace: 'ws_other' })],
    [workspace, await assay.token('admin', { brand: body.brand.id })],
  ] as const
  for (const [at, token] of foreigners) {
    const own = { authorization: `Bearer ${token}` }
    expect([403, 404]).toContain((await asked({}, own, at)).status)
    expect([403, 404]).toContain((await asked({ brand_id: main }, own, at)).status)
    const path = `/api/workspace/${at}/insights/demand-gaps`
    for (const headers of [{ 'x-active-catalog': catalog }, { 'x-active-brand': main }])
      expect([403, 404]).toContain((await assay.call('GET', path, undefined, { ...own, ...headers })).status)
    expect([403, 404]).toContain((await assay.call('GET', `${path}?brand_id=${main}`, undefined, own)).status)
  }
  const mine = { authorization: `Bearer ${foreigners[1][1]}` }
  const answer = await assay.call('GET', `${base}/insights/demand-gaps`, undefined, mine)
  expect([answer.status, answer.body.gaps]).toEqual([200, []])
})

test('all brands have no demand together: what would be answered for main is refused', async () => {
  const path = `${base}/insights/demand-gaps`
  const { status, body } = await assay.call('GET', path, undefined, { 'x-active-brand': 'all' })
  expect([status, body.details.field]).toEqual([400, 'brand_id'])
})

test.each(['days=0', 'days=366', 'limit=0', 'limit=101', 'catalog_id=x', 'fresh=maybe', 'dayz=3', 'brand_id=all'])(
  '%s is 400',
  async (wrong) => {
    expect((await assay.call('GET', `${base}/insights/demand-gaps?${wrong}`)).status).toBe(400)
  },
)
