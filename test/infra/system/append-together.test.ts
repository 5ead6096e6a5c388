import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { NewRecord } from '../../../infra/log/port.ts'
import { appendTogether } from '../../../infra/system/append-together.ts'

const record = (n: number): NewRecord => ({ key: String(n), value: `${n}` })

test('what comes meanwhile goes together: each once, in the order in which it came, and nobody is told before it is there', async () => {
  await fc.assert(
    fc.asyncProperty(fc.scheduler(), fc.integer({ min: 1, max: 60 }), async (scheduler, count) => {
      const log: string[] = []
      const { append } = appendTogether(
        scheduler.scheduleFunction(async (records: readonly NewRecord[]) => {
          log.push(...records.map(({ key }) => key))
        }),
        0,
      )
      const keys = Array.from({ length: count }, (_, n) => n)
      const told = Promise.all(keys.map((n) => append(record(n)).then(() => expect(log).toContain(String(n)))))
      await scheduler.waitFor(told)
      expect(log).toEqual(keys.map(String))
    }),
  )
})

test('a batch that fails fails for those in it alone', async () => {
  let calls = 0
  const { append } = appendTogether(async () => {
    if (++calls === 2) throw new Error('away')
  }, 0)
  const [first, second, third] = [append(record(1)), append(record(2)), append(record(3))]
  await expect(first).resolves.toBeUndefined()
  await expect(second).rejects.toThrow('away')
  await expect(third).rejects.toThrow('away')
  await expect(append(record(4))).resolves.toBeUndefined()
})

test('what comes shortly after one another is one batch', async () => {
  const batches: number[] = []
  const { append } = appendTogether(async (records) => void batches.push(records.length), 50)
  const first = append(record(1))
  await new Promise((later) => setTimeout(later, 5))
  await Promise.all([first, append(record(2)), append(record(3))])
  expect(batches).toEqual([3])
})

test('at the end what waits for others waits no longer, and is appended', async () => {
  const log: string[] = []
  const { append, close } = appendTogether<NewRecord>(
    async (records) => void log.push(...records.map(({ key }) => key)),
    60_000,
  )
  const told = append(record(1))
  await close()
  expect(log).toEqual(['1'])
  await told
  await append(record(2))
  expect(log).toEqual(['1', '2'])
})
