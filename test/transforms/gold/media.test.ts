import { describe, expect, test } from 'vitest'
import { googleProfile } from '../../../schemas/feeds/google.ts'
import { metaProfile } from '../../../schemas/feeds/meta.ts'
import { openaiPlatform } from '../../../schemas/feeds/openai.ts'
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
  ])('loses what there is for one that %s, and every platform', (_, finding) => {
    expect(attained(finding)).toEqual({ ...all, shown: 0, size: 0, feed: 0 })
    expect(grade(feedOf({ imageFindings: [finding] }), 'single').valid).toBe(0)
  })

  test.each([
    [500, 100, 100],
    [499, 99, 75],
    [250, 50, 75],
    [100, 20, 75],
    [99, 19, 0],
  ])('with one of %i pixels has %i percent of its size, and %i with platforms', (pixels, size, feed) => {
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
    ['larger than the 16 MB', sized(60_000, 60_000, { state: 'too_large' })],
    ['of the type avif', sized(800, 800, { type: 'avif' })],
    ['of the type svg', sized(800, 800, { type: 'svg', width: null, height: null })],
  ])('refuses a first image that %s', (reason, finding) => {
    expect(says(finding)).toEqual([expect.stringMatching(`^image_link: .*${reason.replace('.', '\\.')}`)])
  })

  test.each([
    sized(100),
    sized(800, 800, { type: 'webp' }),
    sized(800, 800, { type: null, width: null, height: null }),
  ])('takes one that is good enough for it: %j', (finding) => expect(says(finding)).toEqual([]))

  test('asks for more pixels of something to wear', () => {
    const shoes = { googleProductCategory: '187', size: '42', gender: 'male', ageGroup: 'adult' }
    expect(says(sized(249), shoes)).toEqual([expect.stringContaining('below 250 x 250')])
    expect(says(sized(250), shoes)).toEqual([])
  })

  test('does not mind the others', () => expect(says({ ...dead, image: second })).toEqual([]))
})

describe.each([metaProfile, openaiPlatform])('$platform', (platform) => {
  const says = (finding: ImageFinding | null, image = first) => {
    const imageFindings = finding === null ? [] : [{ ...finding, image }]
    return problemsOf(platform, feedOf({ images: [image], imageFindings })).map(({ reason }) => reason)
  }

  test.each<[string, ImageFinding]>([
    ['is not there: its host answers 404', dead],
    ['cannot be fetched', { ...dead, status: null }],
    ['no image that can be read, it is of the type html', page],
    ['no image that can be read, it is of the type empty', { ...page, type: 'empty' }],
    ['no image that can be read, it is of the type png', { ...page, type: 'png' }],
    ['50 x 50 pixels', sized(50)],
    ['larger than the', sized(60_000, 60_000, { state: 'too_large' })],
    ['larger than the', { ...dead, state: 'too_large', status: null }],
    ['does not take the first image, it is of the type webp', sized(800, 800, { type: 'webp' })],
  ])('refuses a first image that a check found to be none for it: %s', (reason, finding) => {
    expect(says(finding)).toEqual([expect.stringContaining(reason)])
  })

  test('goes by the first bytes where they are known, and by the name of what nobody has checked (KF-19)', () => {
    const [webp, svg] = ['https://cdn.example.test/b.webp', 'https://cdn.example.test/b.svg']
    expect(says(null, webp)).toEqual(['The image is a .webp; send a JPEG or PNG'])
    expect(says(sized(600, 600, { type: 'png' }), webp)).toEqual([])
    expect(says(sized(600, 600, { type: 'jpeg' }), svg)).toEqual([])
    expect(says(sized(600, 600, { type: 'webp' }), first)).toHaveLength(1)
  })
})

test('an image whose name says that it is of a kind which Google does not take is refused until a check says otherwise', () => {
  const says = (ending: string, imageFindings: readonly ImageFinding[] = []) =>
    problemsOf(googleProfile, feedOf({ images: [`https://cdn.example.test/a.${ending}?v=2`], imageFindings }))
  for (const ending of ['svg', 'avif', 'HEIC', 'heif', 'jxl', 'psd', 'ico']) {
    const image = `https://cdn.example.test/a.${ending}?v=2`
    expect(says(ending)).toMatchObject([{ field: 'image_link', reason: expect.stringContaining('send a JPEG or PNG') }])
    expect(says(ending, [sized(800, 800, { image })])).toEqual([])
  }
  for (const ending of ['webp', 'gif', 'bmp', 'tif', 'TIFF', 'png', 'jpeg', 'php']) expect(says(ending)).toEqual([])
})

test('Meta asks for 500 x 500 pixels and at most 8 MB', () => {
  const says = (finding: ImageFinding) => problemsOf(metaProfile, feedOf({ imageFindings: [finding] })).length
  expect([499, 500].map((pixels) => says(sized(800, pixels)))).toEqual([1, 0])
  expect([8, 9].map((megabytes) => says(sized(800, 800, { bytes: megabytes * 2 ** 20 })))).toEqual([0, 1])
})
