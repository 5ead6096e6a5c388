import { expect, test } from 'vitest'
import { feedLink } from '../../../serving/feeds/feed-link.ts'
import { complete } from '../../schemas/feeds/complete-product.ts'

const linkOf = (link: string | null, tracking: Record<string, string>, linkTemplate: string | null = null) =>
  feedLink({ ...complete, link }, 'product-id', { linkTemplate, tracking })

test('tracking is added to every link, before its fragment, and spelled as addresses are', () => {
  const tracking = { utm_source: 'google', utm_campaign: 'spring & summer' }
  const added = 'utm_source=google&utm_campaign=spring%20%26%20summer'
  expect(linkOf('https://shop.example.test/p', tracking)).toBe(`https://shop.example.test/p?${added}`)
  expect(linkOf('https://shop.example.test/p?a=1', tracking)).toBe(`https://shop.example.test/p?a=1&${added}`)
  expect(linkOf('https://shop.example.test/p?#top', tracking)).toBe(`https://shop.example.test/p?${added}#top`)
  expect(linkOf(null, tracking)).toBe(null)
  expect(linkOf('https://shop.example.test/p', {})).toBe('https://shop.example.test/p')
})

test('a template makes the link; where it has no value for a product, its own stays', () => {
  expect(linkOf(null, {}, 'https://m.shop.example.test/{sku}')).toBe('https://m.shop.example.test/OS-1')
  expect(linkOf('https://shop.example.test/p', { a: 'b' }, 'https://m.shop.example.test/{id}')).toBe(
    'https://m.shop.example.test/product-id?a=b',
  )
  expect(linkOf('https://shop.example.test/p', {}, 'https://m.shop.example.test/{handle}')).toBe(
    'https://shop.example.test/p',
  )
})
