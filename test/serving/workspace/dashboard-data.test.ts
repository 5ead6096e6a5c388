import { randomUUID } from 'node:crypto'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { TooMuch } from '../../../infra/events/port.ts'
import { serverPorts } from '../../../infra/system/server-ports.ts'
import { aggregationParams } from '../../../schemas/aggregation.ts'
import { dashboardLine } from '../../../schemas/tile.ts'
import { widgetDefinition } from '../../../schemas/widget.ts'
import { buildServer } from '../../../serving/server.ts'
import { type Running, startAssay, workspace } from '../../running.ts'

let assay: Running
let main: string
const base = `/api/workspace/${workspace}`
beforeAll(async () => {
  assay = await startAssay({}, { roles: ['api', 'jobs', 'transforms', 'events'] })
  const { body } = await assay.call('GET', `${base}/brands`)
  main = body.brands.find((brand: { name: string }) => brand.name === 'main').id
})
afterAll(() => assay.close())

const headers = () => ({ 'content-type': 'application/json' })

async function newBrand(): Promise<string> {
  const { body } = await assay.call('POST', `${base}/brands`, { name: `B ${randomUUID()}` })
  return body.brand.id
}

const send = async (events: object[]) => {
  const answer = await assay.call('POST', '/api/v1/events', events, headers())
  if (answer.status !== 202) throw new Error(answer.text)
}

const types = ['product_view', 'add_to_cart', 'order', 'search']
const someEvents = (brand: string, n: number) =>
  Array.from({ length: n }, (_, i) => ({
    ...{ id: randomUUID(), type: types[i % types.length], brand_id: brand, amount: '0.10' },
    ...{ time: new Date(Date.now() - i * 3_600_000).toISOString(), session_id: `s${i % 7}` },
  }))

async function counted(): Promise<void> {
  const lag = async () => (await serverPorts(assay.system).tiles.snapshot()).lag
  await expect.poll(lag, { timeout: 30_000, interval: 100 }).toBe(0)
}

const ask = { event_types: null, aggregation: 'count', time_window_days: 30 }
const widgets = {
  number: { type: 'counter', question: { ...ask, group_by: 'none' } },
  money: { type: 'counter', question: { ...ask, group_by: 'none', aggregation: 'sum', value_field: 'amount' } },
  byType: { type: 'breakdown_bar', question: { ...ask, group_by: 'event_type', limit: 2 } },
  byDay: { type: 'time_series', question: { ...ask, group_by: 'day' } },
  bySession: { type: 'top_n', question: { ...ask, group_by: 'session' } },
  all: { type: 'table', question: { ...ask, group_by: 'event_type' } },
}

async function newDashboard(brand: string, more: Record<string, object> = widgets): Promise<string> {
  const list = Object.entries(more).map(([title, definition]) => ({ title, definition }))
  const answer = await assay.call('POST', `${base}/dashboards`, { name: 'Own', brand_id: brand, widgets: list })
  if (answer.status !== 201) throw new Error(answer.text)
  return answer.body.dashboard.id
}

// biome-ignore lint/suspicious/noExplicitAny: a test says what it expects of a line
type Line = any

async function read(id: string, query = 'fresh=true', more: Record<string, string> = {}) {
  const answer = await assay.call('GET', `${base}/dashboards/${id}/data?${query}`, undefined, more)
  if (answer.status !== 200) throw new Error(answer.text)
  const lines: Line[] = answer.text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line))
  for (const line of lines) expect(dashboardLine.safeParse(line).error).toBeUndefined()
  const byTitle: Record<string, Line> = Object.fromEntries(
    lines.filter(({ widget }) => widget).map((line) => [line.widget.title, line]),
  )
  return { lines, byTitle, first: lines[0], last: lines.at(-1) }
}

const sumOf = ({ data }: Line) => data.rows.reduce((sum: number, { value }: { value: number }) => sum + value, 0)

/** What each of the widgets says of how many events there are. */
const totals = (byTitle: Record<string, Line>) => [
  byTitle.number?.data.rows[0].value,
  byTitle.money?.data.rows[0].secondary ?? 0,
  byTitle.byType?.data.total.value,
  sumOf(byTitle.byDay),
  sumOf(byTitle.bySession),
  sumOf(byTitle.all),
]

describe('a dashboard', () => {
  test('answers each of its widgets between a first and a last line that say how true they are', async () => {
    const brand = await newBrand()
    await send(someEvents(brand, 60))
    await counted()
    const id = await newDashboard(brand)
    const { lines, byTitle, first, last } = await read(id)
    expect(lines).toHaveLength(8)
    expect(first).toMatchObject({ dashboard: { id, widgets: 6 }, lag: 0 })
    expect(last).toMatchObject({ end: { answered: 6, failed: 0 }, snapshot: first.snapshot, lag: 0 })
    expect(last.rows_read).toBeGreaterThan(0)
    expect(Date.now() - Date.parse(last.watermark)).toBeLessThan(60_000)
    expect(totals(byTitle)).toEqual(Array(6).fill(60))
    expect(byTitle.money.data.rows).toEqual([{ key: null, value: 6, secondary: 60 }])
    expect(byTitle.byType.data.rows).toHaveLength(2)
  })

  test('that is the default one answers on a brand that has no events yet, and knows no watermark', async () => {
    const brand = await newBrand()
    const { body } = await assay.call('GET', `${base}/dashboards?brand_id=${brand}`)
    const { last, lines } = await read(body.dashboards[0].id)
    expect(last).toMatchObject({ end: { failed: 0 }, watermark: null })
    const [funnel] = lines.flatMap(({ data }) => data?.funnel ?? [])
    expect(funnel.steps.map(({ count, conversion }: Line) => [count, conversion])).toEqual(Array(4).fill([0, null]))
  })

  test('is of one brand and, narrowed, of one catalog', async () => {
    const [brand, other] = [await newBrand(), await newBrand()]
    const { body } = await assay.call('GET', `${base}/catalogs?brand_id=${brand}`)
    const [catalog] = body.catalogs
    await send([
      ...someEvents(brand, 3),
      ...someEvents(brand, 2).map((event) => ({ ...event, catalog_id: catalog.id })),
      ...someEvents(other, 9),
    ])
    await counted()
    const id = await newDashboard(brand)
    expect(totals((await read(id)).byTitle)).toEqual(Array(6).fill(5))
    expect(totals((await read(id, `fresh=true&catalog_id=${catalog.id}`)).byTitle)).toEqual(Array(6).fill(2))
    expect(totals((await read(id, 'fresh=true', { 'x-active-catalog': catalog.id })).byTitle)).toEqual(Array(6).fill(2))
    const foreign = (await assay.call('GET', `${base}/catalogs?brand_id=${other}`)).body.catalogs[0].id
    for (const wrong of [foreign, randomUUID()]) {
      const { status, body } = await assay.call('GET', `${base}/dashboards/${id}/data?catalog_id=${wrong}`)
      expect([status, body.error]).toEqual([404, 'CATALOG_NOT_FOUND'])
    }
    const as = { authorization: `Bearer ${await assay.token('viewer', { brand: other })}` }
    expect((await assay.call('GET', `${base}/dashboards/${id}/data`, undefined, as)).status).toBe(404)
  })
})

describe('one snapshot', () => {
  test('has the same events for a widget that is answered late, whatever came meanwhile and came again', async () => {
    const brand = await newBrand()
    const events = someEvents(brand, 200)
    await send(events)
    await counted()
    const { tiles } = serverPorts(assay.system)
    const snapshot = await tiles.snapshot()
    const scope = { workspace, brand, catalog: null, upTo: snapshot.upTo }
    const at = new Date()
    const rowsOf = async (name: keyof typeof widgets, of = scope as Parameters<typeof tiles.answer>[1]) => {
      const { data } = await tiles.answer(widgetDefinition.parse(widgets[name]), of, at, new AbortController().signal)
      return 'rows' in data ? data.rows : []
    }
    const early = await rowsOf('number')
    // New ones, and copies that say other things, before and after the store has made one of them.
    await send([
      ...someEvents(brand, 50),
      ...events.slice(0, 80).map((event) => ({ ...event, amount: '7', type: 'order' })),
    ])
    await counted()
    const late = await rowsOf('all')
    expect([early[0]?.value, late.reduce((sum, { value }) => sum + value, 0)]).toEqual([200, 200])
    expect(await rowsOf('money')).toEqual([{ key: null, value: 20, secondary: 200 }])
    expect((await tiles.newest(scope, new AbortController().signal))?.getTime()).toBeLessThan(at.getTime())
    const now = { ...scope, upTo: (await tiles.snapshot()).upTo }
    expect(await rowsOf('number', now)).toEqual([{ key: null, value: 250 }])
  })

  test('holds over HTTP while events stream in: whatever a dashboard says, its widgets say the same', async () => {
    const brand = await newBrand()
    const many = Object.fromEntries(
      Array.from({ length: 3 }, (_, i) =>
        // As many questions of their own.
        Object.entries(widgets).map(([name, { type, question }]) => [
          i === 0 ? name : `${name} ${i}`,
          { type, question: { ...question, time_window_days: 30 - i } },
        ]),
      ).flat(),
    )
    const id = await newDashboard(brand, many)
    let running = true
    const sending = (async () => {
      const old = someEvents(brand, 40)
      while (running) {
        await send([...someEvents(brand, 100), ...old])
        await sleep(20)
      }
    })()
    const seen = new Set<number>()
    try {
      // Until it has been seen to move, however busy the machine is.
      while (seen.size < 4) {
        const { byTitle, last } = await read(id)
        expect(last.end).toEqual({ answered: 18, failed: 0 })
        for (let i = 0; i < 3; i++) {
          const own =
            i === 0 ? byTitle : Object.fromEntries(Object.keys(widgets).map((name) => [name, byTitle[`${name} ${i}`]]))
          const [total] = totals(own)
          expect(totals(own)).toEqual(Array(6).fill(total))
          seen.add(total)
        }
      }
    } finally {
      running = false
      await sending
    }
  }, 120_000)

  test('is given again for a minute to whoever looks at the brand; a fresh one is made where events came', async () => {
    const brand = await newBrand()
    const [one, two] = [await newDashboard(brand), await newDashboard(brand, { again: widgets.number })]
    await send(someEvents(brand, 10))
    await counted()
    const first = await read(one)
    const hits = (lines: Line[]) => lines.flatMap(({ cache_hit }) => cache_hit ?? [])
    expect(new Set(hits(first.lines))).toEqual(new Set([false]))
    await send(someEvents(brand, 5))
    await counted()
    const again = await read(one, '')
    expect(hits(again.lines)).toEqual(Array(6).fill(true))
    expect(again.first).toEqual(first.first)
    const sameBrand = await read(two, '')
    expect([sameBrand.byTitle.again.data.rows[0].value, sameBrand.first.snapshot]).toEqual([10, first.first.snapshot])
    const fresh = await read(one)
    expect(totals(fresh.byTitle)).toEqual(Array(6).fill(15))
    expect(totals((await read(one, '')).byTitle)).toEqual(Array(6).fill(15))
    const other = await newDashboard(await newBrand())
    expect(totals((await read(other, '')).byTitle)).toEqual(Array(6).fill(0))
  })
})

describe('a widget that cannot be answered', () => {
  test('says so, as a line of its own without rows, and the others are answered', async () => {
    const brand = await newBrand()
    const id = await newDashboard(brand)
    // As one that a later Assay had stored.
    await assay.system.catalog.pipeline.query(
      `update widget set definition = '{"type": "counter", "question": {"group_by": "week"}}' where dashboard_id = $1 and title = 'number'`,
      [id],
    )
    const { lines, byTitle, last } = await read(id)
    expect(byTitle.number).toEqual({
      widget: { id: expect.any(String), title: 'number', type: 'counter' },
      failed: { code: 'INTERNAL_SERVER_ERROR', message: expect.any(String) },
    })
    expect(last.end).toEqual({ answered: 5, failed: 1 })
    expect(lines.some((line) => 'error' in line)).toBe(false)
  })

  test('because it takes too much is told as that', () => {
    const told = serverPorts(assay.system).tiles.failureOf(new TooMuch('more rows than one may read'))
    expect(told).toMatchObject({ code: 'INVALID_REQUEST', message: expect.stringMatching(/fewer days/) })
  })

  test('because the store is away is told as that, and the stream ends with an error and no end', async () => {
    const alone = await startAssay({ CLICKHOUSE_URL: 'http://127.0.0.1:9' })
    try {
      const { body } = await alone.call('GET', `${base}/dashboards`)
      const { text, status } = await alone.call('GET', `${base}/dashboards/${body.dashboards[0].id}/data`)
      const lines = text
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line))
      expect(status).toBe(200)
      const failed = lines.filter(({ failed }) => failed)
      expect(failed).toHaveLength(body.dashboards[0].widgetCount)
      expect(new Set(failed.map(({ failed: { code } }) => code))).toEqual(new Set(['SERVER_002']))
      expect(lines.at(-1)).toEqual({ error: expect.any(String), code: 'STREAM_ERROR' })
    } finally {
      await alone.close()
    }
  })
})

test('who stops reading has nothing more asked for them', async () => {
  const brand = await newBrand()
  const more = Object.fromEntries(
    Array.from({ length: 40 }, (_, i) => [
      `${i}`,
      { type: 'counter', question: { ...widgets.number.question, time_window_days: i + 1 } },
    ]),
  )
  const id = await newDashboard(brand, more)
  const ports = serverPorts(assay.system)
  const asked: AbortSignal[] = []
  const app = await buildServer({
    ...ports,
    logger: null,
    tiles: {
      ...ports.tiles,
      answer: async (...of) => {
        asked.push(of[3])
        const tile = await ports.tiles.answer(...of)
        // As a store that is slow.
        await sleep(100)
        return tile
      },
    },
  })
  await app.listen({ port: 0, host: '127.0.0.1' })
  try {
    const { port } = app.server.address() as AddressInfo
    const leaving = new AbortController()
    const answer = await fetch(`http://127.0.0.1:${port}${base}/dashboards/${id}/data`, {
      headers: { authorization: `Bearer ${await assay.token('viewer')}` },
      signal: leaving.signal,
    })
    const reader = answer.body?.getReader()
    await reader?.read()
    leaving.abort()
    await expect.poll(() => asked.every(({ aborted }) => aborted), { timeout: 5_000 }).toBe(true)
    const { length } = asked
    await sleep(400)
    expect([asked.length, length < 40]).toEqual([length, true])
  } finally {
    await app.close()
  }
})

test('a question that is asked of the store under a signal that has ended is not asked', async () => {
  const { tiles } = serverPorts(assay.system)
  const definition = { type: 'counter', question: aggregationParams.parse({ ...ask, group_by: 'none' }) } as const
  const scope = { workspace, brand: main, catalog: null, upTo: [] }
  const gone = AbortSignal.abort(new Error('gone'))
  await expect(tiles.answer(definition, scope, new Date(), gone)).rejects.toThrow('gone')
})
