import { describe, expect, test } from 'vitest'
import { cutOffAfter, publishGround } from '../catalog/publish-ground.ts'

const { catalog, products, say, begin, run, publish, resultOf, titles, present } = publishGround()

describe('two publishes at once', () => {
  test('are one job: the second is told of the first', async () => {
    await products(3)
    const both = await Promise.all([begin(), begin()])
    expect(both.map(({ running }) => running).sort()).toEqual([false, true])
    expect(new Set(both.map(({ job }) => job)).size).toBe(1)
  })

  test('of one job, as after a process that was taken for dead, make one version', async () => {
    await products(20)
    const { job } = await begin()
    await Promise.allSettled([run(job), run(job)])
    await run(job)
    expect(await resultOf(job)).toMatchObject({ status: 'completed', version: 1, added: 20 })
    expect(await titles(1)).toHaveLength(20)
  })
})

test('a publish that is cut off at every chunk goes on from there each time', async () => {
  const ids = await products(9)
  await publish()
  await say(ids, 'second')
  const { job } = await begin()
  // Five chunks of two, and the moment before the flip.
  for (let cut = 0; cut < 6; cut++) {
    await expect(run(job, cutOffAfter(1))).rejects.toThrow('cut off')
    expect(await titles(await present())).toEqual(ids.map(() => 'first'))
  }
  await run(job)
  expect(await resultOf(job)).toMatchObject({ status: 'completed', version: 2, modified: 9, changeCount: 9 })
  expect(await titles(2)).toEqual(ids.map(() => 'second'))
})

test('a job that is run again after its version stands stays completed', async () => {
  await products(2)
  const { job } = await begin()
  await run(job)
  await run(job)
  expect(await resultOf(job)).toMatchObject({ status: 'completed', added: 2 })
})

test('a build whose job gave up is gone on with by the next publish, and takes in what came meanwhile', async () => {
  const ids = await products(6)
  const { job } = await begin()
  await expect(run(job, cutOffAfter(2))).rejects.toThrow('cut off')
  await catalog().pipeline.query(`update job set status = 'failed' where job_id = $1`, [job])
  await say(ids.slice(0, 1), 'second')
  expect(await publish()).toMatchObject({ status: 'completed', version: 1, added: 6 })
  expect(await titles(1)).toEqual(['second', 'first', 'first', 'first', 'first', 'first'])
})
