/** Appends records that come one by one as few batches: what comes shortly after another, or while a batch is on its way, goes with it. */
import { setTimeout as sleep } from 'node:timers/promises'

/** A store that stands still must not fill the memory with what waits for it. */
const mostWaiting = 20_000
const mostTogether = 1_000
/** Nobody waits for these, and to append costs the store the same for one as for hundreds. */
const joinMs = 50

interface Waiting<T> {
  readonly record: T
  readonly done: () => void
  readonly failed: (error: unknown) => void
}

export interface Appending<T> {
  /** Resolves once the record is on the log; of a batch that fails all fail. */
  append(record: T): Promise<void>
  /** For the end: what waits is appended, and nothing waits for others any more. */
  close(): Promise<void>
}

export function appendTogether<T>(
  append: (records: readonly T[]) => Promise<unknown>,
  waitMs: number = joinMs,
): Appending<T> {
  let waiting: Waiting<T>[] = []
  let running: Promise<void> | null = null
  const hurry = new AbortController()

  async function run() {
    while (waiting.length > 0) {
      if (waiting.length < mostTogether && waitMs > 0)
        await sleep(waitMs, undefined, { signal: hurry.signal }).catch(() => {})
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
    running = null
  }

  return {
    append: (record) =>
      new Promise((done, failed) => {
        if (waiting.length >= mostWaiting) return failed(new Error('too many records wait for the log'))
        waiting.push({ record, done, failed })
        running ??= run()
      }),
    async close() {
      hurry.abort()
      await running
    },
  }
}
