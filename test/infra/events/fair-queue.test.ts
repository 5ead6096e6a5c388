import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import { fairQueue } from '../../../infra/events/fair-queue.ts'
import { ServiceError } from '../../../schemas/errors.ts'

const bounds = { atOnce: 1, each: 1, waitMs: 60_000, waiting: 200 }

/** Work that ends when it is told to, and says when it began; the clock goes on by what it is told alone. */
function works() {
  let ms = 0
  const began: string[] = []
  const ends = new Map<string, () => void>()
  return {
    began,
    now: () => ms,
    work: (name: string) => () =>
      new Promise<string>((resolve) => {
        began.push(name)
        ends.set(name, () => resolve(name))
      }),
    async end(name: string, afterMs = 0) {
      // What was to begin by now has.
      await sleep(1)
      ms += afterMs
      ends.get(name)?.()
      await sleep(1)
    },
  }
}

test('who asks much waits for those who ask little, and asks on when they have their answers', async () => {
  const { began, now, work, end } = works()
  const queue = fairQueue(bounds, now)
  for (let i = 1; i <= 3; i++) void queue.run('many', work(`many ${i}`))
  for (const name of ['few 1', 'few 2']) void queue.run('few', work(name))
  void queue.run('other', work('other'))
  await end('many 1', 30)
  await end('few 1', 2)
  await end('other', 3)
  await end('few 2', 1)
  await end('many 2', 1)
  expect(began).toEqual(['many 1', 'few 1', 'other', 'few 2', 'many 2', 'many 3'])
})

test('who asked nothing for long has saved nothing up', async () => {
  const { began, now, work, end } = works()
  const queue = fairQueue(bounds, now)
  void queue.run('old', work('old 1'))
  for (let i = 2; i <= 4; i++) void queue.run('old', work(`old ${i}`))
  await end('old 1', 20)
  await end('old 2', 20)
  // Forty milliseconds later: it begins with as much as the other has had.
  for (let i = 1; i <= 3; i++) void queue.run('new', work(`new ${i}`))
  await end('old 3', 20)
  await end('new 1', 25)
  expect(began).toEqual(['old 1', 'old 2', 'old 3', 'new 1', 'old 4'])
})

test('of one tenant no more run than may, though the store could answer more', async () => {
  const queue = fairQueue({ ...bounds, atOnce: 3, each: 2 })
  const { began, work, end } = works()
  for (let i = 1; i <= 4; i++) void queue.run('many', work(`many ${i}`))
  void queue.run('few', work('few'))
  await sleep(1)
  expect(began).toEqual(['many 1', 'many 2', 'few'])
  await end('many 2')
  expect(began).toEqual(['many 1', 'many 2', 'few', 'many 3'])
})

describe('a question', () => {
  test('whose turn does not come in time is told to come again, and its place is free', async () => {
    const queue = fairQueue({ ...bounds, waitMs: 20 })
    const { began, work, end } = works()
    const first = queue.run('a', work('first'))
    const late = await queue.run('b', work('late')).catch((error: unknown) => error)
    expect(late).toBeInstanceOf(ServiceError)
    expect(late).toMatchObject({ code: 'SERVER_002', status: 503 })
    void queue.run('b', work('second'))
    await end('first')
    expect([await first, began]).toEqual(['first', ['first', 'second']])
  })

  test('of one who has too many waiting is told so at once', async () => {
    const queue = fairQueue({ ...bounds, waiting: 2 })
    const { work } = works()
    for (const name of ['1', '2', '3']) void queue.run('a', work(name))
    await expect(queue.run('a', work('4'))).rejects.toMatchObject({ code: 'SERVER_002' })
    void queue.run('b', work('5'))
  })

  test('whose asker has gone is not asked', async () => {
    const queue = fairQueue(bounds)
    const { began, work, end } = works()
    void queue.run('a', work('first'))
    const gone = new AbortController()
    const left = queue.run('a', work('left'), gone.signal)
    const after = queue.run('a', work('after'))
    gone.abort()
    await expect(left).rejects.toThrow(/abort/i)
    await expect(queue.run('a', work('never'), gone.signal)).rejects.toThrow(/abort/i)
    await end('first')
    await end('after')
    expect([await after, began]).toEqual(['after', ['first', 'after']])
  })

  test('that fails gives its turn on', async () => {
    const queue = fairQueue(bounds)
    const failing = queue.run('a', async () => Promise.reject(new Error('wrong')))
    const next = queue.run('a', async () => 'right')
    await expect(failing).rejects.toThrow('wrong')
    expect(await next).toBe('right')
  })
})
