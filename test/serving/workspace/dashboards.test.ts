import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { defaultDashboard } from '../../../schemas/default-dashboard.ts'
import { widgetTypes } from '../../../schemas/widget.ts'
import type { Running } from '../../running.ts'
import { sharedAssay, workspace } from '../../shared-assay.ts'

let assay: Running
let main: string
const base = `/api/workspace/${workspace}`
beforeAll(async () => {
  assay = await sharedAssay()
  const { body } = await assay.call('GET', `${base}/brands`)
  main = body.brands.find((brand: { name: string }) => brand.name === 'main').id
})
afterAll(() => assay.close())

type Method = Parameters<Running['call']>[0]
const call = (method: Method, path: string, body?: object, headers: Record<string, string> = {}) =>
  assay.call(method, `${base}/dashboards${path}`, body, headers)

async function ask(method: Method, path: string, body?: object, headers: Record<string, string> = {}) {
  const answer = await call(method, path, body, headers)
  if (answer.status >= 300) throw new Error(`${method} ${path}: ${answer.status} ${answer.text}`)
  return answer.body
}

async function newBrand(): Promise<string> {
  const { body } = await assay.call('POST', `${base}/brands`, { name: `B ${randomUUID()}` })
  return body.brand.id
}
const listOf = async (brand: string) => (await ask('GET', `?brand_id=${brand}`)).dashboards

const question = { event_types: ['order'], group_by: 'none', aggregation: 'count', time_window_days: 7 }
const counter = { title: 'Orders', definition: { type: 'counter', question } }
const make = async (brand = main, widgets: object[] = [counter]) =>
  (await ask('POST', '', { name: 'Own', brand_id: brand, widgets })).dashboard
const titles = async (id: string) =>
  (await ask('GET', `/${id}`)).dashboard.widgets.map(({ title }: { title: string }) => title)

describe('a brand’s default dashboard', () => {
  test('comes with the brand, with a widget of each type', async () => {
    const [found, ...more] = await listOf(await newBrand())
    expect(more).toEqual([])
    expect(found).toMatchObject({ name: defaultDashboard.name, isDefault: true, createdBy: 'assay' })
    const { widgets } = (await ask('GET', `/${found.id}`)).dashboard
    expect(widgets.map(({ title, definition }: typeof counter) => ({ title, definition }))).toEqual(
      defaultDashboard.widgets,
    )
    const types = new Set(defaultDashboard.widgets.map(({ definition }) => definition.type))
    expect([...types].sort()).toEqual([...widgetTypes].sort())
  })

  test('is made, once, for a brand from before there were any, when it is looked at', async () => {
    const brand = await newBrand()
    await assay.system.catalog.pipeline.query('delete from dashboard where brand_id = $1', [brand])
    const lists = await Promise.all(Array.from({ length: 8 }, () => listOf(brand)))
    const seen = new Set(lists.flat().map(({ id }: { id: string }) => id))
    expect(seen.size).toBe(1)
    const [id] = seen
    expect(await titles(id ?? '')).toEqual(defaultDashboard.widgets.map(({ title }) => title))
  })

  test('is not deleted, but gives its place to another, and can go then', async () => {
    const brand = await newBrand()
    const [former] = await listOf(brand)
    const refused = await call('DELETE', `/${former.id}`)
    expect([refused.status, refused.body.error]).toEqual([409, 'CONFLICT'])
    const own = await make(brand)
    expect((await ask('PATCH', `/${own.id}`, { is_default: true })).dashboard.isDefault).toBe(true)
    const both = await listOf(brand)
    expect(both.filter((one: { isDefault: boolean }) => one.isDefault)).toMatchObject([{ id: own.id }])
    await ask('DELETE', `/${former.id}`)
    expect(await listOf(brand)).toMatchObject([{ id: own.id, isDefault: true }])
  })

  test('is one, however many become it at once', async () => {
    const brand = await newBrand()
    const own = await Promise.all(Array.from({ length: 4 }, () => make(brand)))
    await Promise.all(own.map(({ id }) => ask('PATCH', `/${id}`, { is_default: true })))
    expect((await listOf(brand)).filter((one: { isDefault: boolean }) => one.isDefault)).toHaveLength(1)
  })
})

describe('dashboards', () => {
  test('are made with widgets, read, renamed, duplicated and deleted, and the audit log has each', async () => {
    const own = await make(await newBrand(), [counter, { ...counter, title: 'Second' }])
    expect(own).toMatchObject({ name: 'Own', isDefault: false, rev: 1, widgetCount: 2 })
    expect((await ask('PATCH', `/${own.id}`, { name: 'Renamed' })).dashboard).toMatchObject({ name: 'Renamed', rev: 2 })
    const copy = (await ask('POST', `/${own.id}/duplicate`)).dashboard
    expect(copy).toMatchObject({ name: 'Renamed copy', isDefault: false, brandId: own.brandId })
    expect(await titles(copy.id)).toEqual(['Orders', 'Second'])
    await ask('DELETE', `/${own.id}`)
    expect((await call('GET', `/${own.id}`)).status).toBe(404)
    expect(await titles(copy.id)).toEqual(['Orders', 'Second'])
    const { body } = await assay.call('GET', `${base}/audit?brand_id=${own.brandId}`)
    const told = body.entries ?? body.audit
    expect(told.map(({ action }: { action: string }) => action)).toEqual(
      expect.arrayContaining(['dashboard.create', 'dashboard.update', 'dashboard.delete']),
    )
    const gone = told.find(({ action }: { action: string }) => action === 'dashboard.delete')
    expect(gone.before.widgets).toHaveLength(2)
  })

  test('are listed in pages, each once', async () => {
    const brand = await newBrand()
    for (let i = 0; i < 4; i++) await make(brand)
    const seen: string[] = []
    for (let after: string | null = ''; after !== null; ) {
      const page: { dashboards: { id: string }[]; next: string | null } = await ask(
        'GET',
        `?brand_id=${brand}&limit=2${after && `&after=${after}`}`,
      )
      seen.push(...page.dashboards.map(({ id }) => id))
      after = page.next
    }
    expect([seen.length, new Set(seen).size]).toEqual([5, 5])
  })

  test('of a brand that was removed are gone', async () => {
    const brand = await newBrand()
    const own = await make(brand)
    await assay.system.catalog.pipeline.query('update catalog set deleted_at = now() where brand_id = $1', [brand])
    expect((await assay.call('DELETE', `${base}/brands/${brand}`)).status).toBe(200)
    expect((await call('GET', `/${own.id}`)).status).toBe(404)
    expect((await call('GET', `?brand_id=${brand}`)).status).toBe(403)
    const all = (await ask('GET', '?limit=200')).dashboards
    expect(all.map(({ brandId }: { brandId: string }) => brandId)).not.toContain(brand)
    const left = 'select from widget where brand_id = $1'
    expect((await assay.system.catalog.pipeline.query(left, [brand])).rowCount).toBe(0)
  })

  test('200: of twenty widgets that come at once as many are taken as there is room for', async () => {
    const { id } = await make(main, Array(45).fill(counter))
    const answers = await Promise.all(Array.from({ length: 20 }, () => call('POST', `/${id}/widgets`, counter)))
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(5)
    expect(answers.filter(({ status }) => status === 409)).toHaveLength(15)
    expect(await titles(id)).toHaveLength(50)
  })

  test('are bounded: a brand’s in number, a dashboard’s in widgets', async () => {
    const brand = await newBrand()
    const { id } = await make(brand, Array(50).fill(counter))
    expect((await call('POST', `/${id}/widgets`, counter)).status).toBe(409)
    expect((await call('POST', '', { name: 'Big', widgets: Array(51).fill(counter) })).status).toBe(400)
    await assay.system.catalog.pipeline.query(
      `insert into dashboard (dashboard_id, workspace_id, brand_id, name, created_by)
       select gen_random_uuid(), $1, $2, 'many', 'test' from generate_series(1, 98)`,
      [workspace, brand],
    )
    expect((await call('POST', '', { name: 'One more', brand_id: brand })).status).toBe(409)
  })
})

describe('widgets', () => {
  test('are added at the end, changed, duplicated behind the original, deleted, and listed in their order', async () => {
    const { id } = await make(main, [])
    const add = async (title: string) => (await ask('POST', `/${id}/widgets`, { ...counter, title })).widget
    const [a, b] = [await add('A'), await add('B')]
    await ask('POST', `/${id}/widgets/${a.id}/duplicate`)
    expect(await titles(id)).toEqual(['A', 'A copy', 'B'])
    const table = { type: 'table', question: { ...question, group_by: 'metadata.query' } }
    expect((await ask('PATCH', `/${id}/widgets/${b.id}`, { definition: table })).widget).toMatchObject({
      title: 'B',
      rev: 2,
      definition: { type: 'table', question: { group_by: 'metadata.query' } },
    })
    await ask('DELETE', `/${id}/widgets/${a.id}`)
    expect((await call('GET', `/${id}/widgets/${a.id}`)).status).toBe(404)
    const first = await ask('GET', `/${id}/widgets?limit=1`)
    const second = await ask('GET', `/${id}/widgets?limit=1&after=${first.next}`)
    expect([...first.widgets, ...second.widgets].map(({ title }) => title)).toEqual(['A copy', 'B'])
    expect(second.next).toBeNull()
  })

  test('stand in the order that was given, which names each of them once', async () => {
    const { id, widgets } = await make(
      main,
      ['A', 'B', 'C'].map((title) => ({ ...counter, title })),
    )
    const ids: string[] = widgets.map((one: { id: string }) => one.id)
    await ask('PUT', `/${id}/widgets/order`, { widget_ids: ids.toReversed() })
    expect(await titles(id)).toEqual(['C', 'B', 'A'])
    for (const wrong of [ids.slice(1), [...ids, ids[0]], [ids[0], ids[0], ids[1]], [...ids.slice(1), randomUUID()]])
      expect((await call('PUT', `/${id}/widgets/order`, { widget_ids: wrong })).status).toBe(409)
    expect(await titles(id)).toEqual(['C', 'B', 'A'])
  })

  test('that are changed at once are all changed', async () => {
    const { id } = await make(main, [])
    await Promise.all(
      Array.from({ length: 10 }, (_, i) => ask('POST', `/${id}/widgets`, { ...counter, title: `${i}` })),
    )
    const { dashboard } = await ask('GET', `/${id}`)
    expect(dashboard).toMatchObject({ widgetCount: 10, rev: 11 })
  })

  test('and dashboards change only where they are as the caller saw them, if the caller asks for that', async () => {
    const { id } = await make()
    const seen = await call('GET', `/${id}`)
    const [widget] = seen.body.dashboard.widgets
    const tag = String(seen.headers.etag)
    await ask('PATCH', `/${id}/widgets/${widget.id}`, { title: 'Changed' }, { 'if-match': '"1"' })
    const late = [
      await call('PATCH', `/${id}`, { name: 'Late' }, { 'if-match': tag }),
      await call('DELETE', `/${id}`, undefined, { 'if-match': tag }),
      await call('PUT', `/${id}/widgets/order`, { widget_ids: [widget.id] }, { 'if-match': tag }),
      await call('PATCH', `/${id}/widgets/${widget.id}`, { title: 'Late' }, { 'if-match': '"1"' }),
      await call('DELETE', `/${id}/widgets/${widget.id}`, undefined, { 'if-match': '"1"' }),
    ]
    expect(late.map(({ status }) => status)).toEqual([412, 412, 412, 412, 412])
    const now = await call('GET', `/${id}`)
    await ask('PATCH', `/${id}`, { name: 'In time' }, { 'if-match': String(now.headers.etag) })
  })

  test('that count ignore what their question says of a value', async () => {
    const { id } = await make()
    const definition = { type: 'counter', question: { ...question, value_field: 'nonsense' } }
    const { status, body } = await call('POST', `/${id}/widgets`, { title: 'Counted', definition })
    expect([status, body.widget?.definition.question.value_field]).toEqual([201, undefined])
  })

  const step = { event_type: 'order' }
  const funnel = { steps: [step, step], time_window_days: 7 }
  test.each([
    [{ type: 'counter', question: { ...question, group_by: 'day' } }, 'definition.question.group_by'],
    [{ type: 'time_series', question }, 'definition.question.group_by'],
    [{ type: 'breakdown_bar', question: { ...question, group_by: 'hour' } }, 'definition.question.group_by'],
    [{ type: 'top_n', question }, 'definition.question.group_by'],
    [{ type: 'top_n', question: { ...question, group_by: 'session', limit: 101 } }, 'definition.question.limit'],
    [{ type: 'table', question: { ...question, time_window_days: 366 } }, 'definition.question.time_window_days'],
    [{ type: 'counter', question: { ...question, aggregation: 'sum' } }, 'definition.question.value_field'],
    [{ type: 'counter', question: { ...question, brand_id: randomUUID() } }, /^definition\.question/],
    [{ type: 'counter', question, funnel }, /^definition/],
    [{ type: 'pie', question }, 'definition.type'],
    [{ type: 'funnel', funnel: { ...funnel, steps: [step] } }, 'definition.funnel.steps'],
    [
      { type: 'funnel', funnel: { ...funnel, steps: [step, { event_type: 'No' }] } },
      /^definition\.funnel\.steps\.?\[?1/,
    ],
    [{ type: 'funnel', funnel: { ...funnel, within_minutes: 0 } }, 'definition.funnel.within_minutes'],
    [{ type: 'funnel', funnel: { ...funnel, break_down_by: "metadata.x'" } }, /^definition\.funnel\.break_down_by/],
  ])('that cannot be drawn are refused, and the answer names the field: %j', async (definition, field) => {
    const { id } = await make()
    const { status, body } = await call('POST', `/${id}/widgets`, { title: 'Wrong', definition })
    expect(status).toBe(400)
    if (field instanceof RegExp) expect(body.details.field).toMatch(field)
    else expect(body.details.field).toBe(field)
  })
})

describe('another tenant', () => {
  test('meets none of it: not by a foreign id, under no brand, with no widget of another dashboard', async () => {
    const brand = await newBrand()
    const [own, other] = [await make(main), await make(brand)]
    const as = { authorization: `Bearer ${await assay.token('admin', { brand })}` }
    const foreign = { authorization: `Bearer ${await assay.token('admin', { workspace: 'ws_other' })}` }
    const widget = own.widgets[0].id
    const paths: [Method, string, object?][] = [
      ['GET', `/${own.id}`],
      ['PATCH', `/${own.id}`, { name: 'Mine' }],
      ['DELETE', `/${own.id}`],
      ['POST', `/${own.id}/duplicate`, {}],
      ['GET', `/${own.id}/widgets`],
      ['POST', `/${own.id}/widgets`, counter],
      ['PUT', `/${own.id}/widgets/order`, { widget_ids: [widget] }],
      ['GET', `/${own.id}/widgets/${widget}`],
      ['PATCH', `/${own.id}/widgets/${widget}`, { title: 'Mine' }],
      ['DELETE', `/${own.id}/widgets/${widget}`],
      ['POST', `/${own.id}/widgets/${widget}/duplicate`, {}],
      // Their own dashboard, and a widget that is not in it.
      ['GET', `/${other.id}/widgets/${widget}`],
      ['PATCH', `/${other.id}/widgets/${widget}`, { title: 'Mine' }],
      ['DELETE', `/${other.id}/widgets/${widget}`],
      ['POST', `/${other.id}/widgets/${widget}/duplicate`, {}],
    ]
    for (const [method, path, body] of paths) {
      expect([path, (await call(method, path, body, as)).status]).toEqual([path, 404])
      expect([path, (await call(method, path, body, foreign)).status]).toEqual([path, 403])
    }
    const order = { widget_ids: [other.widgets[0].id, widget] }
    expect((await call('PUT', `/${other.id}/widgets/order`, order, as)).status).toBe(409)
    expect((await call('POST', '', { name: 'Mine', brand_id: main }, as)).status).toBe(403)
    const seen = (await ask('GET', '?limit=200', undefined, as)).dashboards
    expect(new Set(seen.map(({ brandId }: { brandId: string }) => brandId))).toEqual(new Set([brand]))
    expect(await titles(own.id)).toEqual(['Orders'])
  })

  test('who only reads may not write', async () => {
    const { id } = await make()
    const as = { authorization: `Bearer ${await assay.token('viewer')}` }
    expect((await call('GET', `/${id}`, undefined, as)).status).toBe(200)
    expect((await call('POST', `/${id}/widgets`, counter, as)).status).toBe(403)
  })
})
