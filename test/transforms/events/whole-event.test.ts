import fc from 'fast-check'
import { expect, test } from 'vitest'
import { storedEvent } from '../../../schemas/event.ts'
import { isWholeEvent } from '../../../transforms/events/whole-event.ts'
import { enough } from '../../enough.ts'

const id = '018f3c1e-7b1a-7000-8000-000000000001'
const time = '2026-11-29T10:00:00.000Z'
const whole = {
  ...{ v: 1, id, type: 'order', time, received: time, workspace: 'ws_one', brand: id, catalog: id, product: 'MUG-1' },
  ...{ products: ['MUG-1'], session: '', agent: { name: 'ChatGPT', kind: 'assistant' }, customer: 'c' },
  ...{ numbers: { amount: '12.50' }, currency: 'EUR', metadata: { material: 'oak' } },
}
const moments = [
  ...[
    time,
    '2026-02-29T10:00:00.000Z',
    '2024-02-29T10:00:00.000Z',
    '2026-02-30T10:00:00.000Z',
    '2026-04-31T10:00:00.000Z',
  ],
  ...[
    '2026-01-31T23:59:59.999Z',
    '2026-11-30T24:00:00.000Z',
    '2026-13-01T10:00:00.000Z',
    '2026-11-29T10:00:60.000Z',
    'x',
    5,
  ],
]
const odd = [
  undefined,
  null,
  5,
  '',
  'x',
  [],
  {},
  { a: 'x' },
  { amount: '1,5' },
  { amount: '-0.5' },
  ['A'],
  [5],
  id,
  `${id}x`,
]
const changes = fc.record(
  {
    v: fc.constantFrom(1, 2, '1'),
    ...Object.fromEntries(['time', 'received'].map((name) => [name, fc.constantFrom(...moments)])),
    ...Object.fromEntries(
      Object.keys(whole)
        .filter((name) => !['v', 'time', 'received'].includes(name))
        .map((name) => [name, fc.constantFrom(...odd)]),
    ),
  },
  { requiredKeys: [] },
)

test('what is known as whole the schema finds nothing wrong with, and reads as the same', () => {
  expect(isWholeEvent(whole)).toBe(true)
  let known = 0
  const of = fc.tuple(changes, fc.subarray(Object.keys(whole)))
  fc.assert(
    fc.property(of, ([change, taken]) => {
      // Some fields are changed, and few at a time: what is wrong in all is not what a slip would let through.
      const some = Object.fromEntries(Object.entries(change).filter(([name]) => taken.slice(0, 2).includes(name)))
      const event = { ...whole, ...some }
      if (!isWholeEvent(event)) return
      known++
      const read = storedEvent.safeParse(event)
      expect(read.success).toBe(true)
      expect(read.data).toEqual({ ...event, agent: read.data?.agent })
    }),
    { numRuns: enough(3_000, 10_000) },
  )
  expect(known).toBeGreaterThan(100)
})
