import { randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { fillStep, isFilled } from '../../../infra/catalog/feed-fill.ts'
import { linePage } from '../../../infra/catalog/feed-pages.ts'
import { sweepFeedLines } from '../../../infra/catalog/feed-sweep.ts'
import { googleProfile } from '../../../schemas/feeds/google.ts'
import { lastProduct } from '../../../schemas/position.ts'
import { editionPages } from '../../../serving/feeds/feed-pages.ts'
import { readPosition } from '../../../serving/feeds/feed-position.ts'
import { lineRenderer } from '../../../serving/feeds/render-line.ts'
import { feedGround } from '../../serving/feeds/feed-ground.ts'

const ground = feedGround()
const productsOf = (lines: readonly Record<string, unknown>[]) => lines.map(({ _product }) => _product)
const tailOf = (config: number, version: string) => readPosition(`t.${config}.${version}.${lastProduct}`)

describe('the first lines', () => {
  test('are those of the version, in order of product, and refused products are none', async () => {
    const ids = await ground.offers(5)
    await ground.put(ids[2] as string, { title: null })
    await ground.publish()
    expect(productsOf(await ground.read())).toEqual(ids.filter((_, i) => i !== 2))
  })

  test('are each made once, whoever is at it at the same time', async () => {
    const ids = await ground.offers(450)
    await ground.publish()
    const config = await ground.config()
    let made = 0
    const render = lineRenderer(googleProfile, config)
    const counted: typeof render = (row, at) => {
      made++
      return render(row, at)
    }
    const one = async () => {
      for (let left = true; left; ) {
        const state = await fillStep(ground.catalog().pipeline, config, counted, '2026-11-28T12:00:00Z')
        left = state !== null && !isFilled(state)
      }
    }
    await Promise.all([one(), one(), one()])
    expect(made).toBe(450)
    expect(productsOf(await ground.read())).toEqual(ids)
  })

  test('go on where they stopped; who reads a later version meanwhile gets that one whole', async () => {
    const ids = await ground.offers(450)
    await ground.publish()
    const config = await ground.config()
    await ground.feeding().step(config)
    await ground.put(ids[0] as string, { title: 'Changed' })
    await ground.publish()
    const behind = await ground.reading(0)
    // Nothing more is made for it, so that it must be made for this reader.
    const texts: string[] = []
    const version = { ...behind, open: { ...behind.open, how: 'behind' as const, edition: 2_000_000 } }
    for await (const { bytes } of editionPages(version, { q: null, positions: false })) texts.push(bytes.toString())
    const lines = texts.join('').trimEnd().split('\n')
    expect(lines).toHaveLength(450)
    expect(lines.filter((line) => line.includes('"Changed"'))).toHaveLength(1)
    expect((await ground.read()).filter(({ title }) => title === 'Changed')).toHaveLength(1)
  })
})

describe('after a publish', () => {
  test('only what changed is told behind a position: lines that are new or other, and the ends of those that went', async () => {
    const ids = await ground.offers(6)
    await ground.publish()
    await ground.read()
    const { id: config } = await ground.config()
    await ground.put(ids[0] as string, { title: 'Changed' })
    await ground.put(ids[1] as string, { title: null })
    await ground.remove([ids[2] as string])
    // What the feed does not show is no change of it.
    await ground.put(ids[3] as string, { title: `Stool ${ids[3]}`, seoTitle: 'Not in the feed' })
    await ground.publish()
    const told = await ground.read(tailOf(config, '1'))
    expect(told.map(({ _product, _removed, title }) => [_product, _removed ?? title])).toEqual([
      [ids[0], 'Changed'],
      [ids[1], true],
      [ids[2], true],
    ])
    expect(told[1]).toMatchObject({ id: ids[1] })
    expect(productsOf(await ground.read())).toEqual([ids[0], ids[3], ids[4], ids[5]])
  })

  test('a snapshot that was begun before goes on as it was', async () => {
    const ids = await ground.offers(6)
    await ground.publish()
    const lines = await ground.read()
    await ground.put(ids[1] as string, { title: 'Changed' })
    await ground.put(ids[5] as string, { title: 'Changed too' })
    await ground.publish()
    const rest = await ground.read(readPosition(String(lines[2]?._position)))
    expect(rest.map(({ _product, title }) => [_product, title])).toEqual([
      [ids[3], `Stool ${ids[3]}`],
      [ids[4], `Stool ${ids[4]}`],
      [ids[5], `Stool ${ids[5]}`],
      [ids[1], 'Changed'],
      [ids[5], 'Changed too'],
    ])
  })
})

test('an offer that ends leaves the feed and is told to who follows, though nothing is published', async () => {
  const ids = await ground.offers(3)
  await ground.put(ids[1] as string, { expirationDate: '2026-12-01' })
  ground.setTime('2026-11-28T12:00:00.000Z')
  await ground.publish()
  const { id: config } = await ground.config()
  expect(productsOf(await ground.read())).toEqual(ids)
  ground.setTime('2026-12-01T23:59:59.000Z')
  expect(productsOf(await ground.read())).toEqual(ids)
  ground.setTime('2026-12-02T00:00:00.000Z')
  expect(productsOf(await ground.read())).toEqual([ids[0], ids[2]])
  expect(await ground.read(tailOf(config, '1'))).toMatchObject([{ _product: ids[1], _removed: true }])
  expect((await ground.reading()).open).toMatchObject({ how: 'stored' })
  ground.setTime('2026-11-28T12:00:00.000Z')
})

test('lines are copied out under policy: another workspace, or brand, gets none', async () => {
  await ground.offers(3)
  await ground.publish()
  await ground.read()
  const { id, brand } = await ground.config()
  const page = { config: id, edition: 1_000_000, after: null, limit: 10, upto: null, prefix: null }
  const taker = { room: Buffer.alloc, take: () => {} }
  const lines = async (workspaceId: string, brandIds: '*' | string[]) =>
    (await linePage((...of) => ground.catalog().copyWithTenant({ workspaceId, brandIds }, ...of), page, taker))
      ?.lines ?? 0
  expect(await lines('ws_test', '*')).toBe(3)
  expect(await lines('ws_test', [brand])).toBe(3)
  expect(await lines('ws_test', [randomUUID()])).toBe(0)
  expect(await lines('ws_other', '*')).toBe(0)
  // The connection is the pipeline's again.
  const { rows } = await ground.sql(
    'select current_user <> $2 as own, count(*) as n from published where catalog_id = $1',
    ['assay_api'],
  )
  expect(rows[0]).toEqual({ own: true, n: 3 })
})

describe('what is kept no longer', () => {
  test('ended lines and marks go with the versions that they belong to; what stands stays', async () => {
    const ids = await ground.offers(3)
    await ground.publish()
    await ground.read()
    await ground.put(ids[0] as string, { title: 'Changed' })
    await ground.remove([ids[1] as string])
    await ground.publish()
    await ground.read()
    const count = async () => (await ground.sql(rowsSql)).rows[0].n
    expect(await count()).toBe(5)
    while (await sweepFeedLines(ground.catalog().pipeline));
    expect(await count()).toBe(5)
    await ground.sql(`update publish set state = 'dropped' where catalog_id = $1 and version = 1`)
    while (await sweepFeedLines(ground.catalog().pipeline));
    expect(await count()).toBe(2)
    expect(productsOf(await ground.read())).toEqual([ids[0], ids[2]])
  })

  test('a feed that fell behind the versions that are kept is made anew under another number', async () => {
    const ids = await ground.offers(2)
    await ground.publish()
    await ground.read()
    const before = await ground.config()
    await ground.remove([ids[0] as string])
    await ground.publish()
    await ground.sql(`update publish set state = 'dropped' where catalog_id = $1 and version = 1`)
    expect(await ground.feeding().present(before)).toBe(null)
    const after = await ground.config()
    expect(after.id).not.toBe(before.id)
    expect(productsOf(await ground.read())).toEqual([ids[1]])
    while (await sweepFeedLines(ground.catalog().pipeline));
    expect(await ground.find(before.id)).toBe(null)
    expect((await ground.sql(rowsSql)).rows[0].n).toBe(1)
  })
})

const rowsSql =
  'select count(*) as n from feed_line where config_id in (select config_id from feed_config where catalog_id = $1)'
