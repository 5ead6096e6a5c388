/** Writes blocks that come while others are being written with one insert: of a store it asks as much for a few events as for thousands. */
import { setTimeout as sleep } from 'node:timers/promises'

interface Block {
  readonly lines: readonly Uint8Array[]
  readonly token: string
  readonly signal: AbortSignal
  readonly done: (end: 'written' | 'stopped') => void
  readonly fail: (error: unknown) => void
}

/** Those who read at the same time are ready one after another. */
const joinMs = 50
/** What an insert holds in memory: some 40,000 events as they are usual. */
const mostBytes = 10 * 1024 * 1024

/**
 * @param insert all of them or none, tried until that is done; ends as 'stopped' where nobody waits for it any more
 * @returns waits until the block is written, or its signal ends
 */
export function insertTogether(
  insert: (lines: readonly Uint8Array[], token: string, signal: AbortSignal) => Promise<unknown>,
): (lines: readonly Uint8Array[], token: string, signal: AbortSignal) => Promise<'written' | 'stopped'> {
  let waiting: Block[] = []
  let isWriting = false
  let underWay: readonly Block[] = []

  function next(): Block[] {
    let bytes = 0
    const some = waiting.filter((one, i) => {
      for (const { length } of one.lines) bytes += length
      return i === 0 || bytes <= mostBytes
    })
    waiting = waiting.filter((one) => !some.includes(one))
    return some
  }

  async function write(): Promise<void> {
    if (isWriting) return
    isWriting = true
    await sleep(joinMs)
    for (let some = next(); some.length > 0; some = next()) {
      const live = some.filter(({ signal }) => !signal.aborted)
      if (live.length === 0) continue
      underWay = live
      try {
        // The same lines under the same name as long as it takes, whoever of them leaves.
        const left = whenAll(live.map(({ signal }) => signal))
        const lines = live.flatMap((one) => one.lines)
        const end = await insert(lines, live.map(({ token }) => token).join(), left)
        for (const one of live) one.done(end === 'stopped' ? 'stopped' : 'written')
      } catch (error) {
        for (const one of live) one.fail(error)
      }
      underWay = []
    }
    isWriting = false
  }

  return (lines, token, signal) =>
    new Promise((resolve, reject) => {
      if (signal.aborted) return resolve('stopped')
      const leave = () => {
        // The last to leave waits for the end of what is under way: the store may be closed then.
        const isLast = underWay.includes(block) && underWay.every((one) => one.signal.aborted)
        if (!isLast) resolve('stopped')
      }
      const settled = () => signal.removeEventListener('abort', leave)
      const block: Block = {
        ...{ lines, token, signal },
        done(end) {
          settled()
          resolve(end)
        },
        fail(error) {
          settled()
          reject(error)
        },
      }
      signal.addEventListener('abort', leave, { once: true })
      waiting.push(block)
      void write()
    })
}

/** Ends when the last of them has. */
function whenAll(signals: readonly AbortSignal[]): AbortSignal {
  const [only] = signals
  if (signals.length === 1 && only) return only
  const all = new AbortController()
  let left = signals.length
  for (const signal of signals)
    signal.addEventListener(
      'abort',
      () => {
        if (--left === 0) all.abort()
      },
      { once: true },
    )
  return all.signal
}
