/** Search of a running Assay: what is published is found when the publish returns, and nothing else is. */
import { setTimeout as sleep } from 'node:timers/promises'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ensureWorkspace } from '../../../infra/catalog/tenants.ts'
import type { AgentEvent } from '../../../schemas/event.ts'
import { type Answer, type Running, startAssay } from '../../running.ts'
import { makeKey } from './make-key.ts'

let assay: Running
let catalog: string
let brand: string
let key: string

const file = [
  'sku,title,brand,category,price,currency,availability,condition,color,size,gtin,description,link,image',
  'AB-1042,Filter 2001,Kelo,Parts > Filters,12.50,EUR,in stock,new,white,,4006381333931,A filter for pumps,https://s.test/1,https://s.test/1.jpg',
  'AB-1043,Filter 2000,Kelo,Parts > Filters,11.00,EUR,out of stock,new,black,,,Another filter for pumps,https://s.test/2,https://s.test/2.jpg',
  'PL-1,Huśtawka ogrodowa,Orle,Garden,199.00,EUR,in stock,new,green,,,Solidna huśtawka do ogrodu,https://s.test/3,https://s.test/3.jpg',
  'PL-2,Łódka,Orle,Garden,999.00,EUR,in stock,used,blue,,,Mała łódka,https://s.test/4,https://s.test/4.jpg',
  'FR-1,Cafe\u0301 noir,Brûlerie,Coffee,8.00,EUR,in stock,new,,,,Un café pour le matin,https://s.test/5,https://s.test/5.jpg',
  'JP-1,電動自転車 26インチ,Kaze,自転車,1200.00,EUR,in stock,new,red,26,,通勤に,https://s.test/6,https://s.test/6.jpg',
  'EN-1,Running shoes,Fleet,Shoes > Sport,80.00,EUR,in stock,new,red,42,,Light shoes for the road,https://s.test/7,https://s.test/7.jpg',
  'EN-2,"Laptop 13"" silver",Nova,Computers,900.00,EUR,in stock,new,silver,13in,,A light laptop,https://s.test/8,https://s.test/8.jpg',
  '',
].join('\n')

beforeAll(async () => {
  assay = await startAssay()
  catalog = await assay.newCatalog('Shop')
  await assay.ingest(catalog, file)
  await assay.publish(catalog)
  brand = (await assay.call('GET', '/api/workspace/ws_test/brands')).body.brands[0].id
  key = await makeKey(assay, brand)
})
afterAll(() => assay.close())

const search = (query: Record<string, string>): Promise<Answer> =>
  assay.call('GET', `/api/v1/search?${new URLSearchParams(query)}`, undefined, { 'x-api-key': key, authorization: '' })
const skus = async (query: Record<string, string>) => {
  const { status, text, body } = await search(query)
  if (status !== 200) throw new Error(text)
  return body.products.map(({ sku }: { sku: string }) => sku)
}

describe('KF-30: codes and numbers are found only as they are', () => {
  test.each([
    ['2001', ['AB-1042']],
    ['AB-1042', ['AB-1042']],
    ['ab1042', ['AB-1042']],
    ['4006381333931', ['AB-1042']],
    ['AB-1049', []],
  ])('%s', async (q, found) => expect(await skus({ q })).toEqual(found))

  test('a mistyped word finds both filters, and says what it was taken for', async () => {
    const { body } = await search({ q: 'fliter' })
    expect(body.products.map(({ sku }: { sku: string }) => sku).sort()).toEqual(['AB-1042', 'AB-1043'])
    expect(body).toMatchObject({ corrected_to: 'filter', total: 2, total_is_estimate: false, relaxed: null })
  })
})

describe('KF-31: accents, strokes and scripts without spaces', () => {
  test.each([
    ['hustawka', 'PL-1'],
    ['huśtawki', 'PL-1'],
    ['lodka', 'PL-2'],
    ['cafe', 'FR-1'],
    ['café', 'FR-1'],
    ['自転車', 'JP-1'],
    ['shoe', 'EN-1'],
    ['13in laptop', 'EN-2'],
    ['13 inch laptop', 'EN-2'],
    ['laptop 13"', 'EN-2'],
  ])('%s', async (q, sku) => expect((await skus({ q }))[0]).toBe(sku))
})

describe('what is asked for', () => {
  const found = async (query: Record<string, string>) => (await skus(query)).sort()

  test('filters, each by what the product says', async () => {
    expect(await found({ category: 'Filters' })).toEqual(['AB-1042', 'AB-1043'])
    expect(await found({ category: 'parts > filters' })).toEqual(['AB-1042', 'AB-1043'])
    expect(await found({ brand: 'brulerie' })).toEqual(['FR-1'])
    expect(await found({ price_min: '90000', price_max: '99900' })).toEqual(['EN-2', 'PL-2'])
    expect(await found({ q: 'filter', availability: 'in_stock' })).toEqual(['AB-1042'])
    expect(await found({ condition: 'used' })).toEqual(['PL-2'])
    expect(await found({ attributes: 'Color:RED' })).toEqual(['EN-1', 'JP-1'])
    expect(await found({ attributes: 'color:red', category: 'Sport' })).toEqual(['EN-1'])
    expect(await found({ currency: 'usd' })).toEqual([])
    const ready = (await search({ feed_ready: '1' })).body.total
    const not = (await search({ feed_ready: '0' })).body.total
    expect(ready + not).toBe(8)
  })

  test('facets count what is found', async () => {
    const { body } = await search({ facets: 'brand,category,price,availability,attributes.color', q: 'filter' })
    expect(body.facets).toEqual({
      brand: [{ value: 'Kelo', count: 2 }],
      category: [
        { value: ['Parts', 'Filters'], count: 2 },
        { value: ['Parts'], count: 2 },
      ],
      price: [{ currency: 'EUR', min: 1_100, max: 1_250, count: 2 }],
      availability: [
        { value: 'in_stock', count: 1 },
        { value: 'out_of_stock', count: 1 },
      ],
      attributes: {
        color: [
          { value: 'black', count: 1 },
          { value: 'white', count: 1 },
        ],
      },
      counted_over: 2,
    })
  })

  test('orders', async () => {
    expect((await skus({ sort: 'price_asc' })).slice(0, 3)).toEqual(['FR-1', 'AB-1043', 'AB-1042'])
    expect((await skus({ sort: 'price_desc' })).slice(0, 2)).toEqual(['JP-1', 'PL-2'])
  })

  test('fields, highlights and pages', async () => {
    const { body } = await search({ q: 'huśtawka', fields: 'id,title', limit: '1' })
    expect(Object.keys(body.products[0]).sort()).toEqual(['highlights', 'id', 'title'])
    expect(body.products[0].highlights.title).toBe('<mark>Huśtawka</mark> ogrodowa')
    const first = (await search({ limit: '3', sort: 'price_asc' })).body
    const second = (await search({ limit: '3', sort: 'price_asc', after: first.next })).body
    const ids = [...first.products, ...second.products].map(({ id }: { id: string }) => id)
    expect(new Set(ids).size).toBe(6)
    expect((await search({ limit: '3', after: first.next })).body.error.code).toBe('SEARCH_001')
  })

  test('where nothing has all words, what has most of them is found and it says so', async () => {
    const { body } = await search({ q: 'running shoes for elephants' })
    expect(body.products[0].sku).toBe('EN-1')
    expect(body.relaxed).toEqual({ at_least: 2, of: 3 })
  })
})

describe('what is refused', () => {
  test.each([
    [{ q: 'x'.repeat(513) }, 400, 'SEARCH_002'],
    [{ q: 'x'.repeat(12_000) }, 400, 'SEARCH_002'],
    [{ price_min: 'cheap' }, 400, 'SEARCH_001'],
    [{ sort: 'best' }, 400, 'SEARCH_001'],
    [{ facets: 'color' }, 400, 'SEARCH_001'],
    [{ attributes: 'color' }, 400, 'SEARCH_001'],
    [{ attributes: '-:red' }, 400, 'SEARCH_001'],
    [{ facets: 'attributes.-' }, 400, 'SEARCH_001'],
    [{ after: 'nonsense' }, 400, 'SEARCH_001'],
    [{ catalog_id: '00000000-0000-4000-8000-000000000001' }, 404, 'DATA_002'],
  ])('%j', async (query, status, code) => {
    const answer = await search(query)
    expect([answer.status, answer.body.error.code]).toEqual([status, code])
  })

  test('512 letters outside the basic plane are 512 characters', async () => {
    expect((await search({ q: '𠮷'.repeat(512) })).status).toBe(200)
  })

  test('whatever is typed, it is answered', async () => {
    const typed = fc.string({ unit: 'binary', maxLength: 40 })
    await fc.assert(
      fc.asyncProperty(typed, fc.boolean(), async (q, asId) => {
        const path = asId
          ? `/api/search?brand_id=${brand}&q=${encodeURIComponent(q)}`
          : `/api/v1/search?q=${encodeURIComponent(q)}`
        expect((await assay.call('GET', path, undefined, { 'x-api-key': key, authorization: '' })).status).toBe(200)
      }),
      { numRuns: 40 },
    )
  })
})

test('400: all brands are none: neither a search nor what it is told is about them', async () => {
  for (const path of [
    '/api/v1/search?q=filter&brand_id=all',
    '/api/v1/suggest?q=fil&brand_id=all',
    '/api/workspace/ws_test/synonyms?brand_id=all',
    '/api/workspace/ws_test/search/rules?brand_id=all',
  ])
    expect([path, (await assay.call('GET', path)).status]).toEqual([path, 400])
})

test('signs and marks alone begin no word, and find nothing', async () => {
  for (const q of ['!', '\u0301', '"', '%', '’’', '—', '\u200b'])
    expect((await assay.call('GET', `/api/v1/suggest?q=${encodeURIComponent(q)}`)).body).toEqual({
      suggestions: [],
      products: [],
    })
  for (const q of ['!', '—', '…', '+ &']) expect((await search({ q })).body.total).toBe(0)
  for (const q of ['', '  ', '\t']) expect((await search({ q })).body.total).toBe(8)
})

describe('KF-32 and tenants: who sees what', () => {
  test('without a key, what a brand has published, and nothing that is its own affair', async () => {
    const { status, body } = await assay.call('GET', `/api/search?brand_id=${brand}&q=lodka`, undefined, {
      authorization: '',
    })
    expect([status, body.products[0].sku]).toEqual([200, 'PL-2'])
    expect(body.products[0]).not.toHaveProperty('optimizationScore')
    const unknown = await assay.call('GET', '/api/search?brand_id=00000000-0000-4000-8000-000000000001', undefined, {
      authorization: '',
    })
    expect([unknown.status, unknown.body.error.code]).toEqual([404, 'DATA_002'])
    expect((await assay.call('GET', '/api/search?q=x', undefined, { authorization: '' })).body.error.code).toBe(
      'SEARCH_001',
    )
  })

  test('another brand and another workspace meet nothing of it, by whatever parameter', async () => {
    await ensureWorkspace(assay.system.catalog.pipeline, 'ws_other', 'Other')
    const strangers = [
      await assay.token('owner', { workspace: 'ws_other' }),
      await assay.token('owner', {
        brand: (await assay.call('POST', '/api/workspace/ws_test/brands', { name: 'Second' })).body.brand.id,
      }),
    ]
    const product = (await search({ q: 'AB-1042' })).body.products[0].id
    for (const token of strangers) {
      const ask = (path: string) => assay.call('GET', path, undefined, { authorization: `Bearer ${token}` })
      expect((await ask('/api/v1/search?q=filter')).body.total).toBe(0)
      expect((await ask('/api/v1/suggest?q=filt')).body).toEqual({ suggestions: [], products: [] })
      expect((await ask(`/api/v1/search?catalog_id=${catalog}`)).body.error.code).toBe('DATA_002')
      expect((await ask(`/api/v1/search?brand_id=${brand}`)).status).toBe(403)
      expect((await ask(`/api/v1/suggest?q=filt&catalog_id=${catalog}`)).body.error.code).toBe('DATA_002')
      expect((await ask(`/api/v1/products/${product}`)).body.error.code).toBe('DATA_001')
    }
  })

  test('a change is found when the publish returns, what is removed is found no more, and a deleted catalog not at all', async ({
    task,
  }) => {
    // A try that failed has left what it published.
    const words = [
      ['zeppelin', 'airship', 'Z'],
      ['gondola', 'monoplane', 'Q'],
    ] as const
    const [before, after, code] = words[task.result?.retryCount ? 1 : 0]
    const [one, two] = [`${code}-1`, `${code}-2`]
    const other = await assay.newCatalog('Passing')
    const rows = [`${one},${before} balloon`, `${two},${before} model`].map((row) => `${row},5,EUR\n`)
    await assay.ingest(other, `sku,title,price,currency\n${rows.join('')}`)
    await assay.publish(other)
    expect((await skus({ q: before })).sort()).toEqual([one, two])
    const of = (await assay.products(other, { sku: one }))[0]?.id ?? ''
    const base = `/api/workspace/ws_test/catalog/products/${of}`
    await assay.call('PATCH', base, { title: after })
    expect((await search({ q: after })).body.total).toBe(0)
    await assay.publish(other)
    expect(await skus({ q: after })).toEqual([one])
    expect(await skus({ q: before })).toEqual([two])
    await assay.call('DELETE', base)
    await assay.publish(other)
    for (const q of [after, one, of]) expect((await search({ q })).body.total, q).toBe(0)
    const key = { 'x-api-key': await makeKey(assay, brand), authorization: '' }
    const suggest = `/api/v1/suggest?q=${after.slice(0, 4)}`
    expect((await assay.call('GET', suggest, undefined, key)).body.suggestions).toEqual([])
    expect((await assay.call('GET', `/api/v1/products/${of}`, undefined, key)).body.error.code).toBe('DATA_001')
    const gone = await assay.call('DELETE', `/api/workspace/ws_test/catalogs/${other}`)
    expect(gone.status).toBeLessThan(300)
    expect((await search({ q: before })).body.total).toBe(0)
  })
})

test('a product whose words tell no language is in that of its catalog, however often it is published by itself', async () => {
  const polish = await assay.newCatalog('Polskie')
  const others = ['Stół i krzesło do ogrodu', 'Łóżko, które jest małe', 'Żółta świeca na stół', 'Półka nad łóżkiem']
  const lines = others.map((title, i) => `OG-${i},${title},5,PLN`)
  await assay.ingest(polish, `sku,title,price,currency\n${lines.join('\n')}\nOG-9,Lampa,6,PLN\n`)
  await assay.publish(polish)
  const found = () => skus({ q: 'lampami', catalog_id: polish })
  expect(await found()).toEqual(['OG-9'])
  const [lamp] = await assay.products(polish, { sku: 'OG-9' })
  await assay.call('PATCH', `/api/workspace/ws_test/catalog/products/${lamp?.id}`, { price: 7 })
  await assay.publish(polish)
  expect(await found()).toEqual(['OG-9'])
})

describe('suggestions and synonyms', () => {
  const synonyms = '/api/workspace/ws_test/synonyms'

  test('a word goes on as products have it, with its accents', async () => {
    const key = { 'x-api-key': await makeKey(assay, brand), authorization: '' }
    const { body } = await assay.call('GET', '/api/v1/suggest?q=hust', undefined, key)
    expect(body.suggestions[0]).toEqual({ text: 'huśtawka', total: 1 })
    expect(body.products[0].title).toBe('Huśtawka ogrodowa')
    const second = await assay.call('GET', '/api/v1/suggest?q=running%20sh', undefined, key)
    expect(second.body.suggestions[0]).toEqual({ text: 'running shoes', total: 1 })
  })

  test('words that nothing has any more crowd out none that a product has', async () => {
    const other = await assay.newCatalog('Seasons')
    const gone = [...'abcdefghijklmn'].map((letter) => `quokka${letter}`)
    await assay.ingest(other, `sku,title,price,currency\nS-1,${gone.join(' ')},5,EUR\n`)
    await assay.publish(other)
    const [product] = await assay.products(other, { sku: 'S-1' })
    await assay.call('PATCH', `/api/workspace/ws_test/catalog/products/${product?.id}`, { title: 'quokkaz' })
    await assay.publish(other)
    const { body } = await assay.call('GET', `/api/v1/suggest?q=quokk&catalog_id=${other}`)
    expect(body.suggestions).toEqual([{ text: 'quokkaz', total: 1 }])
    await assay.call('DELETE', `/api/workspace/ws_test/catalogs/${other}`)
  })

  test('words that mean the same find the same, also when they are mistyped; one way is one way', async () => {
    expect((await search({ q: 'notebook' })).body.total).toBe(0)
    const preview = await assay.call('POST', `${synonyms}/preview`, { synonyms: [{ words: ['laptop', 'notebook'] }] })
    expect(preview.body.queries).toEqual([expect.objectContaining({ q: 'notebook', before: 0, after: 1 })])
    const made = await assay.call('POST', synonyms, {
      synonyms: [
        { words: ['laptop', 'notebook'] },
        { term: 'swing', words: ['huśtawka'] },
        { words: ['jogging trainers', 'running shoes'] },
      ],
    })
    expect(made.status).toBe(201)
    expect(await skus({ q: 'notebook' })).toEqual(['EN-2'])
    expect(await skus({ q: 'silver notebook' })).toEqual(['EN-2'])
    expect(await skus({ q: 'swing' })).toEqual(['PL-1'])
    expect(await skus({ q: 'jogging trainers' })).toEqual(['EN-1'])
    expect((await search({ q: 'laptpo' })).body).toMatchObject({ corrected_to: 'laptop', total: 1 })
    const again = await assay.call('POST', synonyms, { synonyms: [{ words: ['notebook', 'laptop'] }] })
    expect(again.body.synonyms[0].id).toBe(made.body.synonyms[0].id)
    expect((await assay.call('GET', synonyms)).body.synonyms).toHaveLength(3)
    await assay.call('DELETE', `${synonyms}/${made.body.synonyms[1].id}`)
    expect((await search({ q: 'swing' })).body.total).toBe(0)
  })

  test('a file of them is written, its faults told, and a dry run writes nothing', async () => {
    const file = 'term,words,locale\n,boat|łódka,\nbike,自転車,ja\n,alone,\n"a, b",c,x\n"open,c,\n'
    const send = (query: string) => assay.call('POST', `${synonyms}/file${query}`, file, { 'content-type': 'text/csv' })
    const dry = await send('?dry_run=1')
    expect(dry.body).toMatchObject({ read: 5, written: 2 })
    expect(dry.body.faults.map(({ line }: { line: number }) => line)).toEqual([4, 5, 6])
    expect((await search({ q: 'boat' })).body.total).toBe(0)
    expect((await send('')).body.written).toBe(2)
    expect(await skus({ q: 'boat' })).toEqual(['PL-2'])
    expect((await skus({ q: 'bike', locale: 'ja' }))[0]).toBe('JP-1')
    expect((await search({ q: 'bike', locale: 'en' })).body.total).toBe(0)
    const latin1 = Buffer.from('term,words,locale\n,Straße|Weg,\n', 'latin1')
    const refused = await assay.call('POST', `${synonyms}/file`, latin1, { 'content-type': 'text/csv' })
    expect([refused.status, refused.body.error]).toEqual([400, 'INVALID_REQUEST'])
  })
})

test('each search is an event of an agent, and one that finds nothing is one of its own', async () => {
  await search({ q: 'łódka', condition: 'used' })
  await search({ q: 'nothingatallhere' })
  const told = new Map<string, AgentEvent>()
  for (let left = 200; left > 0 && told.size < 2; left--) {
    await sleep(20)
    for (let partition = 0; partition < assay.system.log.partitions; partition++)
      for (const { value } of await assay.system.log.read('events.agent', partition, 0, 1_000)) {
        const event: AgentEvent = JSON.parse(String(value))
        const query = event.metadata?.query
        if (query === 'łódka' || query === 'nothingatallhere') told.set(query, event)
      }
  }
  expect(told.get('nothingatallhere')).toMatchObject({ type: 'search_zero_hit', brand, metadata: { results: '0' } })
  const found = told.get('łódka')
  expect(found).toMatchObject({
    type: 'search',
    brand,
    metadata: { results: '1', filter_condition: 'used', channel: 'search' },
  })
  expect(found?.products).toHaveLength(1)
})
