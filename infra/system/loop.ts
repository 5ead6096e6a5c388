/** Something that is done again and again in the background: at once while there is more to do, else after a pause. */
import { setTimeout as sleep } from 'node:timers/promises'

/**
 * @param work returns whether there may be more to do right away
 * @returns stops it after the round under way
 */
export function startLoop(
  work: (signal: AbortSignal) => Promise<boolean>,
  pauseMs: number,
  onError: (error: unknown) => void,
): () => Promise<void> {
  const stop = new AbortController()
  const running = (async () => {
    while (!stop.signal.aborted) {
      const more = await work(stop.signal).catch((error: unknown) => {
        if (!stop.signal.aborted) onError(error)
        return false
      })
      if (!more) await sleep(pauseMs, undefined, { signal: stop.signal }).catch(() => {})
    }
  })()
  return async () => {
    stop.abort()
    await running
  }
}
