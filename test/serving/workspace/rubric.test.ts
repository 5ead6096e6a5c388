import { afterAll, beforeAll, expect, test } from 'vitest'
import { dimensions } from '../../../schemas/score.ts'
import { rubric, rubricVersion } from '../../../transforms/gold/rubric.ts'
import type { Running } from '../../running.ts'
import { sharedAssay, workspace } from '../../shared-assay.ts'
import { saveSettings, settled } from './pipeline.ts'

let assay: Running
beforeAll(async () => {
  assay = await sharedAssay()
})
afterAll(() => assay.close())

const read = async () => (await assay.call('GET', `/api/workspace/${workspace}/rubric`)).body.rubric

test('200: every rule with its points, why and sources, in the order of the seven dimensions', async () => {
  const { version, feedReadyFrom, dimensions: shown } = await read()
  expect({ version, feedReadyFrom }).toEqual({ version: rubricVersion, feedReadyFrom: 40 })
  expect(shown.map(({ name }: { name: string }) => name)).toEqual(dimensions)
  const rules = shown.flatMap((one: { rules: { id: string; sources: string[]; why: string }[] }) => one.rules)
  expect(rules.map(({ id }: { id: string }) => id)).toEqual(rubric.map(({ id }) => id))
  for (const { why, sources } of rules) expect(Math.min(why.length, sources.length)).toBeGreaterThan(0)
})

test('200: for what each platform refuses a product, whether or not its feed is written yet', async () => {
  const { platforms } = await read()
  expect(platforms.map(({ platform }: { platform: string }) => platform)).toEqual(['google', 'meta', 'openai'])
  for (const { rules } of platforms) {
    expect(rules.length).toBeGreaterThan(5)
    for (const { source } of rules) expect(source).toMatch(/^https:/)
  }
})

test('200: the weights are those in force', async () => {
  const weigh = { identity: 1, content: 0, media: 0, pricing: 0, availability: 0, seo: 0, compliance: 3 }
  await saveSettings(assay, { weights: weigh })
  await settled(assay)
  const { dimensions: shown } = await read()
  expect(shown.map(({ weight }: { weight: number }) => weight)).toEqual([2500, 0, 0, 0, 0, 0, 7500])
})
