import fc from 'fast-check'
import { expect, test } from 'vitest'
import { profiles } from '../../../../schemas/feeds/registry.ts'
import { feedForm } from '../../../../serving/feeds/forms/feed-form.ts'
import { type Place, plainReader } from '../../../../serving/feeds/forms/plain-line.ts'
import { enough } from '../../../enough.ts'
import { anyFeedProduct } from '../../../schemas/feeds/any-feed-product.ts'
import { feedOf } from '../../../schemas/feeds/complete-product.ts'

const forms = profiles.flatMap((profile) =>
  (['csv', 'tsv', 'xml', 'ndjson'] as const).map((kind) => ({ profile, kind, form: feedForm(profile, kind) })),
)

/** Each part is good until the next. */
function textOf({ rows }: (typeof forms)[number]['form'], page: Buffer): string {
  let text = ''
  for (const part of rows(page)) text += part.toString()
  return text
}

test('a page of stored lines comes to the same bytes whether its lines are cut or parsed', () => {
  let cut = 0
  const held = (products: readonly Parameters<(typeof profiles)[number]['line']>[0][]) => {
    for (const { profile, form } of forms) {
      const lines = products.map((product) => JSON.stringify(profile.line(product)))
      cut += lines.filter((line) => !line.includes('\\')).length
      const page = Buffer.from(lines.map((line) => `${line}\n`).join(''))
      const rows = textOf(form, page)
      expect(rows).toBe(lines.map((line) => form.row(JSON.parse(line))).join(''))
    }
  }
  const titles = [' spaced ', 'a,b', 'Möbel ', 'à', '\u00a0à', 'Ȁ\u3000', '\u2003é\u2028', '\ufeffa', 'a\u1680']
  held(
    [...titles, '<b>&</b>', '\ufffe\uffff', 'ï\uffff', '🚀', 'tab\there', '5" plate', '蠠'].map((title) =>
      feedOf({ title }),
    ),
  )
  fc.assert(fc.property(fc.array(anyFeedProduct, { minLength: 1, maxLength: 4 }), held), { numRuns: enough(25, 60) })
  expect(cut).toBeGreaterThan(300)
})

test('the rows of a page of many lines are all there, in their order', () => {
  const { form, profile } = forms[0] as (typeof forms)[number]
  const lines = Array.from({ length: 173 }, (_, n) => JSON.stringify(profile.line(feedOf({ sku: `S-${n}` }))))
  const page = Buffer.from(lines.map((line) => `${line}\n`).join(''))
  const rows = textOf(form, page)
  expect(rows.match(/S-\d+/g)).toEqual(lines.map((_, n) => `S-${n}`))
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
  const taken: [string, unknown][] = []
  let values: string[] = []
  const textTo = (place: Place, to: number) => {
    const text = place.bytes.toString('utf8', place.at, to)
    place.at = to
    return text
  }
  const read = plainReader((name) => Buffer.from(name, 'latin1').toString(), {
    text(name, place, nth) {
      const text = textTo(place, place.bytes.indexOf('"', place.at))
      if (nth < 0) taken.push([name, text])
      else values.push(text)
    },
    listEnds(name) {
      taken.push([name, values])
      values = []
    },
    bare: (name, place, to) => taken.push([name, place.bytes.toString('utf8', place.at, to)]),
  })
  let cut = 0
  fc.assert(
    fc.property(
      fc.array(fc.dictionary(fc.string(), value, { noNullPrototype: true, maxKeys: 6 }), {
        minLength: 1,
        maxLength: 4,
      }),
      (objects) => {
        const lines = objects.map((object) => JSON.stringify(object)).filter((line) => !line.includes('\\'))
        const bytes = Buffer.from(lines.map((line) => `${line}\n`).join(''))
        let from = 0
        for (const line of lines) {
          taken.length = 0
          values = []
          const to = from + Buffer.byteLength(line)
          const whole = read({ bytes, at: from, out: Buffer.alloc(0), end: 0 }, to)
          from = to + 1
          if (!whole) continue
          cut++
          const parsed = Object.entries(JSON.parse(line) as Record<string, unknown>)
          expect(taken).toEqual(parsed.map(([name, one]) => [name, Array.isArray(one) ? one : String(one)]))
        }
      },
    ),
    { numRuns: 300 },
  )
  expect(cut).toBeGreaterThan(50)
})
