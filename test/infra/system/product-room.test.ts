import { expect, test } from 'vitest'
import { productRoom } from '../../../infra/system/product-room.ts'

const full = expect.objectContaining({ code: 'PLAN_LIMIT' })

test('what this node has made since the last count is counted, and what did not come is not', async () => {
  const room = productRoom(
    10_000,
    () => 0,
    async () => ({ products: 8, limit: 10 }),
  )
  await Promise.all([room.take('ws_a'), room.take('ws_a')])
  await expect(room.take('ws_a')).rejects.toEqual(full)
  expect(await room.used('ws_a')).toBe(10)
  await room.take('ws_b')
  room.giveBack('ws_a')
  await room.take('ws_a')
  await expect(room.take('ws_a')).rejects.toEqual(full)
})

test('the count is made again when its time is over, and after it failed', async () => {
  let now = 0
  const counts = [async () => ({ products: 1, limit: 1 }), () => Promise.reject(new Error('away'))]
  const room = productRoom(
    10_000,
    () => now,
    (): Promise<{ products: number; limit: number }> => {
      const next = counts.shift()
      return next ? next() : Promise.resolve({ products: 0, limit: 1 })
    },
  )
  await expect(room.take('ws_a')).rejects.toEqual(full)
  now = 10_000
  await expect(room.take('ws_a')).rejects.toThrow('away')
  await room.take('ws_a')
})
