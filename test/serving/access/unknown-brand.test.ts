import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Running, startAssay, workspace } from '../../running.ts'
import { expectSamplesForm } from '../envelopes.ts'
import { routes } from '../routes.ts'

let assay: Running
beforeAll(async () => {
  assay = await startAssay()
})
afterAll(() => assay.close())

const base = `/api/workspace/${workspace}`

test('403: a brand that there is not is refused on every route that lists or reads, and not answered with nothing', async () => {
  const nowhere = randomUUID()
  const lists = routes.filter(
    ({ method, url }) => method === 'GET' && url.startsWith('/api/workspace/') && !url.includes('stream'),
  )
  for (const { url } of lists) {
    const path = url
      .replace(':workspaceId', workspace)
      .replace(/:version/, '1')
      .replace(/:\w+/g, randomUUID())
    const query = url.endsWith('/compare') ? '?from=1&to=1' : ''
    expectSamplesForm(
      await assay.call('GET', `${path}${query}`, undefined, { 'x-active-brand': nowhere }),
      403,
      'FORBIDDEN',
      'brand_id',
    )
  }
  expectSamplesForm(await assay.call('GET', `${base}/catalogs?brand_id=${nowhere}`), 403, 'FORBIDDEN', 'brand_id')
  const body = { name: 'Autumn', brand_id: nowhere }
  expectSamplesForm(await assay.call('POST', `${base}/catalogs`, body), 403, 'FORBIDDEN', 'brand_id')
})

test('a brand is known as soon as it is made, and unknown as soon as it is removed', async () => {
  const { body } = await assay.call('POST', `${base}/brands`, { name: 'Short-lived' })
  const { id } = body.brand
  const [{ id: catalog }] = (await assay.call('GET', `${base}/catalogs?brand_id=${id}`)).body.catalogs
  await assay.system.catalog.pipeline.query('update catalog set deleted_at = now() where catalog_id = $1', [catalog])
  expect((await assay.call('DELETE', `${base}/brands/${id}`)).status).toBe(200)
  expectSamplesForm(await assay.call('GET', `${base}/catalogs?brand_id=${id}`), 403, 'FORBIDDEN', 'brand_id')
})
