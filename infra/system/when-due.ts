/** Work in the background that is seldom due: one question a round asks for all of a process's, and what is due is done until there is no more. */
import { hash } from 'node:crypto'
import type { Pool } from 'pg'
import { startLoop } from './loop.ts'

export interface DueWork {
  /** A condition in SQL, cheap, and true wherever there may be something to do. */
  readonly isDue: string
  /** @returns whether there may be more to do right away */
  readonly work: (signal: AbortSignal) => Promise<boolean>
  /** Begun no sooner than this after its last beginning. */
  readonly everyMs?: number
}

export interface WhenDue {
  /**
   * Each works at its own pace, and none is begun while it is at work.
   * @returns ends it after the steps under way
   */
  watch(all: readonly DueWork[], onError: (error: unknown) => void): () => Promise<void>
}

interface Watched extends DueWork {
  readonly stop: AbortController
  readonly onError: (error: unknown) => void
  begunAt: number
  atWork: Promise<void> | null
}

/**
 * Each asking by itself was 25 statements a second of an Assay in which nothing happened.
 * @returns with what stops it, for the end: what is watched has been ended
 */
export function openWhenDue(
  pool: Pool,
  pauseMs: number,
  onError: (error: unknown) => void,
): WhenDue & { stop(): Promise<void> } {
  const watched = new Set<Watched>()
  let question: { name: string; text: string } | null = null
  const changed = () => {
    if (watched.size === 0) return null
    const text = `select array[${[...watched].map(({ isDue }) => isDue).join(', ')}] as due`
    // Kept by the connection: to plan it took longer than to answer it.
    return { name: `due ${hash('sha256', text, 'hex').slice(0, 16)}`, text }
  }

  async function untilDone({ work, stop: { signal }, onError }: Watched): Promise<void> {
    try {
      while (!signal.aborted && (await work(signal)));
    } catch (error) {
      if (!signal.aborted) onError(error)
    }
  }

  async function round(): Promise<false> {
    if (!question) return false
    const asked = [...watched]
    const { rows } = await pool.query<{ due: boolean[] }>(question)
    const now = performance.now()
    for (const [i, one] of asked.entries()) {
      if (!rows[0]?.due[i] || one.atWork || one.stop.signal.aborted || now - one.begunAt < (one.everyMs ?? 0)) continue
      one.begunAt = now
      one.atWork = untilDone(one).finally(() => {
        one.atWork = null
      })
    }
    return false
  }

  return {
    watch(all, onError) {
      const own = all.map((one): Watched => {
        const begun = { begunAt: Number.NEGATIVE_INFINITY, atWork: null }
        return { ...one, ...begun, stop: new AbortController(), onError }
      })
      for (const one of own) watched.add(one)
      question = changed()
      return async () => {
        for (const one of own) {
          one.stop.abort()
          watched.delete(one)
        }
        question = changed()
        await Promise.all(own.map(({ atWork }) => atWork))
      }
    },
    stop: startLoop(round, pauseMs, onError),
  }
}
