import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ensureWorkspace } from '../../../infra/catalog/tenants.ts'
import { type Answer, type Running, startAssay, workspace } from '../../running.ts'
import { expectSamplesForm } from '../envelopes.ts'
import { type Route, routes } from '../routes.ts'

type Headers = { authorization: string }
interface Tenant {
  readonly base: string
  readonly owner: Headers
  readonly brandId: string
  readonly keyId: string
  readonly subject: string
}

let assay: Running
let mine: Tenant
let theirs: Tenant
/** Pinned to a brand of `mine` that is not the tenant's. */
let pinned: Headers
beforeAll(async () => {
  assay = await startAssay()
  await ensureWorkspace(assay.system.catalog.pipeline, 'ws_other', 'Other')
  mine = await settle(workspace)
  theirs = await settle('ws_other')
  const { body } = await assay.call('POST', `${mine.base}/brands`, { name: 'pinned' }, mine.owner)
  pinned = { authorization: `Bearer ${await assay.token('owner', { brand: body.brand.id })}` }
})
afterAll(() => assay.close())

async function settle(id: string): Promise<Tenant> {
  const base = `/api/workspace/${id}`
  const owner = { authorization: `Bearer ${await assay.token('owner', { workspace: id })}` }
  const made = async (path: string, body: object) => {
    const answer = await assay.call('POST', `${base}/${path}`, body, owner)
    expect(answer.status).toBe(201)
    return answer.body
  }
  const brandId: string = (await made('brands', { name: `of ${id}` })).brand.id
  const subject = `member-of-${id}`
  await made('members', { subject, role: 'admin', brand_ids: [brandId] })
  const key = { name: `of ${id}`, scopes: ['catalogs:read'], brand_id: brandId }
  return { base, owner, brandId, subject, keyId: (await made('keys', key)).key.id }
}

const fields = { brandId: 'brandId', keyId: 'keyId', subject: 'subject' } as const
const byId = routes.flatMap((route) => {
  const name = /:(brandId|keyId|subject)\b/.exec(route.url)?.[1] as keyof typeof fields | undefined
  return name ? [{ ...route, name }] : []
})
const call = ({ method, url, body }: Route, base: string, ids: Tenant, who: Headers): Promise<Answer> =>
  assay.call(
    method,
    url
      .replace('/api/workspace/:workspaceId', base)
      .replace(/:(brandId|keyId|subject)/, (_, name: keyof typeof fields) => ids[name])
      .replace(':targetId', randomUUID()),
    body,
    who,
  )

describe.each(byId)('$method $url', (route) => {
  test("404: another workspace's ids lead nowhere under one's own", async () => {
    expectSamplesForm(await call(route, mine.base, theirs, mine.owner), 404, 'NOT_FOUND', fields[route.name])
    expectSamplesForm(await call(route, theirs.base, mine, theirs.owner), 404, 'NOT_FOUND', fields[route.name])
  })

  test('403: nor does the other workspace take a token that is not its own', async () => {
    expectSamplesForm(await call(route, theirs.base, theirs, mine.owner), 403, 'FORBIDDEN')
  })

  test("404: another brand's ids lead nowhere for who is pinned to one, even an owner", async () => {
    expectSamplesForm(await call(route, mine.base, mine, pinned), 404, 'NOT_FOUND', fields[route.name])
  })

  test('403: a request that names another brand is refused before any id is looked at', async () => {
    const answer = await call(route, mine.base, mine, { ...pinned, 'x-active-brand': mine.brandId } as Headers)
    expectSamplesForm(answer, 403, 'FORBIDDEN', 'brand_id')
  })
})

test('200: lists of one tenant name nothing of another, whether workspace or brand', async () => {
  for (const list of ['', '/brands', '/members', '/keys', '/audit', '/usage', '/policy']) {
    const [ours, narrow] = await Promise.all([
      assay.call('GET', mine.base + list, undefined, mine.owner),
      assay.call('GET', mine.base + list, undefined, pinned),
    ])
    expect([ours.status, narrow.status]).toEqual([200, 200])
    for (const id of [theirs.brandId, theirs.keyId, theirs.subject, 'ws_other']) expect(ours.text).not.toContain(id)
    for (const id of [mine.brandId, mine.keyId, mine.subject]) expect(narrow.text).not.toContain(id)
  }
})

test('after all of it everything is as its owner made it', async () => {
  for (const { base, owner, brandId, keyId, subject } of [mine, theirs]) {
    const read = async (path: string) => (await assay.call('GET', `${base}/${path}`, undefined, owner)).body
    expect((await read(`brands/${brandId}`)).brand.name).toMatch(/^of ws_/)
    expect((await read(`keys/${keyId}`)).key).toMatchObject({ revokedAt: null, rotatedTo: null })
    expect((await read(`members/${subject}`)).member).toMatchObject({ role: 'admin', brandIds: [brandId] })
  }
})
