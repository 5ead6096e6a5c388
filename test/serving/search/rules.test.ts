import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { brandNamed } from '../../../infra/catalog/brands.ts'
import { ensureWorkspace } from '../../../infra/catalog/tenants.ts'
import { hiddenNow } from '../../../serving/search/hidden-now.ts'
import { type Answer, type Running, startAssay, workspace } from '../../running.ts'
import { makeKey } from './make-key.ts'

let assay: Running
let catalog: string
let brand: string
let key: string
/** By SKU. */
let ids: Record<string, string>
const base = `/api/workspace/${workspace}/search/rules`

const file = [
  'sku,title,brand,category,price,currency,availability,color',
  'M-1,Mug one,Lumo,Kitchen > Mugs,5.00,EUR,in stock,red',
  'M-2,Mug two,Lumo,Kitchen > Mugs,4.00,EUR,in stock,blue',
  'M-3,Mug three,Kelo,Kitchen > Mugs,3.00,EUR,in stock,red',
  'M-4,Mug four,Kelo,Kitchen > Mugs,2.00,EUR,in stock,blue',
  'P-1,Plate,Kelo,Kitchen > Plates,9.00,EUR,in stock,white',
  'L-1,Lamp,Orle,Light,20.00,EUR,in stock,white',
  '',
].join('\n')

beforeAll(async () => {
  assay = await startAssay()
  catalog = await assay.newCatalog('Shop')
  await assay.ingest(catalog, file)
  await assay.publish(catalog)
  brand = (await assay.call('GET', `/api/workspace/${workspace}/brands`)).body.brands[0].id
  key = await makeKey(assay, brand)
  const { products } = (await search({})).body
  ids = Object.fromEntries(products.map(({ sku, id }: { sku: string; id: string }) => [sku, id]))
})
afterAll(() => assay.close())

const search = (query: Record<string, string>): Promise<Answer> =>
  assay.call('GET', `/api/v1/search?${new URLSearchParams(query)}`, undefined, { 'x-api-key': key, authorization: '' })
const skus = async (query: Record<string, string>): Promise<string[]> =>
  (await search(query)).body.products.map(({ sku }: { sku: string }) => sku)
const id = (sku: string) => ids[sku] ?? ''

/** A rule that is there while something is looked at. */
async function under<T>(rule: object, look: (id: string) => Promise<T>): Promise<T> {
  const made = await assay.call('POST', base, rule)
  if (made.status !== 201) throw new Error(made.text)
  try {
    return await look(made.body.rule.id)
  } finally {
    await assay.call('DELETE', `${base}/${made.body.rule.id}`)
  }
}

describe('what a rule does', () => {
  test('pins stand at their places, whether or not they have the words, and are counted once', async () => {
    const plain = await skus({ q: 'mug' })
    expect([...plain].sort()).toEqual(['M-1', 'M-2', 'M-3', 'M-4'])
    const last = plain.at(-1) ?? ''
    const pins = [
      { product: id(last), position: 1 },
      { product: id('P-1'), position: 3 },
    ]
    await under({ when: { queries: ['MÜG'] }, pins }, async (rule) => {
      const { body } = await search({ q: 'mug', facets: 'category' })
      const found = body.products.map(({ sku }: { sku: string }) => sku)
      expect(found).toEqual([last, plain[0], 'P-1', plain[1], plain[2]])
      expect([body.total, body.rules]).toEqual([5, [rule]])
      expect(body.facets.category).toContainEqual({ value: ['Kitchen', 'Plates'], count: 1 })
      // A filter is the caller's, and a pin does not pass it by.
      expect(await skus({ q: 'mug', category: 'Mugs' })).not.toContain('P-1')
      // An order of one's own is no place for pins.
      expect(await skus({ q: 'mug', sort: 'price_asc' })).toEqual(['M-4', 'M-3', 'M-2', 'M-1'])
      expect((await search({ q: 'mug', sort: 'price_asc' })).body.rules).toEqual([])
      expect(await skus({ q: 'red mug' })).not.toContain('P-1')
    })
    expect(await skus({ q: 'mug' })).toEqual(plain)
  })

  test('pages of one are the page of all', async () => {
    const pins = [
      { product: id('L-1'), position: 2 },
      { product: id('P-1'), position: 40 },
    ]
    await under({ when: { queries: ['mug'], match: 'contains' }, pins }, async () => {
      const whole = await skus({ q: 'mug' })
      const met: string[] = []
      for (let after: string | null = ''; after !== null; ) {
        const { body }: Answer = await search({ q: 'mug', limit: '1', ...(after && { after }) })
        met.push(...body.products.map(({ sku }: { sku: string }) => sku))
        after = body.next
      }
      expect(met).toEqual(whole)
      expect([whole[1], whole.at(-1)]).toEqual(['L-1', 'P-1'])
    })
  })

  test('what is hidden is found nowhere: not by its SKU, not in totals, facets, suggestions and other orders, not where it is pinned', async () => {
    const hide = [{ brands: ['lumo'] }, { products: [id('M-3')], attributes: ['color:red'] }]
    const pins = [{ product: id('M-1'), position: 1 }]
    await under({ hide, pins }, async (rule) => {
      const { body } = await search({ q: 'mug', facets: 'brand' })
      expect(body).toMatchObject({ total: 1, facets: { brand: [{ value: 'Kelo', count: 1 }] }, rules: [rule] })
      expect(await skus({ q: 'M-1' })).toEqual([])
      expect((await skus({ sort: 'price_asc' })).sort()).toEqual(['L-1', 'M-4', 'P-1'])
      const asKey = { 'x-api-key': key, authorization: '' }
      const { body: suggested } = await assay.call('GET', '/api/v1/suggest?q=mu', undefined, asKey)
      expect(suggested.suggestions).toEqual([
        { text: 'mug', total: 1 },
        { text: 'mugs', total: 1 },
      ])
      expect(suggested.products.map(({ id }: { id: string }) => id)).toEqual([id('M-4')])
      const anyone = await assay.call('GET', `/api/search?brand_id=${brand}&q=mug`, undefined, { authorization: '' })
      expect(anyone.body.total).toBe(1)
      expect(anyone.body).not.toHaveProperty('rules')
      // It is still what it is for who has its id.
      expect((await assay.call('GET', `/api/v1/products/${id('M-1')}`, undefined, asKey)).status).toBe(200)
    })
  })

  test('steps bring sooner and later', async () => {
    await under({ boosts: [{ attributes: ['color:blue'], steps: 10 }] }, async () => {
      expect((await skus({ q: 'mug' })).slice(0, 2).sort()).toEqual(['M-2', 'M-4'])
    })
    await under({ boosts: [{ categories: ['Kitchen > Mugs'], steps: -10 }] }, async () => {
      expect((await skus({})).slice(0, 2).sort()).toEqual(['L-1', 'P-1'])
    })
  })

  test('it holds for what a mistyped word was taken for, for its catalog, its language and its time, while it is enabled', async () => {
    const pins = [{ product: id('P-1'), position: 1 }]
    const pinned = async (query: Record<string, string>) => (await skus(query))[0] === 'P-1'
    const other = await assay.newCatalog('Other')
    await assay.publish(other)
    await under({ when: { queries: ['three'] }, pins }, async () => {
      expect(await pinned({ q: 'threee' })).toBe(true)
      expect(await pinned({ q: 'three', catalog_id: catalog })).toBe(true)
    })
    const when = { queries: ['mug'] }
    await under({ when, pins, catalog_id: other }, async () => expect(await pinned({ q: 'mug' })).toBe(false))
    await under({ when, pins, catalog_id: catalog }, async () => {
      expect(await pinned({ q: 'mug' })).toBe(true)
      expect((await search({ q: 'mug', catalog_id: other })).body.total).toBe(0)
    })
    await under({ when, pins, locale: 'de' }, async () => {
      expect(await pinned({ q: 'mug', locale: 'de' })).toBe(true)
      expect(await pinned({ q: 'mug', locale: 'en' })).toBe(false)
    })
    const day = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10)
    for (const [time, holds] of [
      [{ starts_at: day(0), ends_at: day(0) }, true],
      [{ starts_at: day(1) }, false],
      [{ ends_at: day(-1) }, false],
      [{ enabled: false }, false],
    ] as const)
      await under({ when, pins, ...time }, async () =>
        expect([time, await pinned({ q: 'mug' })]).toEqual([time, holds]),
      )
  })

  test('of two that want one place the one of higher priority has it, and the other comes next', async () => {
    const pin = (sku: string) => ({ when: { queries: ['lamp'] }, pins: [{ product: id(sku), position: 1 }] })
    await under({ ...pin('M-1'), priority: 1 }, () =>
      under({ ...pin('M-2'), priority: 2 }, async () => {
        expect(await skus({ q: 'lamp' })).toEqual(['M-2', 'M-1', 'L-1'])
      }),
    )
  })

  test('what is shown without a query can ask what is hidden now', async () => {
    await under({ when: { categories: ['Kitchen'] }, hide: [{ brands: ['Kelo'] }] }, async () => {
      const seen = async (category: string[] | null) => {
        const isHidden = await assay.system.catalog.withTenant({ workspaceId: workspace, brandIds: '*' }, (tx) =>
          hiddenNow(tx, { brand, catalog, category, at: new Date() }),
        )
        const { products } = (await search({})).body
        return products
          .filter((one: { id: string; catalogId: string }) =>
            isHidden({ id: one.id, catalog: one.catalogId, product: one as never }),
          )
          .map(({ sku }: { sku: string }) => sku)
          .sort()
      }
      expect(await seen(['Kitchen', 'Plates'])).toEqual(['M-3', 'M-4', 'P-1'])
      expect(await seen(null)).toEqual([])
    })
  })
})

describe('rules as they are kept', () => {
  const pins = () => [{ product: id('M-1'), position: 1 }]

  test('one is written under an id of its own, written over, listed, read, told in the audit log, and deleted', async () => {
    const own = '11111111-2222-4333-8444-555555555555'
    const unknown = '00000000-0000-4000-8000-00000000abcd'
    const body = { name: 'First', pins: [...pins(), { product: unknown, position: 2 }], ends_at: '2030-12-24' }
    const made = await assay.call('POST', base, { id: own, ...body })
    expect([made.status, made.body.unknownProducts]).toEqual([201, [unknown]])
    expect(made.body.rule).toMatchObject({ id: own, name: 'First', endsAt: '2030-12-25T00:00:00.000Z', enabled: true })
    const again = await assay.call('POST', base, { id: own, hide: [{ products: [id('M-1')] }] })
    expect([again.status, again.body.rule.name, again.body.rule.pins]).toEqual([200, null, []])
    expect(again.body.rule.createdAt).toBe(made.body.rule.createdAt)
    expect((await assay.call('GET', `${base}/${own}`)).body.rule).toEqual(again.body.rule)
    await assay.call('POST', base, { pins: pins(), when: { queries: ['x'] } })
    const first = (await assay.call('GET', `${base}?limit=1`)).body
    const rest = (await assay.call('GET', `${base}?limit=1&after=${first.next}`)).body
    expect([first.rules.length, rest.rules.length, rest.next]).toEqual([1, 1, null])
    for (const { id } of [...first.rules, ...rest.rules])
      expect((await assay.call('DELETE', `${base}/${id}`)).status).toBe(200)
    expect((await assay.call('DELETE', `${base}/${own}`)).status).toBe(404)
    expect((await assay.call('GET', `${base}/${own}`)).status).toBe(404)
    const { entries } = (await assay.call('GET', `/api/workspace/${workspace}/audit?limit=50`)).body
    const told = entries.filter(({ target }: { target: string }) => target === own)
    expect(told.map(({ action }: { action: string }) => action).reverse()).toEqual([
      'search_rules.write',
      'search_rules.write',
      'search_rules.delete',
    ])
  })

  test.each([
    [{}, 'pins'],
    [{ when: { queries: ['!!'] }, hide: [{ brands: ['x'] }] }, 'when.queries.0'],
    [{ when: { queries: ['a b c d e'], match: 'contains' }, hide: [{ brands: ['x'] }] }, 'when.queries.0'],
    [{ when: { categories: ['A > > B'] }, hide: [{ brands: ['x'] }] }, 'when.categories.0'],
    [{ hide: [{}] }, 'hide.0'],
    [{ hide: [{ attributes: ['red'] }] }, 'hide.0.attributes.0'],
    [{ hide: [{ brand: 'x' }] }, 'hide.0.brand'],
    [{ boosts: [{ brands: ['x'], steps: 11 }] }, 'boosts.0.steps'],
    [{ hide: [{ brands: ['x'] }], starts_at: '2026-02-30' }, 'starts_at'],
    [{ hide: [{ brands: ['x'] }], starts_at: '2026-03-02', ends_at: '2026-03-01' }, 'ends_at'],
    [{ hide: [{ brands: ['x'] }], starts_at: '0001-01-01' }, 'starts_at'],
    [{ hide: [{ brands: ['x'] }], ends_at: '9999-12-31' }, 'ends_at'],
    [{ hide: [{ brands: ['x'] }], ends_at: '9999-12-31T23:59:59-12:00' }, 'ends_at'],
    [{ hide: [{ attributes: ['-:red'] }] }, 'hide.0.attributes.0'],
    [{ boosts: [{ brands: ['x'], steps: 0 }] }, 'boosts.0.steps'],
  ])('400: %j', async (body, field) => {
    const { status, body: said } = await assay.call('POST', base, body)
    expect([status, said.details.field]).toEqual([400, field])
  })

  test('two products at one place, or one at two, is refused; so is the catalog of another brand', async () => {
    const [one, two] = [id('M-1'), id('M-2')]
    const send = async (body: object) => {
      const { status, body: said } = await assay.call('POST', base, body)
      return [status, said.details.field]
    }
    const at = (product: string, position: number) => ({ product, position })
    expect(await send({ pins: [at(one, 1), at(two, 1)] })).toEqual([400, 'pins.1.position'])
    expect(await send({ pins: [at(one, 1), at(one, 2)] })).toEqual([400, 'pins.1.product'])
    const { brand: second } = (await assay.call('POST', `/api/workspace/${workspace}/brands`, { name: 'Aside' })).body
    const theirs = { pins: [at(one, 1)], catalog_id: catalog, brand_id: second.id }
    expect(await send(theirs)).toEqual([404, 'catalog_id'])
  })

  test('a preview says what comes, goes and moves, and writes nothing', async () => {
    const rule = {
      when: { queries: ['mug'] },
      pins: [{ product: id('P-1'), position: 1 }],
      hide: [{ products: [id('M-1')] }],
      enabled: false,
    }
    const { status, body } = await assay.call('POST', `${base}/preview`, { rule, queries: ['mug', 'lamp'] })
    expect(status).toBe(200)
    const plain = await skus({ q: 'mug' })
    const [mug, lamp] = body.queries
    expect(mug).toMatchObject({ q: 'mug', applies: true, before: 4, after: 4 })
    expect(mug.came).toEqual([{ id: id('P-1'), to: 1 }])
    expect(mug.went).toEqual([{ id: id('M-1'), from: plain.indexOf('M-1') + 1 }])
    expect(lamp).toEqual({ q: 'lamp', applies: false, before: 1, after: 1, came: [], went: [], moved: [] })
    expect(await skus({ q: 'mug' })).toEqual(plain)
    await under({ ...rule, enabled: true }, async (rule_id) => {
      const instead = { rule: { ...rule, pins: [] }, rule_id }
      const { queries } = (await assay.call('POST', `${base}/preview`, instead)).body
      expect(queries[0].went).toEqual([{ id: id('P-1'), from: 1 }])
    })
  })

  test('another brand and another workspace neither see, change nor feel it', async () => {
    await ensureWorkspace(assay.system.catalog.pipeline, 'ws_other', 'Other')
    const mine = await brandNamed(assay.system.catalog.pipeline, workspace, 'main')
    const strangers = [
      ['ws_other', await assay.token('owner', { workspace: 'ws_other' })],
      [
        workspace,
        await assay.token('owner', {
          brand: (await assay.call('POST', `/api/workspace/${workspace}/brands`, { name: 'Second' })).body.brand.id,
        }),
      ],
    ] as const
    await under({ when: { queries: ['mug'] }, pins: [{ product: id('P-1'), position: 1 }] }, async (rule) => {
      for (const [of, token] of strangers) {
        const path = `/api/workspace/${of}/search/rules`
        const as = { authorization: `Bearer ${token}` }
        expect((await assay.call('GET', path, undefined, as)).body.rules).toEqual([])
        expect((await assay.call('GET', `${path}/${rule}`, undefined, as)).status).toBe(404)
        expect((await assay.call('DELETE', `${path}/${rule}`, undefined, as)).status).toBe(404)
        expect((await assay.call('GET', `${path}?brand_id=${mine}`, undefined, as)).status).toBe(403)
        // Under the same id it is another rule, of another brand.
        expect((await assay.call('POST', path, { id: rule, hide: [{ brands: ['Kelo'] }] }, as)).status).toBe(201)
        const preview = { rule: { hide: [{ products: [id('M-1')] }] }, queries: ['mug'] }
        const { body } = await assay.call('POST', `${path}/preview`, preview, as)
        expect(body).toMatchObject({ queries: [{ before: 0, after: 0 }], unknownProducts: [id('M-1')] })
      }
      expect((await skus({ q: 'mug' }))[0]).toBe('P-1')
      expect((await search({ q: 'mug' })).body.total).toBe(5)
    })
  })
})
