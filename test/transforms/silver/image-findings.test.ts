import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type ImageFinding, imageStates } from '../../../schemas/image-check.ts'
import { applyRecord } from '../../../transforms/apply.ts'
import { rawCells } from '../../../transforms/bronze/raw-cells.ts'
import { imageChecksCell, readImageFindings } from '../../../transforms/silver/image-findings.ts'
import { at, create, record, withdraw } from '../bronze/story.ts'
import { plainSettings } from './said.ts'

const [a, b] = ['https://cdn.example.test/a.jpg', 'https://cdn.example.test/b.jpg']
const fine: ImageFinding = { image: a, state: 'ok', status: null, type: 'jpeg', width: 800, height: 800, bytes: 90_000 }
const dead: ImageFinding = { ...fine, state: 'dead', status: 404, type: null, width: null, height: null, bytes: null }

describe('what a check says of a product', () => {
  test('is nothing where every platform takes its images', () => {
    expect(imageChecksCell([])).toBeNull()
    expect(imageChecksCell([fine, { ...fine, image: b, type: 'png', width: 500, height: 500 }])).toBeNull()
  })

  test.each<[string, Partial<ImageFinding>]>([
    ['is dead', { state: 'dead', status: 404, type: null, width: null, height: null, bytes: null }],
    ['is a page', { state: 'not_an_image', type: 'html', width: null, height: null }],
    ['is of a kind that some refuse', { type: 'webp' }],
    ['is smaller than some ask for', { height: 499 }],
    ['is heavier than some take', { bytes: 9 * 2 ** 20 }],
    ['has a size that nobody knows', { width: null, height: null }],
  ])('names an image that %s', (_, change) => {
    const told = imageChecksCell([fine, { ...fine, image: b, ...change }])
    expect(readImageFindings(told ?? '', [a, b])).toEqual([{ ...fine, ...change, image: b }])
  })

  test('names a good image whose name is that of a kind which some refuse, so that its bytes decide (KF-19)', () => {
    const named = { ...fine, image: 'https://cdn.example.test/b.webp', type: 'png' }
    expect(imageChecksCell([fine, named])).toBe(JSON.stringify([named]))
    expect(imageChecksCell([{ ...fine, image: 'https://cdn.example.test/b.png' }])).toBeNull()
  })

  test('is read for the images that the product still has, in their order', () => {
    const told = imageChecksCell([dead, { ...dead, image: b, status: 410 }]) ?? ''
    expect(readImageFindings(told, [b, 'https://cdn.example.test/c.jpg', a])?.map(({ status }) => status)).toEqual([
      410, 404,
    ])
    expect(readImageFindings(told, ['https://cdn.example.test/c.jpg'])).toBeNull()
  })

  test('is read as it was written, whatever was found', () => {
    const count = fc.option(fc.nat())
    const finding: fc.Arbitrary<ImageFinding> = fc.record({
      image: fc.webUrl(),
      state: fc.constantFrom('dead', 'not_an_image', 'too_small', 'too_large'),
      type: fc.option(fc.string()),
      ...{ status: count, width: count, height: count, bytes: count },
    })
    fc.assert(
      fc.property(fc.uniqueArray(finding, { selector: ({ image }) => image, minLength: 1 }), (found) => {
        const images = found.map(({ image }) => image)
        expect(readImageFindings(imageChecksCell(found) ?? '', images)).toEqual(found)
        expect(imageChecksCell(readImageFindings(imageChecksCell(found) ?? '', images) ?? [])).toBe(
          imageChecksCell(found),
        )
      }),
    )
  })

  test('that nobody can read says nothing, and never throws', () => {
    const known = [dead.image]
    for (const text of ['', 'no JSON', 'null', '{}', '[null, 1, "a"]', `[{"image":"${a}"}]`])
      expect(readImageFindings(text, known)).toBeNull()
    const odd = { ...dead, state: 'unreachable' }
    expect(readImageFindings(JSON.stringify([odd, { ...dead, width: '9' }]), known)).toBeNull()
    fc.assert(fc.property(fc.json(), (text) => void readImageFindings(text, known)))
  })
})

describe('a record of a check', () => {
  const lookups = { context: () => undefined, settings: plainSettings, digest: (text: string) => text }
  const play = (...records: readonly ReturnType<typeof record>[]) =>
    records.reduce<ReturnType<typeof applyRecord> | null>(
      (before, one, place) => applyRecord(before?.state ?? null, one, at(place + 1), lookups),
      null,
    )
  const listed = record('file:a', { sku: 'M-1', title: 'Mug', images: [a, b] })
  const checked = (...found: readonly ImageFinding[]) =>
    record('check:images', { image_checks: imageChecksCell(found) ?? '__CLEAR__' })

  test('brings what it found to the product, and takes it away once it is mended', () => {
    expect(play(listed, checked(dead))?.state.product?.imageFindings).toEqual([dead])
    const mended = play(listed, checked(dead), checked(fine))
    expect(mended?.state.product).not.toHaveProperty('imageFindings')
    expect(mended?.state.content).toBe(play(listed)?.state.content)
  })

  test('changes no field, adds no raw cell, keeps nothing alive and creates nothing', () => {
    const [before, after] = [play(listed), play(listed, checked(dead))]
    const { imageFindings: _, ...fields } = after?.state.product ?? {}
    expect(fields).toEqual(before?.state.product)
    expect(after?.effect).toBe('updated')
    expect(rawCells(after?.state.layers ?? { layers: [] })).toEqual(rawCells(before?.state.layers ?? { layers: [] }))
    expect(play(listed, checked(dead), withdraw('file:a'))?.state.alive).toBe(false)
    expect(play(listed, checked(dead), withdraw('file:a'), listed)).toMatchObject({ effect: 'created' })
    expect(play(checked(dead), create({ title: 'Mug' }))).toMatchObject({ effect: 'created' })
  })

  test('is the only one that speaks of images so: a column of that name, and an edit of it, say nothing', () => {
    const forged = { image_checks: imageChecksCell([dead]) ?? '' }
    expect(play(listed, record('file:b', forged), record('api', forged))?.state.product).not.toHaveProperty(
      'imageFindings',
    )
  })

  test('says nothing of an image that took the place of the one it saw', () => {
    const other = record('file:a', { images: [b] })
    expect(play(listed, checked(dead), other)?.state.product).not.toHaveProperty('imageFindings')
    expect(play(listed, checked(dead), other, listed)?.state.product?.imageFindings).toEqual([dead])
  })
})

test('every state but that of a host which does not answer can be told', () => {
  for (const state of imageStates) {
    const told = JSON.stringify([{ ...dead, state }])
    expect(readImageFindings(told, [a]) !== null).toBe(state !== 'unreachable')
  }
})
