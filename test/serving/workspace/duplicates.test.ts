import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Running } from '../../running.ts'
import { sharedAssay, workspace } from '../../shared-assay.ts'

let assay: Running
beforeAll(async () => {
  assay = await sharedAssay()
})
afterAll(() => assay.close())

const base = `/api/workspace/${workspace}`
const nowhere = '00000000-0000-8000-8000-000000000001'
const head = 'sku,title,brand,price,currency,gtin,mpn,link'
const file = [
  head,
  'G-1,Enamel teapot,Lumo,39.00,EUR,012345678905,,',
  'G-2,Emaille-Kanne,Lumo,41.00,EUR,0012345678905,,',
  'G-3,Teapot of enamel,Lumo,39.50,EUR,00012345678905,,',
  'P-1,Heat pump dryer,Miele,899.00,EUR,,TEA-225 WP,',
  'P-2,Wärmepumpentrockner,Miele,879.00,EUR,,TEA225WP,',
  'U-1,Hydro bottle 21 oz,Hydro,39.95,EUR,,,https://shop.example/p/hydro?utm_source=a',
  'U-2,Hydro standard bottle 21 oz,Hydro,39.95,EUR,,,https://shop.example/p/hydro',
  'T-1,Cordless Drill GSR 12V-15 blue,Bosch,89.00,EUR,,,',
  'T-2,"Bosch blau, GSR 12V-15 Cordlss Drill",Bosch,89.90,EUR,,,',
  'T-3,Cordless Drill GSR 12V-15 red,Bosch,89.00,EUR,,,',
  'O-1,Linen bedding,Tavola,119.00,EUR,,,',
  '',
].join('\n')

interface Group {
  readonly id: string
  readonly confidence: number
  readonly reasons: string[]
  readonly members: { productId: string; sku: string; reasons: string[]; confidence: number }[]
}

const path = (catalog: string, rest = '') => `${base}/catalogs/${catalog}/duplicates${rest}`

async function look(catalog: string) {
  const { status, body } = await assay.call('POST', path(catalog))
  expect(status).toBe(202)
  const job = await assay.job(body.job.id)
  expect(job).toMatchObject({ status: 'completed', error: null })
  return job.result as unknown as Record<string, number>
}

async function groupsOf(catalog: string, query = ''): Promise<Group[]> {
  const { status, body, text } = await assay.call('GET', `${path(catalog)}?limit=200${query}`)
  expect(status, text).toBe(200)
  return body.duplicates
}

const skus = (groups: readonly Group[]) => groups.map(({ members }) => members.map(({ sku }) => sku).sort()).sort()

async function shop(content = file): Promise<string> {
  const catalog = await assay.newCatalog()
  await assay.ingest(catalog, content)
  return catalog
}

const twins = [
  ['G-1', 'G-2', 'G-3'],
  ['P-1', 'P-2'],
  ['T-1', 'T-2'],
  ['U-1', 'U-2'],
]

describe('GET …/catalogs/{catalogId}/duplicates', () => {
  test('200: groups with their reasons, the surest first, page by page; a title with another color is in none', async () => {
    const catalog = await shop()
    expect(await look(catalog)).toEqual({ products: 11, groups: 4, members: 9, skipped: 0 })
    const groups = await groupsOf(catalog)
    expect(skus(groups)).toEqual(twins)
    const confidences = groups.map(({ confidence }) => confidence)
    expect(confidences).toEqual(confidences.toSorted((a, b) => b - a))
    const reasons = groups.map((group) => [group.members[0]?.sku.slice(0, 1), group.reasons[0]])
    expect(Object.fromEntries(reasons)).toEqual({ G: 'gtin', P: 'mpn_brand', T: 'title', U: 'url' })
    const paged: Group[] = []
    for (let next: string | null = ''; next !== null; ) {
      const { body } = await assay.call('GET', `${path(catalog)}?limit=1${next ? `&after=${next}` : ''}`)
      paged.push(...body.duplicates)
      next = body.next
    }
    expect(paged).toEqual(groups)
    expect(skus(await groupsOf(catalog, '&reason=url'))).toEqual([['U-1', 'U-2']])
    expect(skus(await groupsOf(catalog, '&reason=gtin'))).toEqual([['G-1', 'G-2', 'G-3']])
  })

  test('200: three lengths of one barcode are one key, and placeholders and numbers of a shop are none (KF-09, KF-10)', async () => {
    const names = ['Vase', 'Lamp', 'Chair', 'Plate']
    const numbers = ['0000000000000', '2012345000000', '012000000010', '9520000000012']
    const rows = numbers.flatMap((gtin, i) => [
      `A-${i},${names[i]} of Lumo,Lumo,${10 + i},EUR,${gtin},,`,
      `B-${i},Thing ${i} by Tavola,Tavola,${50 + i},EUR,${gtin},,`,
    ])
    const catalog = await shop([head, ...rows, ''].join('\n'))
    await look(catalog)
    expect(skus(await groupsOf(catalog))).toEqual([['A-2', 'B-2']])
  })

  test('200: variants of one family are no duplicates of each other, nor of their parent', async () => {
    const rows = [
      'Handle,Title,Vendor,Option1 Name,Option1 Value,Variant SKU,Variant Price,Variant Barcode',
      'tee,Tee of cotton,Lumo,Finish,Plain,TEE-1,20.00,4006381333931',
      'tee,,,,Waxed,TEE-2,20.00,4006381333931',
      'cup,Tee of cotton,Lumo,Finish,Plain,CUP-1,20.00,4006381333931',
      'cup,,,,Waxed,CUP-2,20.00,',
      '',
    ]
    const catalog = await shop(rows.join('\n'))
    await look(catalog)
    const products = await assay.products(catalog)
    const family = new Map(products.map(({ id, familyId }) => [id, familyId]))
    const groups = await groupsOf(catalog)
    expect(groups.length).toBeGreaterThan(0)
    for (const { members } of groups)
      expect(new Set(members.map(({ productId }) => family.get(productId))).size).toBe(members.length)
    const kinds = new Map(products.map(({ id, kind }) => [id, kind === 'parent']))
    for (const { members } of groups) expect(new Set(members.map(({ productId }) => kinds.get(productId))).size).toBe(1)
  })

  test('404: an unknown catalog', async () => {
    expect((await assay.call('GET', path(nowhere))).status).toBe(404)
  })
})

describe('what follows by itself', () => {
  test('an import is looked through once it has ended, and what is edited or goes leaves its group', async () => {
    const catalog = await shop()
    await expect.poll(async () => skus(await groupsOf(catalog)), { timeout: 20_000 }).toEqual(twins)
    const before = await groupsOf(catalog, '&reason=gtin')
    const [first] = await assay.products(catalog, { sku: 'G-3' })
    expect(first?.duplicateGroup).toBe(before[0]?.id)
    const grouped = await assay.products(catalog, { duplicate: 'true' })
    expect(grouped.map(({ sku }) => sku).sort()).toEqual(twins.flat())
    expect((await assay.products(catalog, { duplicate: 'false' })).map(({ sku }) => sku).sort()).toEqual(['O-1', 'T-3'])
    await assay.call('PATCH', `${base}/catalog/products/${first?.id}`, { gtin: null, title: 'Sofa' })
    const [second] = await assay.products(catalog, { sku: 'P-1' })
    await assay.call('DELETE', `${base}/catalog/products/${second?.id}`)
    await expect
      .poll(async () => skus(await groupsOf(catalog)), { timeout: 20_000 })
      .toEqual([
        ['G-1', 'G-2'],
        ['T-1', 'T-2'],
        ['U-1', 'U-2'],
      ])
    expect((await assay.products(catalog, { sku: 'G-3' }))[0]?.duplicateGroup).toBeNull()
  })

  test('a second import of the same file changes no group, and another catalog with the same products has none of them', async () => {
    const catalog = await shop()
    await look(catalog)
    const before = await groupsOf(catalog)
    await assay.ingest(catalog, file)
    await look(catalog)
    expect(await groupsOf(catalog)).toEqual(before)
    const other = await shop()
    await look(other)
    expect(skus(await groupsOf(other))).toEqual(twins)
    const ids = new Set(before.flatMap(({ members }) => members.map(({ productId }) => productId)))
    for (const { members } of await groupsOf(other))
      for (const { productId } of members) expect(ids.has(productId)).toBe(false)
  })
})

describe('POST …/duplicates/{groupId}/dismiss', () => {
  test('200: what a person told apart is in no group again, whatever is found later; said twice it is said once', async () => {
    const catalog = await shop()
    await look(catalog)
    const [group] = await groupsOf(catalog, '&reason=mpn_brand')
    const { body } = await assay.call('GET', path(catalog, `/${group?.id}`))
    expect(body.group).toEqual(group)
    for (let i = 0; i < 2; i++) {
      const answer = await assay.call('POST', path(catalog, `/${group?.id}/dismiss`))
      expect(answer.body).toEqual({ group: { id: group?.id, dismissed: true } })
    }
    expect((await assay.call('GET', path(catalog, `/${group?.id}`))).status).toBe(404)
    // A third that is like both joins one of them alone.
    await assay.ingest(catalog, `${head}\nP-3,Miele dryer,Miele,890.00,EUR,,TEA 225-WP,\n`, { source: 'more' })
    await look(catalog)
    const [again] = await groupsOf(catalog, '&reason=mpn_brand')
    const named = again?.members.map(({ sku }) => sku) ?? []
    expect(named).toHaveLength(2)
    expect(named).toContain('P-3')
  })

  test('404: a group that is not there', async () => {
    const catalog = await shop()
    expect((await assay.call('POST', path(catalog, `/${nowhere}/dismiss`))).status).toBe(404)
  })

  test('409: a catalog is looked through once at a time', async () => {
    const catalog = await shop()
    const answers = await Promise.all([1, 2, 3].map(() => assay.call('POST', path(catalog))))
    const started = answers.filter(({ status }) => status === 202)
    expect(started.length).toBeGreaterThan(0)
    for (const { status, body } of answers)
      if (status !== 202) expect([status, body.error]).toEqual([409, 'JOB_ALREADY_RUNNING'])
    for (const { body } of started) await assay.job(body.job.id)
  })
})
