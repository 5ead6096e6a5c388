import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { DeltaRow } from '../../../infra/catalog/delta-changes.ts'
import { endOfVersion } from '../../../schemas/position.ts'
import { unrefined } from '../../../schemas/product.ts'
import { nextPart, type ReadDelta, writtenRows } from '../../../serving/webhooks/delta-body.ts'
import { bodyOf, type DeltaHead, fits } from '../../../transforms/deltas/part.ts'

const head: DeltaHead = {
  ...{ event: 'catalog.delta', workspace_id: 'ws_test', brand_id: 'b', catalog_id: 'c', target: 'custom', version: 1 },
  ...{
    published_at: '2026-11-29T10:00:00.000Z',
    full: false,
    part: 1,
    parts: 1,
    position: endOfVersion(1),
    previous_position: null,
  },
}
const of = {
  target: 'custom',
  options: { fields: { name: 'title' } },
  version: 1,
  publishedAt: head.published_at,
} as const
const idOf = (i: number) => `00000000-0000-4000-8000-${String(i).padStart(12, '0')}`
const content = (title: string, feedId: string | null = null) => {
  const times = { createdAt: head.published_at, updatedAt: head.published_at }
  return { kind: 'single' as const, family: null, feedId, ...times, product: { ...unrefined, title } }
}
const rowOf = (i: number, change: DeltaRow['change'], title: string): DeltaRow => ({
  ...{ id: idOf(i), change, content: content(title), was: change === 'modified' ? content('before') : null },
})

const reading =
  (rows: readonly DeltaRow[]): ReadDelta =>
  async (after) =>
    rows.filter(({ id }) => after === null || id > after).slice(0, 500)

const rowsOf = fc.array(
  fc.tuple(fc.constantFrom('added', 'modified', 'removed', null), fc.string({ unit: 'grapheme', maxLength: 400 })),
  { maxLength: 60 },
)

test('parts hold every change once, in order, are as many as were counted, and none is larger than allowed but for one product', async () => {
  await fc.assert(
    fc.asyncProperty(rowsOf, fc.integer({ min: 1_300, max: 4_000 }), async (made, most) => {
      const rows = made.map(([change, title], i) => rowOf(i, change, title))
      let [counted, has] = [1, { products: 0, bytes: 0 }]
      for await (const { written } of writtenRows(of, reading(rows), null)) {
        if (!written) continue
        if (!fits(has, written.bytes, most)) [counted, has] = [counted + 1, { products: 0, bytes: 0 }]
        has = { products: has.products + 1, bytes: has.bytes + written.bytes }
      }
      const seen: unknown[] = []
      let parts = 0
      for (let after: string | null = null, more = true; more; ) {
        const { entries, upto } = await nextPart(of, reading(rows), after, most)
        const body = bodyOf({ ...head, previous_position: endOfVersion(999_999_999_999) }, entries, [])
        const { added, modified, removed } = JSON.parse(body)
        expect(Buffer.byteLength(body) <= most || entries.length === 1).toBe(true)
        seen.push(...[...added, ...modified].map(({ name }) => name), ...removed.map(({ id }: { id: string }) => id))
        parts++
        more = upto !== null
        after = upto
      }
      expect(parts).toBe(counted)
      const told = rows.flatMap(({ id, change, content }) =>
        change === null ? [] : change === 'removed' ? id : content.product.title,
      )
      expect(seen.map(String).sort()).toEqual(told.map(String).sort())
    }),
    { numRuns: 50 },
  )
})

test('what the target knows by another name now is removed under the former and added under the new one', async () => {
  const renamed: DeltaRow = {
    id: idOf(1),
    change: 'modified',
    content: content('Mug', 'NEW'),
    was: content('Mug', 'OLD'),
  }
  const { entries } = await nextPart({ ...of, target: 'social', options: {} }, reading([renamed]), null, 1_000_000)
  expect(JSON.parse(bodyOf(head, entries, []))).toMatchObject({
    added: [{ method: 'CREATE', data: { id: 'NEW' } }],
    modified: [],
    removed: [{ method: 'DELETE', data: { id: 'OLD' } }],
  })
})

test('a name that one product left and another has by now is not removed', async () => {
  const [gone, comes] = [content('Old mug', 'MUG'), content('New mug', 'MUG')]
  const rows: DeltaRow[] = [
    { id: idOf(1), change: 'added', content: comes, was: null },
    { id: idOf(2), change: 'removed', content: gone, was: null },
    { id: idOf(3), change: 'removed', content: content('Pot', 'POT'), was: null },
  ]
  const { entries } = await nextPart({ ...of, target: 'social', options: {} }, reading(rows), null, 1_000_000)
  expect(entries.map(({ leaves }) => leaves)).toEqual([null, 'MUG', 'POT'])
  const { added, removed } = JSON.parse(bodyOf(head, entries, ['MUG']))
  expect(added).toHaveLength(1)
  expect(removed).toEqual([{ method: 'DELETE', data: { id: 'POT' } }])
})
