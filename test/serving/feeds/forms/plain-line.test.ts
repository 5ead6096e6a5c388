import fc from 'fast-check'
import { expect, test } from 'vitest'
import { profiles } from '../../../../schemas/feeds/registry.ts'
import { feedForm } from '../../../../serving/feeds/forms/feed-form.ts'
import { takePlain } from '../../../../serving/feeds/forms/plain-line.ts'
import { anyFeedProduct } from '../../../schemas/feeds/any-feed-product.ts'
import { feedOf } from '../../../schemas/feeds/complete-product.ts'

const forms = profiles.flatMap((profile) =>
  (['csv', 'tsv', 'xml', 'ndjson'] as const).map((kind) => ({ profile, kind, form: feedForm(profile, kind) })),
)

test('a stored line comes to the same bytes whether it is cut or parsed', () => {
  let cut = 0
  const held = (product: Parameters<(typeof profiles)[number]['line']>[0]) => {
    for (const { profile, form } of forms) {
      const line = JSON.stringify(profile.line(product))
      const row = form.plainRow(line)
      if (row === null) continue
      cut++
      expect(row).toBe(form.row(JSON.parse(line)))
    }
  }
  for (const title of [' spaced ', 'a,b', 'Möbel ', 'à', '<b>&</b>', '\ufffe\uffff', '🚀', 'tab\there'])
    held(feedOf({ title }))
  fc.assert(fc.property(anyFeedProduct, held), { numRuns: 150 })
  expect(cut).toBeGreaterThan(1_000)
})

test('any flat object is cut into what it holds, or said to be none', () => {
  const value = fc.oneof(
    fc.string({ unit: 'grapheme' }),
    fc.array(fc.string(), { maxLength: 3 }),
    fc.integer(),
    fc.double(),
    fc.boolean(),
    fc.constant(null),
    fc.dictionary(fc.string(), fc.string(), { maxKeys: 2 }),
  )
  let cut = 0
  fc.assert(
    fc.property(fc.dictionary(fc.string(), value, { noNullPrototype: true, maxKeys: 6 }), (object) => {
      const json = JSON.stringify(object)
      const taken: [string, unknown][] = []
      if (!takePlain(json, (name, one) => taken.push([name, one]))) return
      cut++
      const parsed = Object.entries(JSON.parse(json) as Record<string, unknown>)
      expect(taken).toEqual(parsed.map(([name, one]) => [name, Array.isArray(one) ? one : String(one)]))
    }),
    { numRuns: 500 },
  )
  expect(cut).toBeGreaterThan(50)
})
