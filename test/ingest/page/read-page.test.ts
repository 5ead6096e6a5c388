import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { overShared, realPath, sharedIsThere } from '../expected-figures.ts'
import { address, codes, jsonLd, offer, read, stool } from './read-html.ts'
import { realPages } from './real-pages.ts'

describe.skipIf(!sharedIsThere)(overShared('the real pages'), () => {
  test.each(realPages.map((page) => [page.file, page] as const))('%s gives what is expected of it', (file, page) => {
    const found = read(readFileSync(realPath(file), 'utf8'), `https://shop.example/${file}`)
    expect(found.failed?.code ?? null).toBe(page.failed ?? null)
    expect(found.values).toMatchObject(page.fields ?? {})
    for (const [name, source] of Object.entries(page.sources ?? {}))
      expect(found.fields[name as 'price']?.source, name).toBe(source)
    for (const name of page.absent ?? []) expect(found.values).not.toHaveProperty(name)
    expect(found.conflicts.map(({ field, kept, other }) => [field, kept, other])).toEqual(page.conflicts ?? [])
    expect(codes(found.notes)).toEqual(page.notes ?? [])
  })
})

test("OpenGraph's item id of the shop is the SKU", () => {
  const meta = (name: string, content: string) => `<meta property="${name}" content="${content}">`
  const page = `${meta('og:type', 'product')}${meta('og:title', 'Mug')}${meta('product:price:amount', '9.00')}${meta('product:price:currency', 'EUR')}${meta('product:retailer_item_id', 'MUG-1')}`
  expect(read(page).values).toMatchObject({ title: 'Mug', sku: 'MUG-1', price: '9.00' })
})

describe('JSON-LD', () => {
  test('a product inside a graph, with values inside arrays (KF-55)', () => {
    const graph = {
      '@context': 'https://schema.org',
      '@graph': [
        { '@type': 'BreadcrumbList' },
        {
          ...stool,
          '@type': ['Product', 'Thing'],
          brand: { '@type': 'Brand', name: 'Lumo' },
          image: [{ '@type': 'ImageObject', url: '/img/os1.jpg' }],
          offers: [offer],
          isRelatedTo: { '@type': 'Product', name: 'Other stool', offers: { price: 1 } },
        },
      ],
    }
    expect(read(jsonLd(graph)).values).toEqual({
      link: address,
      title: 'Oak Stool',
      sku: 'OS-1',
      brand: 'Lumo',
      price: '79.00',
      currency: 'EUR',
      availability: 'InStock',
      images: ['https://shop.example.test/img/os1.jpg'],
    })
  })

  test.each(['http://schema.org/InStock', 'https://schema.org/InStock', 'InStock', 'schema:InStock'])(
    'an availability written %s is the same word',
    (availability) => {
      expect(read(jsonLd({ ...stool, offers: { ...offer, availability } })).values.availability).toBe('InStock')
    },
  )

  test('one broken block does not hide the good one (KF-57)', () => {
    const first = '// <![CDATA[\n{"@type":"Organization","name":"Lumo",}\n// ]]>'
    const second = `{"@type":"Product","name":"Oak Stool","description":"Oiled,\nsee // below /* and */ <!-- here -->","offers":{"price":"79","priceCurrency":"EUR"}};`
    const found = read(jsonLd(first, second, '{"@type":"Product", "name": }'))
    expect(found.values).toMatchObject({
      title: 'Oak Stool',
      description: 'Oiled,\nsee // below /* and */ <!-- here -->',
      price: '79',
    })
    expect(found.notes.map(({ says }) => says)).toEqual([
      'Block 1 of JSON-LD was skipped: it had to be repaired, and holds Organization',
      'Block 3 of JSON-LD was skipped: it is no JSON, and cannot be repaired',
    ])
  })

  test('what stands elsewhere in the graph is found by its id', () => {
    const graph = [
      { ...stool, brand: { '@id': '#brand' }, offers: { '@id': '#offer' } },
      { '@id': '#brand', '@type': 'Brand', name: 'Lumo' },
      { '@id': '#offer', ...offer },
    ]
    expect(read(jsonLd({ '@graph': graph })).values).toMatchObject({ brand: 'Lumo', price: '79.00' })
  })

  test('products that are listed or related are not taken for the main one', () => {
    const list = {
      '@type': 'ItemList',
      itemListElement: [
        { '@type': 'ListItem', item: stool },
        { ...stool, name: 'B' },
      ],
    }
    expect(read(jsonLd(list)).failed?.code).toBe('no_product')
    const related = { '@type': 'WebPage', mainEntity: stool, mentions: { ...stool, name: 'Other', sku: 'X' } }
    expect(read(jsonLd(related)).values.sku).toBe('OS-1')
  })

  test('of several products it is the one that the page is about, and none where nothing tells', () => {
    const others = [
      { ...stool, name: 'Ash Stool', sku: 'AS-1' },
      { ...stool, url: '/p/os1' },
    ]
    expect(read(jsonLd(...others)).failed?.code).toBe('several_products')
    expect(read(`${jsonLd(...others)}<h1>Oak\n Stool</h1>`).values.sku).toBe('OS-1')
    expect(read(jsonLd(others[0], { ...stool, url: address })).values.sku).toBe('OS-1')
  })

  test('the first offer that can be bought is taken, and that there were others is said', () => {
    const gone = { ...offer, price: '60', availability: 'SoldOut' }
    const found = read(
      jsonLd({ ...stool, offers: { '@type': 'AggregateOffer', offers: [gone, offer, { ...offer, price: 99 }] } }),
    )
    expect([found.values.price, codes(found.notes)]).toEqual(['79.00', ['several_offers']])
  })

  test('of a range the least is taken, and said', () => {
    const range = { '@type': 'AggregateOffer', lowPrice: '10', highPrice: '20', priceCurrency: 'EUR' }
    const found = read(jsonLd({ ...stool, offers: range }))
    expect([found.values.price, codes(found.notes)]).toEqual(['10', ['price_range']])
  })

  test('a list price in a specification is the former one', () => {
    const priceSpecification = [
      { price: 99, priceCurrency: 'EUR', priceType: 'https://schema.org/ListPrice' },
      { price: 79, priceCurrency: 'EUR' },
    ]
    expect(read(jsonLd({ ...stool, offers: { '@type': 'Offer', priceSpecification } })).values).toMatchObject({
      price: '79',
      original_price: '99',
      currency: 'EUR',
    })
  })
})

describe('a price', () => {
  test.each([{}, null, '', 'call us', 0, '0.00', '1,299', '-5', []])('that is %j is missing, and never 0', (price) => {
    const found = read(jsonLd({ ...stool, offers: { ...offer, price } }))
    expect(found.failed).toEqual({
      code: 'missing_price',
      says: 'The page tells of a product and gives no price for it',
    })
    expect(found.values).not.toHaveProperty('price')
    expect(found.values.title).toBe('Oak Stool')
  })

  test.each([
    ['1.299,00', '1299.00'],
    ['1,299.50', '1299.50'],
    ['$ 1299', '1299'],
    [1.299, '1.299'],
    ['48,00', '48.00'],
  ])('written %j is %s', (price, amount) => {
    expect(read(jsonLd({ ...stool, offers: { ...offer, price } })).values.price).toBe(amount)
  })

  test.each(['1,500', '1.500', '¥1,500'])('of %s in yen, which have no minor units, is grouped', (price) => {
    const found = read(jsonLd({ ...stool, offers: { ...offer, price, priceCurrency: 'JPY' } }))
    expect(found.values).toMatchObject({ price: '1500', currency: 'JPY' })
  })

  test('that is missing in one part is taken from another, with its own currency', () => {
    const meta =
      '<meta property="product:price:amount" content="12,50"><meta property="product:price:currency" content="CHF">'
    const found = read(`${meta}${jsonLd({ ...stool, offers: { ...offer, price: {} } })}`)
    expect(found.values).toMatchObject({ price: '12.50', currency: 'CHF' })
    expect(found.fields.price?.source).toBe('opengraph')
  })
})

describe('markup', () => {
  const scoped = `
    <div itemscope itemtype="https://schema.org/Product" itemref="more">
      <h2 itemprop="name">Oak<br>Stool</h2><a itemprop="url" href="/p/os1">more</a>
      <p itemprop="brand" itemscope itemtype="https://schema.org/Brand"><span itemprop="name">Lumo</span></p>
      <div itemprop="offers" itemscope itemtype="https://schema.org/Offer">
        <meta itemprop="priceCurrency" content="EUR"><span itemprop="price" content="79.00">79 €</span>
      </div>
      <div itemprop="isRelatedTo" itemscope itemtype="https://schema.org/Product"><b itemprop="name">Other</b></div>
    </div>
    <p id="more">No. <span itemprop="sku">OS-1</span></p>`

  test('microdata is read with what it refers to', () => {
    expect(read(scoped).values).toMatchObject({
      title: 'Oak Stool',
      sku: 'OS-1',
      brand: 'Lumo',
      price: '79.00',
      currency: 'EUR',
    })
  })

  test('RDFa is read as the same', () => {
    const html = `<div vocab="https://schema.org/" typeof="Product" resource="#p">
      <h2 property="name">Oak Stool</h2><img property="image" src="a.jpg">
      <div property="offers" typeof="Offer"><span property="price">79.00</span><meta property="priceCurrency" content="EUR"></div>
      <span property="schema:sku">OS-1</span></div>`
    const found = read(html)
    expect(found.values).toMatchObject({
      title: 'Oak Stool',
      sku: 'OS-1',
      price: '79.00',
      currency: 'EUR',
      images: ['https://shop.example.test/p/a.jpg'],
    })
    expect(found.fields.title?.source).toBe('rdfa')
  })

  test('a reference to itself, or in a circle, ends', () => {
    const html = `<div id="a" itemscope itemtype="https://schema.org/Product" itemref="a b"><i itemprop="name">A</i></div>
      <div id="b" itemprop="isRelatedTo" itemscope itemtype="https://schema.org/Product" itemref="a"></div>`
    expect(read(html).failed?.code).toBe('missing_price')
  })

  test('parts that differ in what leads to a product are reported', () => {
    const found = read(`${jsonLd({ ...stool, sku: 'OS-2', brand: 'LUMO' })}${scoped}`)
    expect(found.values.sku).toBe('OS-2')
    expect(found.conflicts).toEqual([
      { field: 'sku', kept: 'OS-2', from: 'json-ld', other: 'OS-1', otherFrom: 'microdata' },
    ])
  })
})

describe('where a page lives', () => {
  const page = (href: string, more = '') => `${more}<link rel="canonical" href="${href}">${jsonLd(stool)}`

  test('it may say itself, on its own host', () => {
    expect(read(page('/p/stool#top')).values.link).toBe('https://shop.example.test/p/stool')
    expect(read(page('https://www.shop.example.test/x')).values.link).toBe('https://www.shop.example.test/x')
  })

  test('on another host it is not believed', () => {
    for (const href of ['https://other.example/p', 'javascript:1', 'http://['])
      expect(read(page(href), `${address}#a`).values.link).toBe(address)
  })

  test('a base moves what is relative', () => {
    const html = `<base href="https://cdn.example/x/">${jsonLd({ ...stool, image: 'a.jpg' })}`
    expect(read(html).values.images).toEqual(['https://cdn.example/x/a.jpg'])
  })
})

test('a page with a heading and nothing that says product is none', () => {
  expect(read('<title>Hello</title><h1>Oak Stool</h1> only 79 €').failed?.code).toBe('no_product')
})
