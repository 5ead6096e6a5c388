import { randomUUID } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { tableFromIPC } from 'apache-arrow'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { serverPorts } from '../../../infra/system/server-ports.ts'
import { openScratch } from '../../../ingest/scratch.ts'
import { askedFormat } from '../../../serving/workspace/asked-format.ts'
import { type Running, startAssay, workspace } from '../../running.ts'

let assay: Running
let folder: string
let brand: string
let dashboard: string
let ids: Record<string, string>
const base = `/api/workspace/${workspace}`

/** Texts that a reader of files may take for something else. */
const odd = ['=1+1', '-2', '@cmd', "it's", 'a,"b"', 'tab\there', 'line\nfeed', '', '🧦', 'null']
const ask = { event_types: null, time_window_days: 30 }
const byMaterial = {
  ...{ ...ask, aggregation: 'sum', value_field: 'amount', group_by: 'metadata.material', limit: 1_000 },
}
const step = (event_type: string) => ({ event_type })

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'assay-answers-'))
  assay = await startAssay({}, { roles: ['api', 'jobs', 'transforms', 'events'] })
  brand = (await assay.call('POST', `${base}/brands`, { name: 'Exports' })).body.brand.id
  const events = [...odd, undefined].flatMap((material, i) =>
    ['product_view', 'order'].map((type) => ({
      ...{ id: randomUUID(), type, brand_id: brand, session_id: `s${i}`, amount: `-${i}.25` },
      ...{ time: new Date().toISOString(), ...(material !== undefined && { metadata: { material } }) },
    })),
  )
  await assay.call('POST', '/api/v1/events', events, { 'content-type': 'application/json' })
  const lag = async () => (await serverPorts(assay.system).tiles.snapshot()).lag
  while ((await lag()) > 0) await sleep(100)
  const widgets = [
    { title: '=Materials', definition: { type: 'table', question: byMaterial } },
    {
      title: 'Funnel',
      definition: {
        type: 'funnel',
        funnel: {
          ...{ time_window_days: 30, steps: [step('product_view'), step('order'), step('order_cancelled')] },
          ...{ break_down_by: 'metadata.material', limit: 100 },
        },
      },
    },
    { title: 'Nothing', definition: { type: 'table', question: { ...byMaterial, event_types: ['nothing_such'] } } },
  ]
  const made = (await assay.call('POST', `${base}/dashboards`, { name: 'Exports', brand_id: brand, widgets })).body
  dashboard = made.dashboard.id
  ids = Object.fromEntries(made.dashboard.widgets.map((one: { title: string; id: string }) => [one.title, one.id]))
})
afterAll(async () => {
  await assay?.close()
  await rm(folder, { recursive: true, force: true })
})

type Row = Record<string, string | number | null>

/** As DuckDB, or Arrow's own reader, reads it. */
async function rowsOf(format: string, bytes: Buffer): Promise<Row[]> {
  if (format === 'arrow')
    return tableFromIPC(bytes)
      .toArray()
      .map((row) => {
        const cells = Object.entries(row.toJSON() as Record<string, unknown>)
        return Object.fromEntries(
          cells.map(([name, one]) => [name, typeof one === 'bigint' ? Number(one) : one]),
        ) as Row
      })
  const path = join(folder, `${randomUUID()}.${format}`)
  await writeFile(path, bytes)
  const scratch = openScratch(`${path}.duckdb`, 256)
  try {
    const read =
      format === 'csv'
        ? `read_csv('${path}', header = true, all_varchar = true, allow_quoted_nulls = false)`
        : `read_parquet('${path}')`
    const names: string[] = []
    for await (const page of scratch.stream<string>(`select column_name from (describe from ${read})`))
      names.push(...page.map(([name = '']) => name))
    const rows: Row[] = []
    for await (const page of scratch.stream<string | number | null>(`from ${read}`))
      rows.push(...page.map((cells) => Object.fromEntries(names.map((name, i) => [name, cells[i] ?? null]))))
    return rows
  } finally {
    await scratch.close()
  }
}

async function download(path: string, { method = 'GET', body = undefined as object | undefined, accept = '*/*' } = {}) {
  const answer = await assay.app.inject({
    method: method as 'GET',
    url: `${base}${path}`,
    headers: { authorization: `Bearer ${await assay.token('viewer')}`, 'x-active-brand': brand, accept },
    ...(body && { payload: body }),
  })
  return { status: answer.statusCode, headers: answer.headers, bytes: answer.rawPayload, text: answer.payload }
}

const dataPath = (title: string) => `/dashboards/${dashboard}/widgets/${ids[title]}/data`
const told = async (title: string) => JSON.parse((await download(dataPath(title))).text)

/** In CSV everything is text, and a formula has its apostrophe. */
const guarded = ['=1+1', '@cmd']
const asCsv = (row: Row): Row =>
  Object.fromEntries(
    Object.entries(row).map(([name, cell]) => [
      name,
      cell === null ? null : guarded.includes(String(cell)) ? `'${cell}` : String(cell),
    ]),
  )

describe.each(['csv', 'parquet', 'arrow'])('as %s', (format) => {
  test('a widget’s rows are those of its JSON, nothing and an empty text told apart', async () => {
    const { data, snapshot, generated_at } = await told('=Materials')
    expect(data.rows).toHaveLength(odd.length + 1)
    const file = await download(`${dataPath('=Materials')}?format=${format}`)
    expect(file.status).toBe(200)
    const expected = format === 'csv' ? data.rows.map(asCsv) : data.rows
    expect(await rowsOf(format, file.bytes)).toEqual(expected)
    expect(file.headers).toMatchObject({ 'x-snapshot': snapshot, 'x-generated-at': generated_at, 'x-lag': '0' })
    expect(file.headers['content-disposition']).toMatch(new RegExp(`^attachment; filename="Materials\\.${format}"`))
  })

  test('a funnel has a row for each step, of the whole and of each group', async () => {
    const { data } = await told('Funnel')
    const rows = await rowsOf(format, (await download(`${dataPath('Funnel')}?format=${format}`)).bytes)
    expect(rows).toHaveLength(3 * (1 + odd.length + 1))
    const [first, second, third] = rows.map((row) => ({ ...row, count: Number(row.count) }))
    const whole = { part: 'whole', group_key: null }
    expect(first).toMatchObject({ ...whole, event_type: 'product_view', count: data.funnel.steps[0].count })
    expect(second).toMatchObject({ ...whole, event_type: 'order', count: 11 })
    expect(third).toMatchObject({ ...whole, event_type: 'order_cancelled', count: 0 })
    expect(rows.filter(({ part, group_key }) => part === 'group' && group_key === null)).toHaveLength(3)
    expect(rows.filter(({ part, group_key }) => part === 'group' && group_key === '')).toHaveLength(3)
  })

  test('an answer without rows has its columns', async () => {
    const file = await download(`${dataPath('Nothing')}?format=${format}`)
    expect([file.status, await rowsOf(format, file.bytes)]).toEqual([200, []])
    const text = file.bytes.toString('latin1')
    expect(['key', 'value'].map((name) => text.includes(name))).toEqual([true, true])
  })

  test('a question’s rows are those of its JSON', async () => {
    const path = '/dashboards/aggregate'
    const json = JSON.parse((await download(path, { method: 'POST', body: byMaterial })).text)
    const file = await download(`${path}?format=${format}`, { method: 'POST', body: byMaterial })
    const expected = format === 'csv' ? json.rows.map(asCsv) : json.rows
    expect([file.status, await rowsOf(format, file.bytes)]).toEqual([200, expected])
  })

  test('what another tenant has is not taken out', async () => {
    const { body } = await assay.call('POST', `${base}/brands`, { name: `Other ${format}` })
    const as = { authorization: `Bearer ${await assay.token('viewer', { brand: body.brand.id })}` }
    const path = `${base}${dataPath('Funnel')}?format=${format}`
    expect((await assay.call('GET', path, undefined, as)).status).toBe(404)
  })
})

test('a number below zero is a number in a spreadsheet, and a text that a spreadsheet would run is none', async () => {
  const { text } = await download(`${dataPath('=Materials')}?format=csv`)
  const lines = text.split('\r\n')
  expect(lines[0]).toBe('key,value,secondary')
  expect(lines).toContain("'=1+1,-0.5,2")
  expect(lines).toContain("'@cmd,-4.5,2")
  expect(text).toMatch(/^-2,-2\.5,2$/m)
})

test.each([
  [undefined, undefined, null],
  [undefined, '*/*', null],
  [undefined, 'application/json', null],
  [undefined, 'text/csv', 'csv'],
  [undefined, 'text/html, text/csv;q=0.5', 'csv'],
  [undefined, 'text/csv;q=0.1, application/json', null],
  [undefined, 'application/json;q=0.1, application/vnd.apache.parquet', 'parquet'],
  [undefined, 'application/vnd.apache.arrow.stream;q=x', null],
  [undefined, 'text/csv;q=0', null],
  ['arrow', 'text/csv', 'arrow'],
] as const)('format=%s with Accept: %s is %s', (format, accept, expected) => {
  expect(askedFormat(format, accept)).toBe(expected)
})
