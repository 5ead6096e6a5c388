import { expect, test } from 'vitest'
import { namedCatalog } from '../../../serving/feeds/named-catalog.ts'

const [one, other] = ['aaaaaaaa-0000-4000-8000-000000000001', 'aaaaaaaa-0000-4000-8000-000000000002']

test('an order is about the catalog that it names, in the address or in the body, and about no other', () => {
  expect(namedCatalog({ query: {}, body: { catalog_id: one } })).toBe(one)
  expect(namedCatalog({ query: { catalog_id: one }, body: {} })).toBe(one)
  expect(namedCatalog({ query: { catalog_id: one }, body: null })).toBe(one)
  expect(namedCatalog({ query: { catalog_id: one }, body: { catalog_id: one } })).toBe(one)
  expect(namedCatalog({ query: {} })).toBeUndefined()
  expect(() => namedCatalog({ query: { catalog_id: one }, body: { catalog_id: other } })).toThrow(/two catalogs/)
})
