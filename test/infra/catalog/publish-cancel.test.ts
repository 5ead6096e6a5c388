import { describe, expect, test } from 'vitest'
import { cancelPublish, finishCancels } from '../../../infra/catalog/publish-cancel.ts'
import { cutOffAfter, publishGround } from './publish-ground.ts'

const { catalog, sql, products, say, remove, begin, run, publish, resultOf, titles, present } = publishGround()
const pool = () => catalog().pipeline

describe('a publish that is cancelled', () => {
  /** Stopped after so many chunks. */
  async function building(chunks: number) {
    const ids = await products(6)
    await publish()
    await say(ids.slice(0, 4), 'second')
    await remove(ids.slice(4))
    const { job } = await begin()
    if (chunks > 0) await expect(run(job, cutOffAfter(chunks))).rejects.toThrow('cut off')
    return { ids, job }
  }

  test.each([0, 1, 2, 3, 4])('after %i chunks leaves no row behind and what had changed dirty', async (chunks) => {
    const { ids, job } = await building(chunks)
    expect(await cancelPublish(pool(), job)).toBe(true)
    await run(job)
    expect(await resultOf(job)).toMatchObject({ status: 'failed' })
    const { rows } = await sql(
      'select count(*) as n, count(*) filter (where valid_from > 1 or valid_to < 9223372036854775807) as moved from published where catalog_id = $1',
    )
    expect(rows).toEqual([{ n: 6, moved: 0 }])
    expect([await present(), await titles(1)]).toEqual([1, ids.map(() => 'first')])
    expect(await publish()).toMatchObject({ status: 'completed', version: 3, modified: 4, removed: 2 })
    expect(await titles(3)).toEqual(ids.slice(0, 4).map(() => 'second'))
  })

  test('and is cut off is swept by itself, or by whoever publishes next and does not wait for that', async () => {
    for (const sweep of [true, false]) {
      const { job } = await building(2)
      const [version] = (
        await sql(`update publish set state = 'cancelling' where job_id = $2 and catalog_id = $1 returning version`, [
          job,
        ])
      ).rows
      if (sweep) while (await finishCancels(pool()));
      expect(await publish()).toMatchObject({
        status: 'completed',
        version: version.version + 1,
        modified: 4,
        removed: 2,
      })
      await sql('update products set alive = false where catalog_id = $1')
    }
  })

  test('of 12,000 products that all changed is swept in moments, also before statistics know of them', async () => {
    await products(1)
    await sql(
      `insert into published (catalog_id, product_id, valid_from, valid_to, workspace_id, brand_id, hash, content)
       select $1, md5(n::text)::uuid, v, case when v = 1 then 2 else 9223372036854775807 end, workspace_id, brand_id, '', '{}'
         from catalog, generate_series(1, 12000) n, generate_series(1, 2) v where catalog_id = $1`,
    )
    await sql('update catalog set published_version = 1 where catalog_id = $1')
    const { job } = await begin()
    const began = performance.now()
    expect(await cancelPublish(pool(), job)).toBe(true)
    expect(performance.now() - began).toBeLessThan(10_000)
    const { rows } = await sql(
      `select count(*) as n, count(*) filter (where valid_from > 1 or valid_to < 9223372036854775807) as moved from published where catalog_id = $1`,
    )
    expect(rows).toEqual([{ n: 12_000, moved: 0 }])
  })

  test('cannot be cancelled once it stands', async () => {
    await products(2)
    const { job } = await begin()
    await run(job)
    expect(await cancelPublish(pool(), job)).toBe(false)
    expect([await present(), await titles(1)]).toEqual([1, ['first', 'first']])
  })
})

test('products that were never refined are left out, and counted every time', async () => {
  const [a = ''] = await products(2)
  await sql(`update products set stage = 'bronze', settings_number = 0 where catalog_id = $1 and product_id = $2`, [a])
  expect(await publish()).toMatchObject({ version: 1, added: 1, unrefined: 1 })
  expect(await publish()).toMatchObject({ version: 2, changeCount: 0, unrefined: 1 })
})
