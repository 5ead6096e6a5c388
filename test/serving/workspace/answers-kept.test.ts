import { describe, expect, test } from 'vitest'
import { answersKept } from '../../../serving/workspace/answers-kept.ts'

const always = () => true
const here = () => new AbortController().signal

describe('an answer that is being made', () => {
  test('is made once for all who ask', async () => {
    const kept = answersKept<number>(1_000, () => 0)
    let made = 0
    const make = async () => ++made
    const all = await Promise.all([1, 2, 3].map(() => kept('a', make, always, here)))
    expect(all.map(({ value }) => value)).toEqual([1, 1, 1])
    expect(all.filter(({ hit }) => !hit)).toHaveLength(1)
  })

  test('is given up when the last who waits for it has gone, and not before', async () => {
    const kept = answersKept<number>(1_000, () => 0)
    const askers = [new AbortController(), new AbortController()]
    let gone: AbortSignal | undefined
    const make = (signal: AbortSignal) => {
      gone = signal
      return new Promise<number>((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)))
    }
    const all = askers.map(({ signal }) => kept('a', make, always, () => signal).catch(() => 'given up'))
    askers[0]?.abort()
    expect(gone?.aborted).toBe(false)
    askers[1]?.abort()
    expect(gone?.aborted).toBe(true)
    expect(await Promise.all(all)).toEqual(['given up', 'given up'])
    expect(await kept('a', async () => 2, always, here)).toEqual({ value: 2, hit: false })
  })
})

test('an answer that is there stays, whoever goes', async () => {
  const kept = answersKept<number>(1_000, () => 0)
  const asker = new AbortController()
  await kept(
    'a',
    async () => 1,
    always,
    () => asker.signal,
  )
  asker.abort()
  expect(await kept('a', async () => 2, always, here)).toEqual({ value: 1, hit: true })
})

test('an answer that is asked anew and cannot be had is the one that is kept, where that is excused', async () => {
  const kept = answersKept<number>(1_000, () => 0)
  const never = () => false
  const fails = async () => Promise.reject(new Error('away'))
  await expect(kept('a', fails, never, here, always)).rejects.toThrow('away')
  await kept('a', async () => 1, never, here)
  expect(await kept('a', fails, never, here, always)).toEqual({ value: 1, hit: true })
  await expect(kept('a', fails, never, here, never)).rejects.toThrow('away')
})
