import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { insertTogether } from '../../../infra/system/insert-together.ts'
import { passTogether } from '../../../infra/system/pass-together.ts'

const lines = (...ids: string[]) => [Buffer.from(ids.join(''))]
const { signal } = new AbortController()

/** A store that answers when it is told to. */
function slowStore() {
  const asked: { ids: string; token: string; signal: AbortSignal; end: (how: unknown) => void }[] = []
  const insert = (all: readonly Uint8Array[], token: string, ofAll: AbortSignal) =>
    new Promise<unknown>((resolve, reject) => {
      const end = (how: unknown) => (how instanceof Error ? reject(how) : resolve(how))
      asked.push({ ids: Buffer.concat(all).toString(), token, signal: ofAll, end })
    })
  return { asked, insert: insertTogether(insert) }
}

test('blocks that are ready together, or while another is written, are one insert under all their names', async () => {
  const { asked, insert } = slowStore()
  const first = [insert(lines('a', 'b'), '1', signal), insert(lines('c'), '2', signal)]
  await expect.poll(() => asked.length).toBe(1)
  const later = [insert(lines('d'), '3', signal), insert(lines('e'), '4', signal)]
  await sleep(80)
  expect(asked.map(({ ids, token }) => [ids, token])).toEqual([['abc', '1,2']])
  asked[0]?.end(undefined)
  expect(await Promise.all(first)).toEqual(['written', 'written'])
  await expect.poll(() => asked.length).toBe(2)
  expect([asked[1]?.ids, asked[1]?.token]).toEqual(['de', '3,4'])
  asked[1]?.end(new Error('refused'))
  expect((await Promise.allSettled(later)).map(({ status }) => status)).toEqual(['rejected', 'rejected'])
  const after = insert(lines('f'), '5', signal)
  await expect.poll(() => asked.length).toBe(3)
  asked[2]?.end(undefined)
  expect(await after).toBe('written')
})

test('who leaves waits no longer, and the insert goes on for the others; the last sees it end', async () => {
  const { asked, insert } = slowStore()
  const [one, other] = [new AbortController(), new AbortController()]
  const both = [insert(lines('a'), '1', one.signal), insert(lines('b'), '2', other.signal)]
  await expect.poll(() => asked.length).toBe(1)
  one.abort()
  expect(await both[0]).toBe('stopped')
  expect(asked[0]?.signal.aborted).toBe(false)
  let hasLeft = false
  both[1]?.then(() => {
    hasLeft = true
  })
  other.abort()
  expect(asked[0]?.signal.aborted).toBe(true)
  await sleep(20)
  expect(hasLeft).toBe(false)
  asked[0]?.end('stopped')
  expect(await both[1]).toBe('stopped')
})

test('a block that is larger than all may be together is written alone, and none is forgotten', async () => {
  const { asked, insert } = slowStore()
  const many = [Buffer.alloc(8 * 1024 * 1024)]
  const all = ['1', '2', '3'].map((token) => insert(many, token, signal))
  for (let i = 0; i < 3; i++) {
    await expect.poll(() => asked.length).toBe(i + 1)
    asked[i]?.end(undefined)
  }
  expect(await Promise.all(all)).toEqual(['written', 'written', 'written'])
  expect(asked.map(({ token }) => token)).toEqual(['1', '2', '3'])
})

test('places that are told while the store is told of others are told together, and a failure is of those alone', async () => {
  const told: number[][] = []
  let fails = false
  const pass = passTogether(async (places) => {
    told.push(places.map(({ partition }) => partition))
    await sleep(20)
    if (fails) throw new Error('away')
  })
  const place = (partition: number) => ({ epoch: 1, partition, next: 5 })
  await Promise.all([pass(place(0)), sleep(5).then(() => Promise.all([pass(place(1)), pass(place(2))]))])
  expect(told).toEqual([[0], [1, 2]])
  fails = true
  await expect(pass(place(3))).rejects.toThrow('away')
  fails = false
  await pass(place(4))
  expect(told.slice(2)).toEqual([[3], [4]])
})
