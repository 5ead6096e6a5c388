import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { problemsOf } from '../../../schemas/feeds/problems-of.ts'
import { type FeedProfile, feedPlatformNames } from '../../../schemas/feeds/profile.ts'
import { platforms, profileFor, profiles, versionsOf } from '../../../schemas/feeds/registry.ts'
import type { RefinedProduct } from '../../../schemas/product.ts'
import { lineCheck } from '../../../serving/feeds/forms/line-check.ts'
import { anyFeedProduct } from './any-feed-product.ts'
import { anyProduct } from './arbitrary-product.ts'
import { bare, feedOf, judgedAt } from './complete-product.ts'

/** A currency that the platform takes. */
const paid = (platform: string): Partial<RefinedProduct> =>
  platform === 'heureka' ? { currency: 'CZK' } : platform === 'yandex' ? { currency: 'RUB' } : {}

const settings = { sellerName: 'Lumo' }

test('the ten platforms have a profile each, and only three are asked in grades', () => {
  expect(profiles.map(({ platform }) => platform)).toEqual([...feedPlatformNames])
  expect(platforms.map(({ platform, bit, version }) => [platform, bit, version])).toEqual([
    ['google', 1, 4],
    ['meta', 2, 2],
    ['openai', 4, 2],
  ])
})

test('a profile is found by its name, its aliases and its version', () => {
  expect(profileFor('social')?.platform).toBe('meta')
  expect(profileFor('ai-assistant')?.platform).toBe('openai')
  expect(profileFor('google', 4)?.version).toBe(4)
  expect(profileFor('google', 3)).toBeUndefined()
  for (const name of ['nobody', '', 'constructor']) expect(profileFor(name)).toBeUndefined()
})

test('former and announced versions are found by their number, and only the announced have a day', () => {
  expect(versionsOf('search-shopping').map(({ version, from }) => [version, from])).toEqual([
    [4, undefined],
    [5, '2027-01-31'],
  ])
  expect(versionsOf('openai').map(({ version }) => version)).toEqual([1, 2])
  expect(versionsOf('nobody')).toEqual([])
  expect(profileFor('openai', 1)?.line(feedOf({}, 'T-1'))).toMatchObject({ id: 'OS-1', item_group_id: 'T-1' })
})

test('an image of 300 x 300 pixels is one for Google until its announced version', () => {
  const found = { status: 200, type: 'jpeg', width: 300, height: 300, bytes: 20_000 }
  const image = feedOf().product.images[0] ?? ''
  const feed = feedOf({ imageFindings: [{ image, state: 'ok', ...found }] } as Partial<RefinedProduct>)
  const fields = (version: number) => problemsOf(profileFor('google', version) as FeedProfile, feed).map((p) => p.field)
  expect([fields(4), fields(5)]).toEqual([[], ['image_link']])
})

const all = profiles.flatMap(({ platform }) => versionsOf(platform))
describe.each(all.map((profile) => [profile.platform, profile.version, profile] as const))(
  '%s %i',
  (platform, _, profile) => {
    const check = lineCheck(profile)

    test('takes a complete product, and a variant of one (KF-23)', () => {
      for (const feed of [feedOf(paid(platform)), feedOf({ ...paid(platform), options: { Size: 'M' } }, 'T-1')]) {
        expect(problemsOf(profile, { ...feed, settings })).toEqual([])
        expect(check(profile.line({ ...feed, settings }))).toEqual([])
      }
    })

    test('tells a product that says nothing what is missing, in sentences that can be acted on', () => {
      const found = problemsOf(profile, { id: '', itemGroupId: null, product: bare, at: judgedAt })
      expect(found.length).toBeGreaterThan(1)
      for (const { reason } of found) expect(reason).toMatch(/^[A-Z].+; (send|give) .+/)
    })

    test('a product that is not refused has a line as its schema asks, in the order of the columns, and without control characters', () => {
      let valid = 0
      fc.assert(
        fc.property(anyFeedProduct, (feed) => {
          if (problemsOf(profile, feed).length > 0) return
          valid++
          const line = profile.line(feed)
          expect(check(line)).toEqual([])
          const names = Object.keys(line)
          expect(names).toEqual(profile.columns.filter((column) => names.includes(column)))
          // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
          expect(JSON.stringify(line)).not.toMatch(/[\u0000-\u001f\u007f-\u009f]|\\u00[01]|\\ud[89a-f]/i)
        }),
        { numRuns: 300 },
      )
      expect(valid).toBeGreaterThan(10)
    })

    test('the same product has the same line again, and nothing throws, whatever it says', () => {
      fc.assert(
        fc.property(anyProduct, fc.option(fc.string()), (product, itemGroupId) => {
          const feed = { id: product.sku ?? 'id', itemGroupId, product, at: judgedAt, settings }
          problemsOf(profile, feed)
          const [once, again] = [profile.line(feed), profile.line(structuredClone(feed))]
          expect(JSON.stringify(once)).toBe(JSON.stringify(again))
        }),
      )
    })

    test('KF-18: what nobody sees is in no value, and what is beyond the first plane stays', () => {
      const line = JSON.stringify(
        profile.line(feedOf({ ...paid(platform), title: 'Pen\u0008 Set 🚀\u0000 blue\ud800' })),
      )
      expect(line).toContain('"Pen Set 🚀 blue"')
    })

    test('names the page of each attribute', () => {
      for (const { source, asks, field } of profile.rules) {
        expect(source).toMatch(/^https:\/\//)
        expect(asks).not.toBe('')
        expect(field).not.toBe('')
      }
    })
  },
)

const money: Readonly<Record<string, (line: Record<string, unknown>) => unknown>> = {
  google: ({ price }) => price,
  meta: ({ price }) => price,
  openai: ({ price }) => price,
  pinterest: ({ price }) => price,
  tiktok: ({ price }) => price,
  microsoft: ({ price }) => price,
}

describe.each(Object.entries(money))('KF-14: %s', (platform, price) => {
  test.each([
    ['1500', 'JPY', '1500 JPY'],
    ['1500.00', 'JPY', '1500 JPY'],
    ['12.345', 'KWD', '12.345 KWD'],
    ['250', 'TWD', '250.00 TWD'],
    ['9.5', 'EUR', '9.50 EUR'],
  ])('%s %s goes out as %s', (amount, currency, text) => {
    const feed = feedOf({ price: amount, currency })
    expect(price(profileFor(platform)?.line(feed) ?? {})).toBe(text)
  })
})
