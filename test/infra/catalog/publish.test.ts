import { describe, expect, test } from 'vitest'
import { writeEffects } from '../../../infra/catalog/write-effects.ts'
import type { Log } from '../../../infra/log/port.ts'
import type { SinkBatch } from '../../../transforms/ports.ts'
import { cutOffAfter, publishGround } from './publish-ground.ts'

const {
  catalog,
  catalogId,
  sql,
  products,
  touch,
  say,
  remove,
  begin,
  run,
  publish,
  resultOf,
  progressOf,
  titles,
  present,
} = publishGround()

describe('a publish', () => {
  test('of new, changed and removed products is a version with the count of each', async () => {
    const [a = '', b = '', c = ''] = await products(4)
    expect(await publish()).toMatchObject({ status: 'completed', version: 1, added: 4, modified: 0, removed: 0 })
    await say([a, b], 'second')
    await remove([c])
    expect(await publish()).toMatchObject({ version: 2, added: 0, modified: 2, removed: 1, changeCount: 3 })
    expect((await titles(2)).sort()).toEqual(['first', 'second', 'second'])
    expect(await titles(1)).toEqual(['first', 'first', 'first', 'first'])
  })

  test('without changes has none, also where products were touched and are as they were', async () => {
    const ids = await products(5)
    await publish()
    expect(await publish()).toMatchObject({ version: 2, changeCount: 0 })
    await touch(ids)
    expect(await publish()).toMatchObject({ version: 3, changeCount: 0 })
    expect(await titles(3)).toHaveLength(5)
  })

  test('counts each product once in its progress, however often it changed', async () => {
    const ids = await products(6)
    await touch(ids)
    const { job } = await begin()
    await expect(run(job, cutOffAfter(4))).rejects.toThrow('cut off')
    expect(await progressOf(job)).toEqual({ done: 0, total: 6 })
    await run(job)
    expect(await progressOf(job)).toEqual({ done: 6, total: 6 })
    expect(await resultOf(job)).toMatchObject({ changeCount: 6 })
  })

  test('leaves a tombstone for a removal, and a product that comes back is added again', async () => {
    const [a = ''] = await products(1)
    await publish()
    await remove([a])
    await publish()
    const { rows } = await sql(
      'select valid_from as from, valid_to = 2 as closed, content is null as gone from published where catalog_id = $1 order by 1',
    )
    expect(rows).toMatchObject([
      { from: 1, closed: true, gone: false },
      { from: 2, closed: false, gone: true },
    ])
    await say([a], 'again')
    expect(await publish()).toMatchObject({ version: 3, added: 1, changeCount: 1 })
    expect([await titles(1), await titles(2), await titles(3)]).toEqual([['first'], [], ['again']])
  })
})

test('a reader who is pinned to a version never sees another, while the next ones are built and flipped', async () => {
  const ids = await products(24)
  await publish()
  let building = true
  const build = (async () => {
    for (const title of ['second', 'third', 'fourth', 'fifth']) {
      await say(ids, title)
      await publish()
    }
    building = false
  })()
  const names = ['', 'first', 'second', 'third', 'fourth', 'fifth']
  const seen = new Set<number>()
  while (building) {
    const version = await present()
    seen.add(version)
    expect(await titles(version, 5)).toEqual(ids.map(() => names[version]))
  }
  await build
  expect(seen.size).toBeGreaterThan(1)
})

describe('a product that changes while its version is built', () => {
  /** Begins with the product named twice, and stops after the chunk that writes it first. */
  async function between(title: string | null, change: (id: string) => Promise<unknown>) {
    const [a = '', ...rest] = await products(4)
    if (title !== null) {
      await publish()
      await say([a, ...rest, a], title)
    } else await touch([a])
    const { job } = await begin()
    await expect(run(job, cutOffAfter(2))).rejects.toThrow('cut off')
    await change(a)
    await run(job)
    return { a, result: await resultOf(job) }
  }

  test('stands in it once, as it was last seen, and in the next if it changed after that', async () => {
    const { a, result } = await between('second', (id) => say([id], 'third'))
    expect(result).toMatchObject({ version: 2, modified: 4, changeCount: 4 })
    expect((await titles(2)).sort()).toEqual(['second', 'second', 'second', 'third'])
    await say([a], 'fourth')
    expect(await publish()).toMatchObject({ version: 3, modified: 1, changeCount: 1 })
  })

  test('back to what the former version has is no change', async () => {
    const { result } = await between('second', (id) => say([id], 'first'))
    expect(result).toMatchObject({ version: 2, modified: 3, changeCount: 3 })
    expect((await titles(2)).sort()).toEqual(['first', 'second', 'second', 'second'])
  })

  test('and came and went within it was never there', async () => {
    const { result } = await between(null, (id) => remove([id]))
    expect(result).toMatchObject({ version: 1, added: 3, removed: 0, changeCount: 3 })
    expect(await titles(1)).toHaveLength(3)
  })
})

test('a worker that has numbered its changes and not committed them yet is waited for, so that none is passed by', async () => {
  const [a = '', b = ''] = await products(2)
  await publish()
  const write = { catalog: catalogId(), product: a, kind: 'single', contentChanged: true }
  const batch = { partition: 0, effects: [], notes: [], refused: [], dead: [], writes: [write] }
  let begun = false
  const job = await catalog().inTransaction(catalog().pipeline, async (tx) => {
    await tx.query(
      `update products set content_hash = 'late', refined = '{"title": "late"}' where catalog_id = $1 and product_id = $2`,
      [catalogId(), a],
    )
    await writeEffects(tx, {} as Log, batch as unknown as SinkBatch)
    // Numbered later, committed earlier.
    await say([b], 'second')
    const beginning = begin().then((started) => {
      begun = true
      return started.job
    })
    await new Promise((go) => setTimeout(go, 100))
    expect(begun).toBe(false)
    return { beginning }
  })
  await run(await job.beginning)
  expect((await titles(2)).sort()).toEqual(['late', 'second'])
})
