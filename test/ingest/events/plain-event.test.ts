import fc from 'fast-check'
import { expect, test } from 'vitest'
import { collectEvents } from '../../../ingest/events/collect-events.ts'
import { isPlainEvent } from '../../../ingest/events/plain-event.ts'
import { eventInput, largestEventCharacters } from '../../../schemas/event.ts'
import { enough } from '../../enough.ts'

const now = new Date('2026-11-29T12:00:00.000Z')
const uuids = ['018f3c1e-7b1a-7000-8000-000000000001', '018F3C1E-7B1A-7000-8000-000000000001', 'no id', '']
const oddTexts = ['', 'x', 'a\0b', '\ud800', 'é🧦', 'x'.repeat(200), 'x'.repeat(201), 12, null]
const oddNumbers = [
  0,
  -0,
  12.5,
  1e15,
  -1e15,
  0.1 + 0.2,
  Number.MAX_SAFE_INTEGER + 1,
  '12.90',
  '1,5',
  '1'.repeat(16),
  true,
]
const times = [
  ...['2026-11-29T10:00:00.000Z', '2026-11-29T10:00:00Z', '2026-11-29T10:00:00+01:00', '2026-02-30T10:00:00Z'],
  ...[
    '2026-11-29T24:00:00Z',
    '2026-13-01T00:00:00.000Z',
    '2026-11-29T10:60:00Z',
    '2026-11-29',
    5,
    '2300-01-01T00:00:00Z',
  ],
]
const metadata = fc.oneof(
  fc.dictionary(
    fc.constantFrom('a', 'b_1', 'A', '__proto__', '', 'x'.repeat(64)),
    fc.constantFrom(...oddTexts, ...oddNumbers, true, {}),
  ),
  fc.constantFrom(null, [], 'text', Object.fromEntries(Array.from({ length: 51 }, (_, i) => [`k${i}`, 'v'])), {
    a: 'x'.repeat(1_001),
  }),
)
const changes = fc.record(
  {
    id: fc.constantFrom(...uuids),
    type: fc.constantFrom('order', 'Order', 'o', 'search', 4),
    time: fc.constantFrom(...times),
    brand_id: fc.constantFrom(...uuids),
    catalog_id: fc.constantFrom(...uuids),
    product_id: fc.constantFrom(...oddTexts),
    product_ids: fc.oneof(
      fc.array(fc.constantFrom('A', 'B', 'a\0', 5), { maxLength: 3 }),
      fc.constantFrom({}, Array(201).fill('A')),
    ),
    session_id: fc.constantFrom(...oddTexts),
    agent: fc.record(
      { name: fc.constantFrom('ChatGPT', ''), version: fc.constantFrom('4', 5), user_agent: fc.constant('x') },
      { requiredKeys: [] },
    ),
    customer_id: fc.constantFrom(...oddTexts),
    amount: fc.constantFrom(...oddNumbers),
    rating: fc.constantFrom(...oddNumbers),
    currency: fc.constantFrom('EUR', 'eur', ''),
    metadata,
    other: fc.constant(1),
  },
  { requiredKeys: [] },
)
const usual = {
  ...{
    id: uuids[0],
    type: 'order',
    time: times[0],
    product_id: 'MUG-1',
    session_id: 's',
    amount: '12.50',
    currency: 'EUR',
  },
  metadata: { material: 'oak' },
}
/** Two fields at a time: what is wrong in all is not what a slip would let through. */
const anyEvent = fc
  .tuple(
    changes,
    fc.shuffledSubarray(
      [
        'id',
        'type',
        'time',
        'brand_id',
        'product_id',
        'product_ids',
        'session_id',
        'agent',
        'customer_id',
        'amount',
        'rating',
        'currency',
        'metadata',
        'other',
      ],
      { maxLength: 2 },
    ),
  )
  .map(([change, names]) => ({
    ...usual,
    ...Object.fromEntries(Object.entries(change).filter(([name]) => names.includes(name))),
  }))

test('what is known as plain is what the schema would make of it, and text that can be stored', async () => {
  let plain = 0
  await fc.assert(
    fc.property(anyEvent, (event) => {
      if (!isPlainEvent(event)) return
      plain++
      const read = eventInput.safeParse(event)
      expect(read.success).toBe(true)
      expect(read.data).toEqual(event)
      expect(JSON.stringify(event).length).toBeLessThanOrEqual(largestEventCharacters)
      expect(JSON.stringify(event)).not.toMatch(/\\u0000|\\ud800/)
    }),
    { numRuns: enough(5_000, 20_000) },
  )
  expect(plain).toBeGreaterThan(100)
})

test('an event as shops send it is plain, and one that only the schema knows is collected the same', async () => {
  const sent = {
    ...{
      id: '018f3c1e-7b1a-7000-8000-000000000001',
      type: 'order',
      time: '2026-11-29T10:00:00.000Z',
      product_id: 'MUG-1',
    },
    ...{ product_ids: ['MUG-1', 'POT-1'], session_id: 's', agent: { name: 'ChatGPT', version: '4' }, customer_id: 'c' },
    ...{
      amount: '12.50',
      quantity: 2,
      currency: 'EUR',
      metadata: { material: 'oak', page: 3, gift: false, note: null },
    },
  }
  expect(isPlainEvent(sent)).toBe(true)
  // The same moment and id, in ways of writing that the schema alone reads.
  const other = { ...sent, id: sent.id.toUpperCase(), time: '2026-11-29T11:00:00+01:00' }
  expect(isPlainEvent(other)).toBe(false)
  const ground = { workspace: 'ws_one', now, newId: () => 'new', keptDays: 400, userAgent: 'node' }
  const { collected, refused } = await collectEvents([{ value: sent }, { value: other }], ground)
  expect(refused).toEqual([])
  expect(collected[0]?.event).toEqual(collected[1]?.event)
  expect(collected[0]).toMatchObject({
    customer: 'c',
    event: {
      agent: { name: 'ChatGPT', version: '4' },
      numbers: { amount: '12.50', quantity: '2' },
      metadata: { material: 'oak', page: '3', gift: 'false' },
    },
  })
})
