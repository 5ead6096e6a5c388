import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Running } from '../../running.ts'
import { sharedAssay, workspace } from '../../shared-assay.ts'
import { expectSamplesForm } from '../envelopes.ts'

let assay: Running
let url: string
let brand: { id: string; createdAt: string }
beforeAll(async () => {
  assay = await sharedAssay()
  brand = (await assay.call('GET', `${base}/brands`)).body.brands[0]
  url = await freshUrl()
})
afterAll(() => assay.close())

const base = `/api/workspace/${workspace}`
let made = 0
async function freshUrl() {
  const { body } = await assay.call('POST', `${base}/brands`, { name: `Brand ${made++}` })
  return `${base}/brands/${body.brand.id}/ai-specs`
}
const full = {
  tone_of_voice: 'Warm and plain.',
  brand_objective: 'Pans for life.',
  target_audience: 'People who cook.',
  content_policies: 'No health claims.',
  language_preferences: 'de, en',
  keywords_always: ['enamel'],
  keywords_never: ['cheap'],
  custom_instructions: 'Name the oven temperature.',
  visual_style: 'daylight',
  color_palette: ['#1f2A44', '#fff'],
  default_ai_tier: 'high',
}

test('200: a brand that never had a specification answers with the defaults, under the brand’s id', async () => {
  const { status, body } = await assay.call('GET', `${base}/brands/${brand.id}/ai-specs`)
  expect({ status, body }).toEqual({
    status: 200,
    body: {
      aiSpecs: {
        id: brand.id,
        brand_id: brand.id,
        keywords_always: [],
        keywords_never: [],
        color_palette: [],
        default_ai_tier: null,
        created_at: brand.createdAt,
        updated_at: brand.createdAt,
      },
    },
  })
})

test('200: what is put is what is read, every field of it, and a second PUT replaces it whole', async () => {
  const put = await assay.call('PUT', url, full)
  expect(put.status).toBe(200)
  expect(put.body.aiSpecs).toMatchObject(full)
  expect((await assay.call('GET', url)).body).toEqual(put.body)
  const { body } = await assay.call('PUT', url, { visual_style: 'studio' })
  expect(body.aiSpecs).not.toHaveProperty('tone_of_voice')
  expect(body.aiSpecs).toMatchObject({ visual_style: 'studio', keywords_always: [], default_ai_tier: null })
  expect(body.aiSpecs.created_at).toBe(put.body.aiSpecs.created_at)
  expect(body.aiSpecs.updated_at > put.body.aiSpecs.updated_at).toBe(true)
})

test('200: a PATCH changes what it names, null unsets, and nothing else moves', async () => {
  const own = await freshUrl()
  await assay.call('PUT', own, full)
  const { body } = await assay.call('PATCH', own, {
    tone_of_voice: null,
    keywords_always: null,
    visual_style: 'studio',
  })
  const { tone_of_voice: _gone, ...rest } = full
  expect(body.aiSpecs).toMatchObject({ ...rest, keywords_always: [], visual_style: 'studio' })
  expect(body.aiSpecs).not.toHaveProperty('tone_of_voice')
  const none = await assay.call('PATCH', own, {})
  expect(none.body.aiSpecs).toMatchObject({ ...rest, keywords_always: [], visual_style: 'studio' })
})

test('eight PATCHes at once of eight fields lose none', async () => {
  const own = await freshUrl()
  const fields = Object.entries(full).slice(0, 8)
  await Promise.all(fields.map(([name, value]) => assay.call('PATCH', own, { [name]: value })))
  expect((await assay.call('GET', own)).body.aiSpecs).toMatchObject(Object.fromEntries(fields))
})

describe('400', () => {
  test.each([
    ['an unknown field', { tone: 'x' }, 'tone'],
    ['a visual style of 51 characters', { visual_style: 'x'.repeat(51) }, 'visual_style'],
    ['eleven colours', { color_palette: Array(11).fill('#fff') }, 'color_palette'],
    ['a colour by name', { color_palette: ['red'] }, 'color_palette.0'],
    ['a colour of four digits', { color_palette: ['#ffff'] }, 'color_palette.0'],
    ['a tier that there is not', { default_ai_tier: 'best' }, 'default_ai_tier'],
    ['a keyword that is nothing but space', { keywords_never: [' '] }, 'keywords_never.0'],
    ['a list that is a text', { keywords_always: 'enamel' }, 'keywords_always'],
    [
      'a word that is asked for and forbidden',
      { keywords_always: ['Enamel'], keywords_never: ['enamel'] },
      'keywords_never',
    ],
    ['another brand in the body', { brand_id: '00000000-0000-4000-8000-000000000001' }, 'brand_id'],
  ])('%s, named', async (_, body, field) => {
    for (const method of ['PUT', 'PATCH'] as const) {
      const answer = await assay.call(method, url, body)
      if (field === 'brand_id') expect([400, 403]).toContain(answer.status)
      else expectSamplesForm(answer, 400, 'INVALID_REQUEST', field)
    }
  })

  test('a PATCH that forbids a word which is asked for since long', async () => {
    const own = await freshUrl()
    await assay.call('PUT', own, { keywords_always: ['enamel'] })
    expectSamplesForm(
      await assay.call('PATCH', own, { keywords_never: ['ENAMEL'] }),
      400,
      'INVALID_REQUEST',
      'keywords_never',
    )
    expect((await assay.call('GET', own)).body.aiSpecs.keywords_never).toEqual([])
  })
})

test('404: a brand that there is not, and one that the caller is not pinned to', async () => {
  expectSamplesForm(
    await assay.call('GET', `${base}/brands/${crypto.randomUUID()}/ai-specs`),
    404,
    'NOT_FOUND',
    'brandId',
  )
  const pinned = { authorization: `Bearer ${await assay.token('admin', { brand: brand.id })}` }
  for (const [method, body] of [['GET'], ['PUT', full], ['PATCH', full]] as const)
    expectSamplesForm(await assay.call(method, url, body, pinned), 404, 'NOT_FOUND', 'brandId')
})

test('what was and what is stand in the audit log', async () => {
  const own = await freshUrl()
  await assay.call('PUT', own, { visual_style: 'studio' })
  await assay.call('PATCH', own, { visual_style: 'daylight' })
  const { body } = await assay.call('GET', `${base}/audit?action=brand.ai-specs.update&limit=2`)
  expect(body.entries[0]).toMatchObject({ before: { visual_style: 'studio' }, after: { visual_style: 'daylight' } })
  expect(body.entries[1].before).toBeNull()
})
