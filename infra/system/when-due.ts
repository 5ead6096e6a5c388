/** Work in the background that is seldom due: one question a round asks for all of it, and what is due is done until there is no more. */
import { hash } from 'node:crypto'
import type { Pool } from 'pg'
import { startLoop } from './loop.ts'

export interface DueWork {
  /** A condition in SQL, cheap, and true wherever there may be something to do. */
  readonly isDue: string
  /** @returns whether there may be more to do right away */
  readonly work: (signal: AbortSignal) => Promise<boolean>
}

/**
 * Each works at its own pace, and none is begun while it is at work. Each asking by itself was 25 statements a second of an Assay in which
 * nothing happened.
 * @returns stops it after the steps under way
 */
export function startWhenDue(
  pool: Pool,
  all: readonly DueWork[],
  pauseMs: number,
  onError: (error: unknown) => void,
): () => Promise<void> {
  const atWork = new Map<DueWork, Promise<void>>()
  const text = `select array[${all.map(({ isDue }) => isDue).join(', ')}] as due`
  // Kept by the connection: to plan it took longer than to answer it.
  const question = { name: `due ${hash('sha256', text, 'hex').slice(0, 16)}`, text }

  async function untilDone({ work }: DueWork, signal: AbortSignal): Promise<void> {
    try {
      while (!signal.aborted && (await work(signal)));
    } catch (error) {
      if (!signal.aborted) onError(error)
    }
  }

  const stop = startLoop(
    async (signal) => {
      const { rows } = await pool.query<{ due: boolean[] }>(question)
      for (const [i, one] of all.entries()) {
        if (!rows[0]?.due[i] || atWork.has(one)) continue
        const ended = untilDone(one, signal).finally(() => atWork.delete(one))
        atWork.set(one, ended)
      }
      return false
    },
    pauseMs,
    onError,
  )
  return async () => {
    await stop()
    await Promise.all(atWork.values())
  }
}
