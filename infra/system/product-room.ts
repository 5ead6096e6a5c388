/** How many products a workspace's plan still takes: counted at most every few seconds, with what this node has made since. */
import { ServiceError } from '../../schemas/errors.ts'

export interface Held {
  readonly products: number
  readonly limit: number
}

const mostWorkspaces = 10_000

/**
 * Counting reads every product, so a limit may be overrun by what other nodes make within `keepMs`.
 * @param count null where there is no such workspace
 */
export function productRoom(keepMs: number, now: () => number, count: (workspace: string) => Promise<Held | null>) {
  const kept = new Map<string, { readonly at: number; readonly held: Promise<Held | null>; taken: number }>()
  const entryOf = (workspace: string) => {
    const found = kept.get(workspace)
    if (found && now() - found.at < keepMs) return found
    if (kept.size >= mostWorkspaces) kept.clear()
    const fresh = { at: now(), held: count(workspace), taken: 0 }
    kept.set(workspace, fresh)
    fresh.held.catch(() => kept.delete(workspace))
    return fresh
  }
  return {
    async take(workspace: string): Promise<void> {
      const entry = entryOf(workspace)
      const held = await entry.held
      if (!held || held.products + entry.taken < held.limit) {
        entry.taken++
        return
      }
      throw new ServiceError('PLAN_LIMIT', { message: `The plan takes ${held.limit} products, and they are there` })
    },
    async used(workspace: string): Promise<number> {
      const entry = entryOf(workspace)
      return ((await entry.held)?.products ?? 0) + entry.taken
    },
    giveBack(workspace: string): void {
      const entry = kept.get(workspace)
      if (entry && entry.taken > 0) entry.taken--
    },
  }
}
