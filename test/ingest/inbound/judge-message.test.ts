import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { judgeMessage } from '../../../ingest/inbound/judge-message.ts'
import { inboundJsonSchema, inboundTopic } from '../../../schemas/inbound.ts'
import { attempt } from '../../../transforms/step.ts'

const topic = inboundTopic('ws_test')
const catalog = '5a0c9d52-9f3b-4c8e-9a53-6f0d2b7f1e21'
const message = (value: unknown, headers: Record<string, string> = {}, key = 'A-1') => ({
  ...{ partition: 0, offset: 7, key, headers },
  value: Buffer.from(typeof value === 'string' ? value : JSON.stringify(value)),
})
const judge = (...said: Parameters<typeof message>) => judgeMessage(topic, message(...said))
const put = (product: unknown) => ({ v: 1, product })

test('a record says the cells of one product, of the catalog and the source that its headers name', () => {
  const headers = { 'assay-catalog': catalog, 'assay-source': 'ERP Köln' }
  const product = { sku: 'A-1', price: 1.299, track_stock: true, images: ['a', 'b'], brand: null, title: '' }
  expect(judge(put(product), headers)).toEqual({
    kind: 'ok',
    value: {
      ...{ op: 'put', catalog, source: 'topic:ERP Köln', key: 'A-1' },
      cells: { sku: 'A-1', price: '1.299', track_stock: 'true', images: ['a', 'b'], title: '' },
    },
  })
})

test('without headers it is of the default catalog and of the source inbound', () => {
  expect(judge(put({ title: 'Mug' }), {}, '')).toMatchObject({
    value: { op: 'put', catalog: null, source: 'topic:inbound', key: null },
  })
})

test('a header that names its own workspace is fine, and one that names another is not (KF-47)', () => {
  expect(judge(put({}), { 'assay-workspace': 'ws_test' }).kind).toBe('ok')
  expect(judge(put({}), { 'assay-workspace': 'ws_other' })).toMatchObject({ kind: 'dead', as: 'wrong_workspace' })
})

test('a key without a value withdraws what the source calls so', () => {
  const { headers: _, ...withoutHeaders } = message('')
  for (const none of [{ ...message(''), noValue: true as const }, withoutHeaders])
    expect(judgeMessage(topic, none)).toMatchObject({ kind: 'ok', value: { op: 'withdraw', key: 'A-1', cells: {} } })
  expect(judgeMessage(topic, { ...message('', {}, ''), noValue: true })).toMatchObject({ kind: 'dead' })
  expect(judge('', {}, 'A-1')).toMatchObject({ kind: 'dead', as: 'not_json' })
})

test('members that a later version may add are ignored', () => {
  expect(judge({ ...put({ sku: 'A-1' }), since: 'later' })).toMatchObject({ kind: 'ok' })
})

describe('is dead with a reason', () => {
  test.each<[string, Parameters<typeof message>, string, RegExp]>([
    ['no JSON', ['{"'], 'not_json', /^not JSON/],
    ['no object', ['[]'], 'not_json', /not a JSON object/],
    ['no version', [{ product: {} }], 'unknown_version', /version undefined/],
    ['a version of the future', [{ v: 2, product: {} }], 'unknown_version', /version 2/],
    ['no product', [{ v: 1 }], 'invalid_record', /^product/],
    ['a cell that is an object', [put({ price: { amount: 1 } })], 'invalid_record', /^product\.price/],
    ['a reserved name', [put({ 'assay:options': '{}' })], 'invalid_record', /reserved/],
    ['an operation that nobody knows', [{ v: 1, op: 'merge', product: {} }], 'invalid_record', /^op/],
    ['a catalog that is no id', [put({}), { 'assay-catalog': 'main' }], 'unknown_catalog', /assay-catalog/],
    ['a source that could be ours', [put({}), { 'assay-source': 'hub:x' }], 'invalid_record', /assay-source/],
  ])('%s', (_, said, as, reason) => {
    expect(judge(...said)).toEqual({ kind: 'dead', as, reason: expect.stringMatching(reason) })
  })
})

test('whatever the bytes are, it is judged and nothing is thrown', () => {
  fc.assert(
    fc.property(
      fc.oneof(
        fc.uint8Array(),
        fc.json().map((text) => Buffer.from(text)),
        fc.object().map((o) => Buffer.from(JSON.stringify({ v: 1, ...o }))),
      ),
      fc.dictionary(fc.constantFrom('assay-catalog', 'assay-source', 'assay-workspace'), fc.string()),
      (value, headers) => {
        const read = judgeMessage(topic, { partition: 0, offset: 0, key: '', value, headers })
        expect(['ok', 'dead']).toContain(read.kind)
        expect(
          attempt(
            (one: typeof value) => judgeMessage(topic, { partition: 0, offset: 0, key: '', value: one, headers }),
            value,
          ),
        ).toEqual(read)
      },
    ),
  )
})

test('the format can be read as JSON Schema', () => {
  expect(inboundJsonSchema).toMatchObject({
    type: 'object',
    required: ['v', 'product'],
    properties: { v: { const: 1 }, product: { type: 'object' } },
  })
})
