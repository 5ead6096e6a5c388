/** Lets others have their turn while one request brings much to do: who sends ten thousand events holds up nobody. */
import { setImmediate } from 'node:timers/promises'

const atOnceMs = 10

/** @returns null as long as there is time left; what it else returns is to be awaited */
export function breaths(): () => Promise<void> | null {
  let since = performance.now()
  return () => {
    if (performance.now() - since < atOnceMs) return null
    return setImmediate().then(() => {
      since = performance.now()
    })
  }
}
