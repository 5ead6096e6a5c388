import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { fillingPages, type ReadLines, storedPages } from '../../../serving/feeds/line-pages.ts'

const products = Array.from({ length: 2_500 }, (_, n) => String(n).padStart(4, '0'))

const pieceLines = 30

/** Lines of these bytes each; what was asked for, and where pieces were put, is noted. */
function store(bytes: number, made = () => products.length) {
  const asked: number[] = []
  const rooms = new Set<Buffer>()
  const read: ReadLines = async (after, limit, taker, upto) => {
    asked.push(limit)
    const there = products
      .slice(0, made())
      .filter((one) => (after === null || one > after) && (upto === undefined || one <= upto))
      .slice(0, limit)
    for (let from = 0; from < there.length; from += pieceLines) {
      const some = there.slice(from, from + pieceLines)
      const room = taker.room(some.length * bytes)
      rooms.add(room)
      const end = room.write(some.map((one) => `${one.padEnd(bytes - 1)}\n`).join(''))
      taker.take({ bytes: room.subarray(0, end), lines: some.length, last: some.at(-1) ?? '' })
    }
    const last = there.at(-1)
    return last === undefined ? null : { bytes: there.length * bytes, lines: there.length, last }
  }
  return { asked, rooms, read }
}

async function sent(pages: ReturnType<typeof storedPages>): Promise<string[]> {
  let text = ''
  for await (const { bytes } of pages) text += bytes.toString()
  return text.split('\n').flatMap((line) => line.trim() || [])
}

test('all lines come once and in order, a few first', async () => {
  const { read, asked } = store(10)
  expect(await sent(storedPages(read, null))).toEqual(products)
  expect(asked[0]).toBe(200)
  expect(await sent(storedPages(read, '2497'))).toEqual(['2498', '2499'])
})

test('KF-29: pages of long lines have fewer of them, and each uses the memory of one before', async () => {
  const { read, asked, rooms } = store(10_000)
  await sent(storedPages(read, null))
  expect(Math.max(...asked) * 10_000).toBeLessThan(5 * 1024 * 1024)
  const most = Math.ceil(Math.max(...asked) / pieceLines)
  expect(rooms.size).toBeLessThanOrEqual(2 * most + 1)
  expect(products.length / pieceLines).toBeGreaterThan(2 * most + 1)
})

test('KF-29: only the page after the one being written is read ahead, and none once the reader has gone', async () => {
  const { read, asked } = store(20_000)
  const pages = storedPages(read, null)
  const first = await pages.next()
  await sleep(5)
  expect(asked).toHaveLength(2)
  for (let lines = first.value?.lines ?? 0; lines <= 200; ) lines += (await pages.next()).value?.lines ?? 0
  await sleep(5)
  expect(asked).toHaveLength(3)
  await pages.return(undefined)
  await sleep(5)
  expect(asked).toHaveLength(3)
})

test('a page that cannot be read fails its reader', async () => {
  const { read } = store(10)
  const failing: ReadLines = async (...of) => {
    await read(...of)
    throw new Error('the store is away')
  }
  await expect(sent(storedPages(failing, null))).rejects.toThrow('the store is away')
})

test('the first reader gets lines as they are made, and makes no more once it has gone', async () => {
  let made = 200
  let steps = 0
  const step = async () => {
    steps++
    made = Math.min(products.length, made + 1_000)
    return { edition: made === products.length ? 1_000_000 : null, product: products[made - 1] ?? null }
  }
  const { read } = store(10, () => made)
  const begun = { edition: null, product: products[199] ?? null }
  expect(await sent(fillingPages(read, begun, step, null))).toEqual(products)
  expect(steps).toBe(3)

  made = 200
  const pages = fillingPages(read, begun, step, null)
  expect((await pages.next()).value?.lines).toBe(pieceLines)
  await pages.return(undefined)
  expect(steps).toBe(3)
})
