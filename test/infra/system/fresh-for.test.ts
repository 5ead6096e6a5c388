import { expect, test } from 'vitest'
import { freshFor } from '../../../infra/system/fresh-for.ts'

function counted() {
  const clock = { ms: 0 }
  let asked = 0
  const fresh = freshFor(
    5_000,
    () => clock.ms,
    async (key) => `${key} ${++asked}`,
  )
  return { clock, fresh }
}

test('an answer is kept for so long and no longer', async () => {
  const { clock, fresh } = counted()
  expect([await fresh('a'), await fresh('a')]).toEqual(['a 1', 'a 1'])
  clock.ms = 4_999
  expect(await fresh('a')).toBe('a 1')
  clock.ms = 5_000
  expect(await fresh('a')).toBe('a 2')
})

test('what is known is there at once, and what is not is promised', async () => {
  const { clock, fresh } = counted()
  const promised = fresh.atOnce('a')
  expect(promised).toBeInstanceOf(Promise)
  expect(await promised).toBe('a 1')
  expect(fresh.atOnce('a')).toBe('a 1')
  clock.ms = 5_000
  expect(fresh.atOnce('a')).toBeInstanceOf(Promise)
  await fresh('b')
  fresh.forgetAll()
  expect(await fresh('b')).toBe('b 4')
})

test('what is forgotten is looked up again, what is not is kept, and an answer under way is not taken for news', async () => {
  const { fresh } = counted()
  const underWay = fresh('a')
  await fresh('b')
  fresh.forget('a')
  expect([await underWay, await fresh('a'), await fresh('b')]).toEqual(['a 1', 'a 3', 'b 2'])
})

test('a look-up that fails is not kept', async () => {
  let asked = 0
  const fresh = freshFor(5_000, Date.now, async () => {
    if (++asked === 1) throw new Error('away')
    return asked
  })
  await expect(fresh('a')).rejects.toThrow('away')
  expect(await fresh('a')).toBe(2)
})
