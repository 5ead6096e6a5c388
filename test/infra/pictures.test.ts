import sharp from 'sharp'
import { expect, test } from 'vitest'
import { openPictures } from '../../infra/pictures.ts'
import { blank, drawn } from '../ingest/images/drawn.ts'

const megapixel = 1_000_000
const { look } = openPictures(megapixel)
const looks = async (bytes: Buffer) => BigInt(`0x${(await look(bytes))?.looks?.toString('hex') ?? ''}`)
const apart = (a: bigint, b: bigint) => [...(a ^ b).toString(2)].filter((bit) => bit === '1').length

test.each(['jpeg', 'png', 'webp', 'gif', 'tiff', 'avif'] as const)(
  'a %s tells its size and is whole',
  async (format) => {
    expect(await look(await drawn(1, 320, 200, format))).toMatchObject({ width: 320, height: 200, whole: true })
  },
)

test('one picture looks the same in every size and format but for three bits, and another does not', async () => {
  for (const seed of [1, 2, 3, 4, 5]) {
    const first = await looks(await drawn(seed, 800))
    for (const [side, format] of [
      [640, 'png'],
      [400, 'webp'],
      [200, 'jpeg'],
    ] as const)
      expect(apart(first, await looks(await drawn(seed, side, side, format)))).toBeLessThanOrEqual(3)
    expect(apart(first, await looks(await drawn(seed + 100, 800)))).toBeGreaterThan(10)
  }
})

test('a picture of nothing looks like none: all blank images would be one', async () => {
  expect(await look(await blank(400))).toMatchObject({ whole: true, looks: null })
})

test('a picture that its camera turned has the size in which it is shown', async () => {
  const turned = await sharp(await drawn(1, 300, 200))
    .withMetadata({ orientation: 6 })
    .jpeg()
    .toBuffer()
  expect(await look(turned)).toMatchObject({ width: 200, height: 300 })
})

test('a file that breaks off is not whole, and what is no image is none', async () => {
  const whole = await drawn(3, 600)
  expect(await look(whole.subarray(0, whole.length / 2))).toMatchObject({ width: 600, whole: false })
  expect(await look(Buffer.from('\xff\xd8\xff and no more', 'latin1'))).toBeNull()
  expect(await look(Buffer.alloc(0))).toBeNull()
})

test('a picture of more pixels than are taken is measured and never decoded', async () => {
  const huge = await sharp({ create: { width: 2_000, height: 1_000, channels: 3, background: 'red' } })
    .png()
    .toBuffer()
  expect(await look(huge)).toEqual({ width: 2_000, height: 1_000, whole: true, looks: null })
})

test('an SVG is given to no decoder', async () => {
  const svg = '<svg xmlns="http://www.w3.org/2000/svg" width="500" height="500"><rect width="9" height="9"/></svg>'
  expect(await look(Buffer.from(svg))).toBeNull()
})

test('one that cannot be read holds up none of those that wait behind it', async () => {
  const good = await drawn(4, 200)
  const seen = await Promise.all([look(Buffer.from('no')), look(good), look(Buffer.from('no')), look(good)])
  expect(seen.map((one) => one?.width ?? null)).toEqual([null, 200, null, 200])
})
