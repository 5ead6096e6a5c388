/** Lets one request at a time through to each host, with a pause between two. */
import { setTimeout as sleep } from 'node:timers/promises'
import { orAborted } from './or-aborted.ts'

export interface Turn {
  /** Gives the host to the next, who waits for the pause first. */
  release(pauseMs: number): void
}

interface Queue {
  /** Resolves with the time at which the next may ask. */
  tail: Promise<number>
  waiting: number
}

export function openTurns(): { take(host: string, signal?: AbortSignal): Promise<Turn> } {
  const queues = new Map<string, Queue>()
  return {
    async take(host, signal) {
      const queue = queues.get(host) ?? { tail: Promise.resolve(0), waiting: 0 }
      queues.set(host, queue)
      const before = queue.tail
      const { promise, resolve } = Promise.withResolvers<number>()
      queue.tail = promise
      queue.waiting++
      const release = (pauseMs: number) => {
        const next = Date.now() + pauseMs
        resolve(next)
        queue.waiting--
        // Kept for as long as somebody could come too soon.
        setTimeout(() => {
          if (queue.waiting === 0 && queue.tail === promise) queues.delete(host)
        }, pauseMs).unref()
      }
      try {
        const at = await orAborted(before, signal)
        await sleep(Math.max(0, at - Date.now()), undefined, signal ? { signal } : {})
      } catch (error) {
        // It has not asked: who comes next waits for who came before.
        void before.then((at) => release(Math.max(0, at - Date.now())))
        throw error
      }
      return { release }
    },
  }
}
