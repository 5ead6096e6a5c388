import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { NewRecord } from '../../../infra/log/port.ts'
import { appendTogether } from '../../../infra/system/append-together.ts'

const record = (n: number): NewRecord => ({ key: String(n), value: `${n}` })

test('what comes meanwhile goes together: each once, in the order in which it came, and nobody is told before it is there', async () => {
  await fc.assert(
    fc.asyncProperty(fc.scheduler(), fc.integer({ min: 1, max: 60 }), async (scheduler, count) => {
      const log: string[] = []
      const append = appendTogether(
        scheduler.scheduleFunction(async (records: readonly NewRecord[]) => {
          log.push(...records.map(({ key }) => key))
        }),
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
  const append = appendTogether(async () => {
    if (++calls === 2) throw new Error('away')
  })
  const [first, second, third] = [append(record(1)), append(record(2)), append(record(3))]
  await expect(first).resolves.toBeUndefined()
  await expect(second).rejects.toThrow('away')
  await expect(third).rejects.toThrow('away')
  await expect(append(record(4))).resolves.toBeUndefined()
})
