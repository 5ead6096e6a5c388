import { describe, expect, test } from 'vitest'
import { codes, jsonLd, offer, read } from './read-html.ts'

describe('a group of variants', () => {
  const variant = (sku: string, price: string, more: object = {}) => ({
    ...{ '@type': 'Product', name: `Shirt ${sku}`, sku, url: `/p/shirt?variant=${sku}` },
    offers: { ...offer, price },
    ...more,
  })
  const group = (...hasVariant: readonly object[]) =>
    jsonLd({
      ...{ '@type': 'ProductGroup', name: 'Shirt', productGroupID: 'G', url: '/p/shirt' },
      ...{ brand: { '@type': 'Brand', name: 'Lumo' }, image: '/img/shirt.jpg', hasVariant },
    })
  const shirt = 'https://shop.example.test/p/shirt'
  const two = [variant('S-1', '10.00'), variant('S-2', '12.00', { size: 'M' })]

  test.each([
    ['its address', `${shirt}?variant=S-2`],
    ['its address among other words', `${shirt}/?utm_source=x&variant=S-2`],
  ])('is the variant that %s names, with what the group says of all', (_, from) => {
    const { values, notes, failed } = read(group(...two), from)
    expect(values).toMatchObject({ title: 'Shirt S-2', sku: 'S-2', price: '12.00', size: 'M', brand: 'Lumo' })
    expect(values.images).toEqual(['https://shop.example.test/img/shirt.jpg'])
    expect({ notes, failed }).toEqual({ notes: [], failed: null })
  })

  test('is the variant whose SKU the address has, where variants have no address of their own', () => {
    const nowhere = two.map(({ url: _, ...one }) => one)
    expect(read(group(...nowhere), `${shirt}?variant=S-1`).values).toMatchObject({ sku: 'S-1', price: '10.00' })
  })

  test('is its only variant', () => {
    const { values, notes } = read(group(variant('S-1', '10.00')), shirt)
    expect(values).toMatchObject({ title: 'Shirt S-1', sku: 'S-1', price: '10.00' })
    expect(notes).toEqual([])
  })

  test.each([
    ['and no price of it is the group`s', two, undefined],
    ['and a price that all have is the group`s', [variant('S-1', '10.00'), variant('S-2', '10.00')], '10.00'],
  ])('is none of several that the address does not name, %s', (_, variants, price) => {
    const { values, notes, failed } = read(group(...variants), shirt)
    expect(codes(notes)).toEqual(['several_variants'])
    expect(values.price).toBe(price)
    expect(values).not.toHaveProperty('sku')
    expect(failed?.code ?? null).toBe(price === undefined ? 'missing_price' : null)
    if (failed) expect(failed.says).toContain('give the address of one')
    else expect(values).toMatchObject({ title: 'Shirt', brand: 'Lumo' })
  })

  test('has no price of the first of its offers', () => {
    const offers = [
      { ...offer, price: '10.00' },
      { ...offer, price: '12.00' },
    ]
    const page = jsonLd({ '@type': 'ProductGroup', name: 'Shirt', offers, hasVariant: two })
    expect(read(page, shirt).values).not.toHaveProperty('price')
  })

  test('that names itself as a variant ends', () => {
    const page = jsonLd({
      '@graph': [
        { '@type': 'ProductGroup', '@id': '#g', name: 'Shirt', hasVariant: [{ '@id': '#a' }, { '@id': '#b' }] },
        ...['#a', '#b'].map((id) => ({ '@type': 'Product', '@id': id, name: id, hasVariant: [{ '@id': '#g' }] })),
      ],
    })
    expect(read(page, shirt).failed?.code).toBe('missing_price')
  })

  test('may be told beside its variants', () => {
    const page = jsonLd(
      { '@type': 'ProductGroup', '@id': '#g', name: 'Shirt', productGroupID: 'G', url: '/p/shirt', brand: 'Lumo' },
      ...two.map((one) => ({ ...one, isVariantOf: { '@id': '#g' } })),
    )
    expect(read(page, `${shirt}?variant=S-2`).values).toMatchObject({ sku: 'S-2', price: '12.00' })
    expect(codes(read(page, shirt).notes)).toEqual(['several_variants'])
  })
})
