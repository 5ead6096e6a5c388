import fc from 'fast-check'
import { expect, test } from 'vitest'
import { asciiAddress } from '../../../schemas/feeds/ascii-address.ts'

test.each([
  'https://shop.example.test',
  'http://shop.example.test/p?id=77&t=image/jpeg#top',
  'https://shop.example.test/My%20Jug.jpg',
])('%s goes out as it is', (address) => {
  expect(asciiAddress(address)).toBe(address)
})

test.each([
  ['https://shop.example.test:8443/p', 'https://shop.example.test:8443/p'],
  ['https://shop.example.test/Größe vorn.jpg', 'https://shop.example.test/Gr%C3%B6%C3%9Fe%20vorn.jpg'],
  ['https://müller.example.test/p', 'https://xn--mller-kva.example.test/p'],
])('%s goes out as %s', (text, address) => {
  expect(asciiAddress(text)).toBe(address)
})

test.each([
  'htp:/broken',
  'https:/shop.example.test/p',
  'https:///p',
  'ftp://a.example.test/x',
  '/p/1',
  'a.jpg',
  'https://shop/p',
  'https://a.test:99999/',
  '',
])('%j is no web address', (text) => {
  expect(asciiAddress(text)).toBeNull()
})

test('what goes out is ASCII that every parser reads, and goes out the same again', () => {
  const texts = fc.oneof(
    fc.webUrl({ withFragments: true, withQueryParameters: true }),
    fc.string({ unit: 'binary' }).map((s) => `https://a.example.test/${s}`),
  )
  fc.assert(
    fc.property(texts, (text) => {
      const address = asciiAddress(text)
      expect(address).toMatch(/^https?:\/\/[!-~]+$/)
      expect(URL.canParse(address ?? '')).toBe(true)
      expect(asciiAddress(address ?? '')).toBe(address)
    }),
  )
})
