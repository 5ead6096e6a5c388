import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { decodeRecord } from '../../../transforms/bronze/decode.ts'

const record = (title: string) => ({
  ...{ v: 1, op: 'put', workspace: 'ws_demo', brand: randomUUID(), catalog: randomUUID(), product: randomUUID() },
  ...{ source: 'api', sid: 'ab'.repeat(32), context: 0, seq: -1, rows: [], kind: 'single' },
  ...{ at: '2026-11-28T00:00:00.000Z', cells: { title } },
})
const bytes = (value: unknown) => Buffer.from(JSON.stringify(value))

test.each(['plain', 'Straße und café', '商品 🫖', 'a character that stands for none: \ufffd'])(
  'a record is read as it was written: %s',
  (title) => {
    const said = record(title)
    expect(decodeRecord(bytes(said))).toEqual({ kind: 'ok', value: said })
    const marked = Buffer.concat([Buffer.from('\ufeff'), bytes(said)])
    expect(decodeRecord(marked)).toEqual({ kind: 'ok', value: said })
  },
)

test('bytes that are no text are dead wherever they stand, and never read as others', () => {
  const said = bytes(record('café'))
  for (const broken of [Buffer.concat([Buffer.from([0xff]), said]), said.with(said.indexOf('café') + 3, 0xff)])
    expect(decodeRecord(Buffer.from(broken))).toMatchObject({ kind: 'dead', as: 'not_json' })
})

test('what was right in the record before makes nothing right in this one', () => {
  const good = record('a')
  expect(decodeRecord(bytes(good)).kind).toBe('ok')
  const wrong = {
    brand: `${good.brand}0`,
    catalog: '',
    sid: good.sid.toUpperCase(),
    at: 'yesterday',
    import: good.sid,
    product: 7,
  }
  const named = Object.entries(wrong).map(([name, value]) => decodeRecord(bytes({ ...good, [name]: value })))
  expect(named.map((outcome) => outcome.kind === 'dead' && outcome.reason)).toEqual(
    ['brand', 'catalog', 'sid', 'at', 'import', 'product'].map((name) => `without a valid ${name}`),
  )
  expect(decodeRecord(bytes(good)).kind).toBe('ok')
})
