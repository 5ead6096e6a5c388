import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { dropVersions, sweepVersions } from '../../../infra/catalog/version-retention.ts'
import type { Running } from '../../running.ts'
import { sharedAssay, workspace } from '../../shared-assay.ts'
import { expectSamplesForm } from '../envelopes.ts'

let assay: Running
let id: string
let path: string
let product: Record<string, string>
beforeAll(async () => {
  assay = await sharedAssay()
  id = await assay.newCatalog()
  path = `/api/workspace/${workspace}/catalogs/${id}/versions`
  await assay.ingest(id, 'sku,title,price\nP-1,Mug,"1,50"\nP-2,Stool,"9,00"\nP-3,Lamp,"20,00"\n')
  await publish('first')
  product = Object.fromEntries((await assay.products(id)).map(({ sku, id: one }) => [sku, one]))
  await edit('P-1', { title: 'Enamel mug' })
  await assay.call('DELETE', `/api/workspace/${workspace}/catalog/products/${product['P-2']}`)
  await assay.call('POST', `/api/workspace/${workspace}/catalog/products`, {
    catalog_id: id,
    sku: 'P-4',
    title: 'Rug',
    price: 80,
  })
  await publish('second')
  await edit('P-1', { title: 'Mug' })
  await publish('third')
}, 60_000)
afterAll(() => assay.close())

async function publish(changelog: string) {
  const answer = await assay.call('POST', path.replace(/versions$/, 'publish'), { changelog })
  expect((await assay.job(answer.body.job.id)).status).toBe('completed')
}
const edit = (sku: string, body: object) =>
  assay.call('PATCH', `/api/workspace/${workspace}/catalog/products/${product[sku]}`, body)

describe('200', () => {
  test('the versions, most recent first: who, when, how much, and why', async () => {
    const { versions, next } = (await assay.call('GET', path)).body
    expect(next).toBeNull()
    expect(versions).toMatchObject([
      { version: 3, changeCount: 1, added: 0, modified: 1, removed: 0, changelog: 'third' },
      { version: 2, changeCount: 3, added: 1, modified: 1, removed: 1, changelog: 'second' },
      { version: 1, changeCount: 3, added: 3, modified: 0, removed: 0, changelog: 'first', publishedBy: 'test:admin' },
    ])
    expect((await assay.call('GET', `${path}/2`)).body).toEqual({ version: versions[1] })
    const first = (await assay.call('GET', `${path}?limit=2`)).body
    const second = (await assay.call('GET', `${path}?limit=2&after=${first.next}`)).body
    expect([...first.versions, ...second.versions]).toEqual(versions)
    expect(second.next).toBeNull()
  })

  test('each version product by product, as it was', async () => {
    const titles = async (version: number) => {
      const found: string[] = []
      for (let after = ''; ; ) {
        const { body } = await assay.call('GET', `${path}/${version}/products?limit=1${after}`)
        found.push(...body.products.map(({ title }: { title: string }) => title))
        if (body.next === null) return found.sort()
        after = `&after=${body.next}`
      }
    }
    expect(await titles(1)).toEqual(['Lamp', 'Mug', 'Stool'])
    expect(await titles(2)).toEqual(['Enamel mug', 'Lamp', 'Rug'])
    const { body } = await assay.call('GET', `${path}/2/products/${product['P-1']}`)
    expect(body.product).toMatchObject({ sku: 'P-1', title: 'Enamel mug', price: 1.5, catalogId: id })
    expect(body.product).not.toHaveProperty('optimizationScore')
  })

  test('what differs between two, with the fields, in either order', async () => {
    const compare = async (from: number, to: number) =>
      (await assay.call('GET', `${path}/compare?from=${from}&to=${to}`)).body
    const { from, to, changes, next } = await compare(1, 2)
    expect({ from, to, next }).toEqual({ from: 1, to: 2, next: null })
    const of = (sku: string) => changes.find(({ productId }: { productId: string }) => productId === product[sku])
    expect(changes).toHaveLength(3)
    expect(of('P-1')).toMatchObject({ change: 'modified' })
    expect(of('P-1').fields).toContainEqual({ field: 'title', before: 'Mug', after: 'Enamel mug' })
    expect(of('P-2')).toMatchObject({ change: 'removed', fields: [] })
    expect(changes.filter(({ change }: { change: string }) => change === 'added')).toHaveLength(1)

    const back = (await compare(2, 1)).changes
    expect(back.map(({ change }: { change: string }) => change).sort()).toEqual(['added', 'modified', 'removed'])
    const turned = back.find(({ productId }: { productId: string }) => productId === product['P-1'])
    expect(turned.fields).toContainEqual({ field: 'title', before: 'Enamel mug', after: 'Mug' })
    expect((await compare(2, 2)).changes).toEqual([])
    const whole = (await compare(1, 3)).changes
    expect(whole.map(({ change }: { change: string }) => change).sort()).toEqual(['added', 'removed'])
  })

  test('a comparison by pages leaves out nothing and shows nothing twice', async () => {
    const all = (await assay.call('GET', `${path}/compare?from=1&to=2`)).body.changes
    const paged = []
    for (let after = ''; ; ) {
      const { body } = await assay.call('GET', `${path}/compare?from=1&to=2&limit=1${after}`)
      paged.push(...body.changes)
      if (body.next === null) break
      after = `&after=${body.next}`
    }
    expect(paged).toEqual(all)
  })
})

test('404: a version that there never was, a product that was not in it', async () => {
  expectSamplesForm(await assay.call('GET', `${path}/9`), 404, 'NOT_FOUND', 'version')
  expectSamplesForm(await assay.call('GET', `${path}/9/products`), 404, 'NOT_FOUND', 'version')
  expectSamplesForm(await assay.call('GET', `${path}/compare?from=1&to=9`), 404, 'NOT_FOUND', 'to')
  const gone = await assay.call('GET', `${path}/2/products/${product['P-2']}`)
  expectSamplesForm(gone, 404, 'NOT_FOUND', 'productId')
})

test('400: what is no version', async () => {
  for (const version of ['0', '-1', '1.5', '01', 'x', '9'.repeat(16)])
    expectSamplesForm(await assay.call('GET', `${path}/${version}`), 400, 'INVALID_REQUEST', 'version')
})

test('410: a version that is no longer kept says how long they are; those that are kept read as before', async () => {
  const pool = assay.system.catalog.pipeline
  const read = async (version: number) => (await assay.call('GET', `${path}/${version}/products`)).body.products
  const before = [await read(2), await read(3)]
  await pool.query(`update publish set published_at = now() - interval '31 days' where catalog_id = $1`, [id])
  // Among the latest ten, whatever their age.
  await dropVersions(pool, { days: 30, atLeast: 10 })
  expect(await read(1)).toHaveLength(3)
  for (let told = 0; told < 3; await new Promise((go) => setTimeout(go, 50)))
    told = (await pool.query('select version from change_cursor where catalog_id = $1', [id])).rows[0]?.version ?? 0
  await dropVersions(pool, { days: 30, atLeast: 2 })
  const gone = await assay.call('GET', `${path}/1/products`)
  expectSamplesForm(gone, 410, 'NOT_FOUND', 'version')
  expect(gone.body.details.message).toContain('30 days')
  while (await sweepVersions(pool));
  expectSamplesForm(await assay.call('GET', `${path}/compare?from=1&to=2`), 410, 'NOT_FOUND', 'from')
  expect([await read(2), await read(3)]).toEqual(before)
  const { rows } = await pool.query(
    'select count(*) filter (where valid_to <= 2) as ended, count(*) filter (where content is null) as tombstones from published where catalog_id = $1',
    [id],
  )
  expect(rows).toEqual([{ ended: 0, tombstones: 0 }])
  // A product whose tombstone is swept is added again.
  await dropVersions(pool, { days: 30, atLeast: 1 })
  expect((await assay.call('GET', path)).body.versions.map(({ version }: { version: number }) => version)).toEqual([3])
  while (await sweepVersions(pool));
  expect(await read(3)).toEqual(before[1])
})
