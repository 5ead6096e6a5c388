import { randomUUID } from 'node:crypto'
import type { Client } from 'pg'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { groupAlike } from '../../../infra/catalog/image-likeness.ts'
import { type Catalog, connect, openCatalog } from '../../../infra/catalog/postgres.ts'
import { mulberry32 } from '../../faults/mulberry.ts'
import { freshDatabase, type TestDatabase } from '../../harness.ts'

let database: TestDatabase
let catalog: Catalog
let writer: Client
let id = ''
beforeAll(async () => {
  database = await freshDatabase()
  catalog = openCatalog(database.url, { maxConnections: 2 })
  writer = await connect(database.url)
})
afterAll(async () => {
  await writer.end()
  await catalog.close()
  await database.drop()
})
beforeEach(() => {
  id = randomUUID()
})

const random = mulberry32(7)
const anyLooks = () => Buffer.from(Array.from({ length: 8 }, () => Math.floor(random() * 256)))
const flipped = (looks: Buffer, ...bits: readonly number[]) => {
  const other = Buffer.from(looks)
  for (const bit of bits) other[bit >> 3] = (other[bit >> 3] ?? 0) ^ (1 << (bit & 7))
  return other
}

/** @returns for each of the looks which other of them stands for its picture */
async function grouped(all: readonly Buffer[], of = id): Promise<number[]> {
  const hashes = all.map((_, i) => Buffer.from(i.toString(16).padStart(32, '0'), 'hex'))
  await writer.query(
    `insert into image_check (catalog_id, address_hash, workspace_id, brand_id, address, host, product_id, seen_at, looks, alike)
     select $1, h, 'ws_test', $1, 'a', 'h', $1, now(), l, l from unnest($2::bytea[], $3::bytea[]) as i (h, l)`,
    [of, hashes, all],
  )
  await catalog.inTransaction(catalog.pipeline, (tx) => groupAlike(tx, of))
  const { rows } = await writer.query<{ alike: Buffer }>(
    'select alike from image_check where catalog_id = $1 order by address_hash',
    [of],
  )
  return rows.map(({ alike }) => all.findIndex((looks) => looks.equals(alike)))
}

test('looks that differ in up to three bits are one picture, and those that differ in more are not', async () => {
  const first = anyLooks()
  const [, one, three, four] = await grouped([
    first,
    flipped(first, 5),
    flipped(first, 0, 20, 40),
    flipped(anyLooks(), 1),
  ])
  const [alone] = await grouped([first, flipped(first, 0, 20, 40, 60)], randomUUID())
  expect(new Set([one, three]).size).toBe(1)
  expect(four).toBe(3)
  expect(alone).toBe(0)
})

test('any three bits may be the ones that differ', async () => {
  const all = Array.from({ length: 40 }, () => {
    const looks = anyLooks()
    const bits = new Set([0, 1, 2].map(() => Math.floor(random() * 64)))
    return [looks, flipped(looks, ...bits)]
  })
  const groups = await grouped(all.flat())
  for (let i = 0; i < groups.length; i += 2) expect(groups[i]).toBe(groups[i + 1])
  expect(new Set(groups).size).toBe(40)
})

test('a chain in which each is near the next is one picture', async () => {
  const first = anyLooks()
  const chain = [
    first,
    flipped(first, 0, 1, 2),
    flipped(first, 0, 1, 2, 16, 17, 18),
    flipped(first, 0, 1, 2, 16, 17, 18, 32),
  ]
  expect(new Set(await grouped(chain)).size).toBe(1)
})

test('files that look the same are one picture, however many there are, and however many share a part of it', async () => {
  const same = anyLooks()
  const plain = Array.from({ length: 400 }, () => Buffer.concat([Buffer.alloc(2), anyLooks().subarray(2)]))
  const groups = await grouped([...Array(300).fill(same), ...plain, flipped(plain[0] ?? same, 63)])
  expect(new Set(groups.slice(0, 300)).size).toBe(1)
  expect(groups.at(-1)).toBe(groups[300])
  expect(new Set(groups).size).toBe(401)
})

test('a picture that is no longer near another stands for itself, and other catalogs are left alone', async () => {
  const first = anyLooks()
  const [other, mine] = [randomUUID(), id]
  await grouped([first, flipped(first, 3)], other)
  await grouped([first, flipped(first, 3)], mine)
  await writer.query(`update image_check set looks = $2 where catalog_id = $1 and address_hash = $3`, [
    mine,
    anyLooks(),
    Buffer.from('1'.padStart(32, '0'), 'hex'),
  ])
  await catalog.inTransaction(catalog.pipeline, (tx) => groupAlike(tx, mine))
  const pictures = async (of: string) =>
    (await writer.query('select distinct alike from image_check where catalog_id = $1', [of])).rowCount
  expect([await pictures(mine), await pictures(other)]).toEqual([2, 1])
})
