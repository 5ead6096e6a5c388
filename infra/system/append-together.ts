/** Appends records that come one by one as few batches: what comes while a batch is on its way goes with the next. */
import type { NewRecord } from '../log/port.ts'

/** A store that stands still must not fill the memory with what waits for it. */
const mostWaiting = 20_000
const mostTogether = 1_000

interface Waiting {
  readonly record: NewRecord
  readonly done: () => void
  readonly failed: (error: unknown) => void
}

/** @returns resolves once the record is on the log; of a batch that fails all fail */
export function appendTogether(
  append: (records: readonly NewRecord[]) => Promise<unknown>,
): (record: NewRecord) => Promise<void> {
  let waiting: Waiting[] = []
  let running = false
  async function run() {
    running = true
    while (waiting.length > 0) {
      const batch = waiting.slice(0, mostTogether)
      waiting = waiting.slice(mostTogether)
      await append(batch.map(({ record }) => record)).then(
        () => {
          for (const { done } of batch) done()
        },
        (error: unknown) => {
          for (const { failed } of batch) failed(error)
        },
      )
    }
    running = false
  }
  return (record) =>
    new Promise((done, failed) => {
      if (waiting.length >= mostWaiting) return failed(new Error('too many records wait for the log'))
      waiting.push({ record, done, failed })
      if (!running) void run()
    })
}
