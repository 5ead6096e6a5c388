import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { ownFaults, ownWarnings } from '../../../schemas/feeds/own-faults.ts'
import { ownProfile } from '../../../schemas/feeds/own-profile.ts'
import { type OwnRule, ownRules } from '../../../schemas/feeds/own-rules.ts'
import type { FeedProfile } from '../../../schemas/feeds/profile.ts'
import { profileFor, profiles } from '../../../schemas/feeds/registry.ts'
import { lineCheck } from '../../../serving/feeds/forms/line-check.ts'
import { anyFeedProduct } from './any-feed-product.ts'
import { feedOf } from './complete-product.ts'

const google = profileFor('google') as FeedProfile
const made = (rules: readonly OwnRule[], base = google) =>
  ownProfile(base, { name: 'own', version: 1, platformVersion: base.version, rules: ownRules.parse(rules) })
const lineOf = (rules: readonly OwnRule[], product = {}) =>
  made(rules).shaped?.(feedOf({ title: 'Oak stool', ...product }))?.line

test('rules write in their order, by the platform’s names; what is renamed is renamed last', () => {
  const line = lineOf([
    { kind: 'rename', field: 'id', to: 'sku' },
    { kind: 'constant', field: 'custom_label_0', value: 'autumn' },
    { kind: 'template', field: 'title', text: '{brand} {title} ({custom_label_0})' },
    { kind: 'condition', field: 'title', contains: 'autumn', does: 'set', set: { field: 'season', value: 'yes' } },
  ])
  expect(Object.keys(line ?? {})[0]).toBe('sku')
  expect(line).toMatchObject({ title: 'Lumo Oak stool (autumn)', custom_label_0: 'autumn', season: 'yes' })
  expect(line).not.toHaveProperty('id')
})

test('a template of which a field has no value writes nothing, and a long one is cut as the platform cuts', () => {
  expect(lineOf([{ kind: 'template', field: 'title', text: '{mpn} {title}' }], { mpn: null })?.title).toBe('Oak stool')
  const long = lineOf([{ kind: 'template', field: 'title', text: '{description}' }], { description: 'x '.repeat(400) })
  expect(long?.title).toHaveLength(150)
})

test('conditions leave products out, by what is there, what it is and what it has in it', () => {
  const stays = (rule: Omit<Extract<OwnRule, { kind: 'condition' }>, 'kind' | 'field'>, field = 'brand', of = {}) =>
    made([{ kind: 'condition', field, ...rule }]).shaped?.(feedOf(of)) !== null
  expect(stays({ has: true, does: 'exclude' })).toBe(false)
  expect(stays({ has: true, does: 'exclude' }, 'brand', { brand: null })).toBe(true)
  expect(stays({ is: ['Lumo', 'Ora'], does: 'include' })).toBe(true)
  expect(stays({ is: ['Ora'], does: 'include' })).toBe(false)
  expect(stays({ is_not: ['Ora'], does: 'exclude' })).toBe(false)
  expect(stays({ contains: 'um', does: 'exclude' })).toBe(false)
})

test('what a rule writes is judged by its form, and what the product lacks there is no reason any more', () => {
  const nobody = { brand: null, description: null }
  const filled = made([{ kind: 'constant', field: 'description', value: 'A stool.' }]).shaped?.(feedOf(nobody))
  expect(filled?.problems).toEqual([])
  expect(lineCheck(made([{ kind: 'constant', field: 'description', value: 'A stool.' }]))(filled?.line)).toEqual([])
  const other = made([{ kind: 'rename', field: 'description', to: 'text' }]).shaped?.(feedOf(nobody))
  expect(other?.problems).toMatchObject([{ field: 'text' }])
  const worded = made([{ kind: 'template', field: 'condition', text: '{title}' }])
  expect(lineCheck(worded)(worded.line(feedOf()))).toMatchObject([{ field: 'condition' }])
})

describe.each(profiles.map((base) => [base.platform, base] as const))('%s', (_, base) => {
  const [first = 'id', second = 'title'] = base.columns
  const profile = made(
    [
      { kind: 'rename', field: first, to: 'my_id' },
      { kind: 'constant', field: 'channel', value: 'partner' },
      { kind: 'condition', field: second, has: false, does: 'set', set: { field: 'note', value: 'none' } },
    ],
    base,
  )
  test('whatever the product, its line is as the schema asks, in the order of the columns', () => {
    let valid = 0
    fc.assert(
      fc.property(anyFeedProduct, (feed) => {
        const shaped = profile.shaped?.({ ...feed, settings: { sellerName: 'Lumo' } })
        if (!shaped) return
        if (shaped.problems.length === 0) expect(lineCheck(profile)(shaped.line)).toEqual([])
        valid++
        const names = Object.keys(shaped.line)
        expect(names).toEqual(profile.columns.filter((column) => names.includes(column)))
        expect(shaped.line).toMatchObject({ channel: 'partner' })
      }),
      { numRuns: 100 },
    )
    expect(valid).toBeGreaterThan(0)
  })
})

test('without rules it is the platform’s own profile', () => {
  const plain = made([])
  fc.assert(
    fc.property(anyFeedProduct, (feed) => {
      expect(plain.line(feed)).toEqual(google.line(feed))
      expect([...plain.columns]).toEqual([...google.columns])
    }),
    { numRuns: 50 },
  )
})

test.each<[string, OwnRule[], string]>([
  ['an unknown field', [{ kind: 'rename', field: 'sku', to: 'id2' }], 'rules.0.field'],
  ['a template without a field', [{ kind: 'template', field: 'title', text: 'Sale' }], 'rules.0.text'],
  ['a formula', [{ kind: 'template', field: 'title', text: '{price * 2}' }], 'rules.0.text'],
  ['a brace alone', [{ kind: 'template', field: 'title', text: '{title' }], 'rules.0.text'],
  [
    'a field that a later rule makes',
    [
      { kind: 'template', field: 'title', text: '{label}' },
      { kind: 'constant', field: 'label', value: 'x' },
    ],
    'rules.0.text',
  ],
  ['two columns of one name', [{ kind: 'rename', field: 'mpn', to: 'title' }], 'rules'],
  ['two columns that differ by large letters alone', [{ kind: 'constant', field: 'Title', value: 'x' }], 'rules'],
  ['the name by which a line tells that the feed broke off', [{ kind: 'rename', field: 'mpn', to: 'error' }], 'rules'],
  [
    'a field renamed twice',
    [
      { kind: 'rename', field: 'mpn', to: 'a' },
      { kind: 'rename', field: 'mpn', to: 'b' },
    ],
    'rules.1.field',
  ],
  ['a condition that asks nothing', [{ kind: 'condition', field: 'mpn', does: 'exclude' }], 'rules.0'],
  [
    'a condition that asks twice',
    [{ kind: 'condition', field: 'mpn', has: true, is: ['x'], does: 'exclude' }],
    'rules.0',
  ],
  ['a set of nothing', [{ kind: 'condition', field: 'mpn', has: true, does: 'set' }], 'rules.0.set'],
])('%s is told, and where', (_, rules, field) => {
  expect(ownFaults(google, rules).map((fault) => fault.field)).toContain(field)
})

test('names may change places, and a required one that goes out as another is told', () => {
  const swapped: OwnRule[] = [
    { kind: 'rename', field: 'title', to: 'brand' },
    { kind: 'rename', field: 'brand', to: 'title' },
  ]
  expect(ownFaults(google, swapped)).toEqual([])
  expect(lineOf(swapped)).toMatchObject({ brand: 'Oak stool', title: 'Lumo' })
  expect(ownWarnings(google, swapped)).toHaveLength(1)
})

test.each(['__proto__', 'constructor', 'toString', '_position', '1st', 'a b', '=cmd', ''])(
  'no column is called %j',
  (name) => {
    expect(ownRules.safeParse([{ kind: 'constant', field: name, value: 'x' }]).success).toBe(false)
  },
)
