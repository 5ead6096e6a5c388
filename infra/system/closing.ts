/** Closes what was opened, in reverse order and within a bound: what hangs is left to the end of the process. */

type Close = () => Promise<unknown>

export interface Closing {
  /** In the order of opening. */
  readonly closers: Close[]
  /** Once; a second call finds nothing to do. */
  close(): Promise<void>
}

/** For all together; a store that does not answer must not hold the process. */
const togetherMs = 10_000
/** Each has at least this, whatever those before it took. */
const eachMs = 1_000

/** @param onError told of what failed or was left */
export function closing(onError: (error: unknown) => void): Closing {
  const closers: Close[] = []
  return {
    closers,
    async close() {
      const until = Date.now() + togetherMs
      for (const one of closers.splice(0).reverse())
        await within(one(), Math.max(until - Date.now(), eachMs)).catch(onError)
    },
  }
}

async function within(work: Promise<unknown>, ms: number): Promise<void> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`not closed within ${ms} ms`)), ms)
  })
  await Promise.race([work, late]).finally(() => clearTimeout(timer))
}
