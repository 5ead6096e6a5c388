import { describe, expect, test } from 'vitest'
import { googleProfile } from '../../../schemas/feeds/google.ts'
import { problemsOf } from '../../../schemas/feeds/problems-of.ts'
import type { ImageFinding } from '../../../schemas/image-check.ts'
import { grade } from '../../../transforms/gold/grade.ts'
import { rubric } from '../../../transforms/gold/rubric.ts'
import { complete, feedOf } from '../../schemas/feeds/complete-product.ts'

const [first = '', second = ''] = complete.images
const none = { status: null, type: null, width: null, height: null, bytes: null }
const dead: ImageFinding = { ...none, image: first, state: 'dead', status: 404 }
const page: ImageFinding = { ...none, image: first, state: 'not_an_image', type: 'html' }
const sized = (width: number, height = width, more: Partial<ImageFinding> = {}): ImageFinding => ({
  ...{
    image: first,
    state: width < 100 ? 'too_small' : 'ok',
    status: null,
    type: 'jpeg',
    width,
    height,
    bytes: 90_000,
  },
  ...more,
})

const attained = (...imageFindings: readonly ImageFinding[]) => {
  const { points } = grade(feedOf({ imageFindings }), 'single')
  const of = (id: string) => points[rubric.findIndex((rule) => rule.id === id)]
  return { shown: of('image.shown'), size: of('image.size'), images: of('images'), feed: of('feed.image') }
}
const all = { shown: 100, size: 100, images: 100, feed: 100 }

describe('of its images a product', () => {
  test('loses nothing where nobody has checked them', () => {
    expect(attained()).toEqual(all)
    expect(grade(feedOf({ imageFindings: [] }), 'single')).toEqual(grade(feedOf(), 'single'))
  })

  test.each<[string, ImageFinding]>([
    ['is dead', dead],
    ['is a page', page],
  ])('loses what there is for one that %s, and Google', (_, finding) => {
    expect(attained(finding)).toEqual({ ...all, shown: 0, size: 0, feed: 40 })
    expect(grade(feedOf({ imageFindings: [finding] }), 'single').valid & googleProfile.bit).toBe(0)
  })

  test.each([
    [499, 99, 100],
    [250, 50, 100],
    [100, 20, 100],
    [99, 19, 40],
  ])('with one of %i pixels has %i percent of its size, and %i with Google', (pixels, size, feed) => {
    expect(attained(sized(800, pixels, pixels < 100 ? { state: 'too_small' } : {}))).toEqual({ ...all, size, feed })
  })

  test('counts those beside the first that are there', () => {
    expect(attained({ ...dead, image: second })).toEqual({ ...all, images: 85 })
    expect(attained({ ...sized(300), image: second })).toEqual(all)
  })

  test('loses nothing for an image that it has no more', () => {
    expect(attained({ ...dead, image: 'https://cdn.example.test/former.jpg' })).toEqual(all)
  })
})

describe('Google', () => {
  const says = (finding: ImageFinding, change = {}) =>
    problemsOf(googleProfile, feedOf({ ...change, imageFindings: [finding] })).map(
      ({ field, reason }) => `${field}: ${reason}`,
    )

  test.each<[string, ImageFinding]>([
    ['is not there: its host answers 404', dead],
    ['cannot be fetched', { ...dead, status: null }],
    ['no image that can be read, it is of the type html', page],
    ['80 x 800 pixels; Google takes none below 100 x 100', sized(80, 800)],
    ['larger than the 16 MB', sized(800, 800, { state: 'too_large' })],
    ['larger than the 16 MB', sized(800, 800, { bytes: 17 * 2 ** 20 })],
    ['of the type avif', sized(800, 800, { type: 'avif' })],
  ])('refuses a first image that %s', (reason, finding) => {
    expect(says(finding)).toEqual([expect.stringMatching(`^image_link: .*${reason.replace('.', '\\.')}`)])
  })

  test.each([
    sized(100),
    sized(800, 800, { type: 'webp' }),
    sized(800, 800, { type: null, width: null, height: null }),
  ])('takes one that is good enough for it: %j', (finding) => expect(says(finding)).toEqual([]))

  test('asks for more pixels of something to wear', () => {
    const shoes = { googleProductCategory: '187', size: '42' }
    expect(says(sized(249), shoes)).toEqual([expect.stringContaining('below 250 x 250')])
    expect(says(sized(250), shoes)).toEqual([])
  })

  test('does not mind the others', () => expect(says({ ...dead, image: second })).toEqual([]))
})
