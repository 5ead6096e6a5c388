import { expect, test } from 'vitest'
import { storedOrder } from '../../../infra/catalog/stored-order.ts'
import { unrefined } from '../../../schemas/product.ts'

const whole = {
  ...unrefined,
  refusedLink: 'ftp://shop.example/1',
  refusedSale: '0',
  refusedImage: 'none',
  imageFindings: [],
}

test('every field of a product keeps its value, and one that is not there is none', () => {
  expect(JSON.parse(JSON.stringify(storedOrder(whole)))).toEqual(whole)
  expect(JSON.parse(JSON.stringify(storedOrder(unrefined)))).toEqual(unrefined)
})

test('names are in the order in which jsonb keeps them', () => {
  const names = Object.keys(storedOrder(unrefined))
  expect(names).toEqual(names.toSorted((a, b) => a.length - b.length || (a < b ? -1 : 1)))
})
