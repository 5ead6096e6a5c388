/** Something that is done again and again in the background: at once while there is more to do, else after a pause. */
import { setTimeout as sleep } from 'node:timers/promises'

/**
 * @param work returns whether there may be more to do right away
 * @param firstAfterMs for what is not urgent
 * @returns stops it after the round under way
 */
export function startLoop(
  work: (signal: AbortSignal) => Promise<boolean>,
  pauseMs: number,
  onError: (error: unknown) => void,
  firstAfterMs = 0,
): () => Promise<void> {
  const stop = new AbortController()
  const pause = (ms: number) => sleep(ms, undefined, { signal: stop.signal }).catch(() => {})
  const running = (async () => {
    if (firstAfterMs > 0) await pause(firstAfterMs)
    while (!stop.signal.aborted) {
      const more = await work(stop.signal).catch((error: unknown) => {
        if (!stop.signal.aborted) onError(error)
        return false
      })
      if (!more) await pause(pauseMs)
    }
  })()
  return async () => {
    stop.abort()
    await running
  }
}
