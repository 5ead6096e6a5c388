import { expect, test } from 'vitest'
import { stopEvents } from './stop-events.ts'

test('while the event store is away, cut off or killed, events are taken and the lag is told; when it is back each is counted once', {
  timeout: 120_000,
}, async () => {
  const faults = await stopEvents({ awayMs: 4_000, say: () => {} })
  expect(faults, faults.join('; ')).toEqual([])
})
