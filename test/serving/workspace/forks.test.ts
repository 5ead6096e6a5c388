import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { realPath, sharedIsThere } from '../../ingest/expected-figures.ts'
import { storedAndRefolded } from '../../ingest/refolded.ts'
import { type Running, startAssay, workspace } from '../../running.ts'
import { differences } from '../../verified.ts'

let assay: Running
beforeAll(async () => {
  assay = await startAssay()
})
afterAll(() => assay.close())

const base = `/api/workspace/${workspace}`
const nowhere = '00000000-0000-4000-8000-000000000001'

const family = `Handle,Title,Option1 Name,Option1 Value,Variant SKU,Variant Price,Image Src,Body (HTML)
cup,Cup,Color,Red,CUP-R,10.00,https://x.test/r.jpg,<p>Fine &amp;amp; good</p>
cup,,Color,Blue,CUP-B,11.00,https://x.test/b.jpg,
pan,Pan,Title,Default Title,PAN,30.00,https://x.test/p.jpg,<p>Heavy</p>
lid,Lid,Title,Default Title,LID,5.00,https://x.test/l.jpg,<p>Light</p>
`

/** What a version holds, by SKU, without the ids that differ from catalog to catalog. */
async function contents(catalog: string, version: number) {
  const { rows } = await assay.system.catalog.pipeline.query<{ id: string; hash: string; product: { sku: string } }>(
    `select product_id as id, encode(hash, 'hex') as hash, content -> 'product' as product from published
      where catalog_id = $1 and valid_from <= $2 and valid_to > $2 and content is not null`,
    [catalog, version],
  )
  return rows
}
const products = async (catalog: string, version: number) =>
  (await contents(catalog, version))
    .map(({ product }) => product)
    .sort((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1))
const hashes = async (catalog: string, version: number) =>
  Object.fromEntries((await contents(catalog, version)).map(({ id, hash }) => [id, hash]))

async function forked(of: string, body: object = {}) {
  const answer = await assay.call('POST', `${base}/catalogs/${of}/fork`, { name: 'A fork', ...body })
  expect(answer.status, answer.text).toBe(202)
  const job = await assay.job(answer.body.job.id)
  expect(job).toMatchObject({ status: 'completed', error: null })
  return { fork: answer.body.catalog.id as string, result: job.result as unknown as { products: number } }
}

async function published(file: string | Buffer) {
  const catalog = await assay.newCatalog()
  await assay.ingest(catalog, file)
  const { version } = await assay.publish(catalog)
  return { catalog, version: version ?? 0 }
}

const bySku = async (catalog: string, sku: string) => (await assay.products(catalog, { sku }))[0]
const change = (id: string, body: object) => assay.call('PATCH', `${base}/catalog/products/${id}`, body)
const remove = (id: string) => assay.call('DELETE', `${base}/catalog/products/${id}`)

describe('a fork', () => {
  const sample = join(import.meta.dirname, '../../../ingest/sample/rheingold-home.csv')
  const real = sharedIsThere ? ['shopify/partners-apparel.csv', 'woocommerce/sample-products.csv'].map(realPath) : []
  test.each([sample, ...real])('of %s has the content that the version has', async (file) => {
    const { catalog, version } = await published(await readFile(file))
    const { fork } = await forked(catalog)
    const own = await assay.publish(fork)
    expect(await products(fork, own.version ?? 0)).toEqual(await products(catalog, version))
    const { stored, refolded } = await storedAndRefolded(assay.system, fork)
    expect(refolded).toEqual(stored)
    expect(await differences(assay.system, fork)).toMatchObject({ stale: 0, differing: [] })
  })

  test('keeps families together, and is found by the imports that the base knows', async () => {
    const { catalog } = await published(family)
    const { fork, result } = await forked(catalog)
    expect(result).toMatchObject({ products: 3, variants: 4 })
    const before = await assay.products(fork)
    const parent = before.find(({ kind }) => kind === 'parent')
    const variants = before.filter(({ kind }) => kind === 'variant')
    expect(variants.map(({ familyId }) => familyId)).toEqual([parent?.id, parent?.id])
    expect(before.filter(({ id }) => id === parent?.familyId)).toHaveLength(1)
    const { result: ledger } = await assay.ingest(fork, family.replace('30.00', '31.00'))
    expect(ledger).toMatchObject({ rejected: 0, duplicate: 0 })
    const after = await assay.products(fork)
    expect(after.map(({ id }) => id).sort()).toEqual(before.map(({ id }) => id).sort())
    expect((await bySku(fork, 'PAN'))?.price).toBe(31)
    expect((await bySku(catalog, 'PAN'))?.price).toBe(30)
  })

  test('is of the version that is named, whatever came after it', async () => {
    const { catalog, version } = await published(family)
    await change((await bySku(catalog, 'PAN'))?.id ?? '', { title: 'Later' })
    await remove((await bySku(catalog, 'LID'))?.id ?? '')
    await assay.publish(catalog)
    expect((await assay.products((await forked(catalog, { version })).fork)).map(({ title }) => title)).toContain('Lid')
    expect((await assay.products((await forked(catalog)).fork)).map(({ title }) => title)).toContain('Later')
  })

  test('that is cut off and run twice at once is the same fork', async () => {
    const { catalog } = await published(family)
    const { system } = assay
    const order = { workspace, brand: (await bySku(catalog, 'PAN'))?.brandId ?? '', name: 'Cut', by: 'test' }
    const { job, catalog: fork } = await system.forking.start({ ...order, base: catalog, version: 1 })
    for (const ms of [0, 2, 5, 9]) {
      await system.forking.run(job, AbortSignal.timeout(ms)).catch(() => {})
      await Promise.allSettled([1, 2].map(() => system.forking.run(job, AbortSignal.timeout(ms + 20))))
    }
    expect(await assay.job(job)).toMatchObject({ status: 'completed', result: { products: 3, variants: 4 } })
    const { version } = await assay.publish(fork)
    expect(await products(fork, version ?? 0)).toEqual(await products(catalog, 1))
  })

  test('404 where there is nothing to fork, 403 in a brand that there is not', async () => {
    const unpublished = await assay.newCatalog()
    const status = async (id: string, body: object) =>
      (await assay.call('POST', `${base}/catalogs/${id}/fork`, { name: 'x', ...body })).status
    expect(await status(nowhere, {})).toBe(404)
    expect(await status(unpublished, {})).toBe(404)
    const { catalog } = await published(family)
    expect(await status(catalog, { version: 9 })).toBe(404)
    expect(await status(catalog, { brand_id: nowhere })).toBe(403)
    expect(await status(catalog, { version: 0 })).toBe(400)
  })
})

describe('a restore', () => {
  test('leaves no difference to the version', async () => {
    const { catalog, version } = await published(family)
    const was = await hashes(catalog, version)
    const [cup, pan, lid] = await Promise.all(['CUP-R', 'PAN', 'LID'].map((sku) => bySku(catalog, sku)))
    await change(cup?.id ?? '', { title: 'Else', price: 99, currency: 'USD', image_urls: ['https://x.test/n.jpg'] })
    await remove(pan?.id ?? '')
    await change(lid?.id ?? '', { description: null, gtin: '4006381333931', attributes: { fit: 'slim' } })
    const made = await assay.call('POST', `${base}/catalog/products`, { title: 'New', price: 1, catalog_id: catalog })
    expect(made.status).toBe(201)
    await assay.publish(catalog)
    const answer = await assay.call('POST', `${base}/catalogs/${catalog}/versions/${version}/restore`, {})
    expect(answer.status, answer.text).toBe(202)
    const job = await assay.job(answer.body.job.id)
    expect(job).toMatchObject({ status: 'completed', result: { restored: version, changed: 4, version: version + 2 } })
    expect(await hashes(catalog, version + 2)).toEqual(was)
    const { stored, refolded } = await storedAndRefolded(assay.system, catalog)
    expect(refolded).toEqual(stored)
    expect(await differences(assay.system, catalog)).toMatchObject({ stale: 0, differing: [] })
  })

  test('puts a product back into the family that it has left', async () => {
    const { catalog, version } = await published(family)
    const was = await hashes(catalog, version)
    const alone = family.split('\n').slice(0, 2).join('\n').replace('cup,Cup', 'solo,Cup')
    await assay.ingest(catalog, alone)
    await assay.publish(catalog)
    expect(await hashes(catalog, version + 1)).not.toEqual(was)
    const { body } = await assay.call('POST', `${base}/catalogs/${catalog}/versions/${version}/restore`)
    expect(await assay.job(body.job.id)).toMatchObject({ status: 'completed' })
    expect(await hashes(catalog, version + 2)).toEqual(was)
  })

  test('brings back what an undone import took along, and ends once however often it is cut off', async () => {
    const { catalog, version } = await published(family)
    const was = await hashes(catalog, version)
    const { pipeline } = assay.system.catalog
    const { rows } = await pipeline.query<{ id: string }>('select import_id as id from import where catalog_id = $1', [
      catalog,
    ])
    await assay.change(rows[0]?.id ?? '', 'undo')
    const gone = await assay.publish(catalog)
    expect(gone).toMatchObject({ removed: 4 })
    const brand = (await pipeline.query('select brand_id as id from catalog where catalog_id = $1', [catalog])).rows[0]
      .id
    const job = await assay.system.restoring.start({ catalog, workspace, brand, version, by: 'test' })
    for (const ms of [0, 3, 8, 30]) await assay.system.restoring.run(job, AbortSignal.timeout(ms)).catch(() => {})
    expect(await assay.job(job)).toMatchObject({ status: 'completed', result: { version: version + 2 } })
    expect(await hashes(catalog, version + 2)).toEqual(was)
  })

  test('404 for a version that is not kept', async () => {
    const { catalog } = await published(family)
    expect((await assay.call('POST', `${base}/catalogs/${catalog}/versions/7/restore`, {})).status).toBe(404)
    expect((await assay.call('POST', `${base}/catalogs/${nowhere}/versions/1/restore`, {})).status).toBe(404)
  })
})
