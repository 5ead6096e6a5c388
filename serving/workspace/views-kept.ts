/** Views of a brand's events: an instant and a snapshot with what was answered of it, given for a while to whoever looks, so that what they see adds up. */
import type { Snapshot, Tile } from './tile-ports.ts'

export interface View {
  readonly at: Date
  readonly snapshot: Snapshot
  answerOf(question: string): Tile | undefined
  keep(question: string, tile: Tile): void
}

interface Kept extends View {
  readonly untilMs: number
  rows: number
}

/** Of all tenants: some 20 MB. Views that were made first go first. */
const mostRows = 200_000

const rowsOf = ({ data }: Tile) =>
  'funnel' in data ? (1 + (data.funnel.groups?.length ?? 0)) * data.funnel.steps.length : 1 + data.rows.length

/** @param key names the tenant, and whatever else the answers depend on beside their questions (KF-35) @param isFresh a new one where events came since */
export type ViewOf = (key: string, isFresh: boolean) => Promise<View>

/** @param take makes the snapshot of a new view */
export function viewsKept(keptMs: number, now: () => Date, take: () => Promise<Snapshot>): ViewOf {
  const all = new Map<string, Kept>()
  let rows = 0

  function drop(key: string, view: Kept) {
    if (all.get(key) !== view) return
    all.delete(key)
    rows -= view.rows
  }

  function open(key: string, snapshot: Snapshot): View {
    const at = now()
    const tiles = new Map<string, Tile>()
    const view: Kept = {
      ...{ at, snapshot, untilMs: at.getTime() + keptMs, rows: 1 },
      answerOf: (question) => tiles.get(question),
      keep(question, tile) {
        if (tiles.has(question)) return
        tiles.set(question, tile)
        const more = rowsOf(tile)
        view.rows += more
        if (all.get(key) !== view) return
        rows += more
        for (const [oldest, one] of all) {
          if (rows <= mostRows) break
          drop(oldest, one)
        }
      },
    }
    const former = all.get(key)
    if (former) drop(key, former)
    all.set(key, view)
    rows += 1
    for (const [oldest, one] of all) {
      if (one.untilMs > at.getTime() && rows <= mostRows) break
      drop(oldest, one)
    }
    return view
  }

  return async (key, isFresh) => {
    const kept = () => {
      const found = all.get(key)
      return found && found.untilMs > now().getTime() ? found : undefined
    }
    if (!isFresh) {
      const found = kept()
      if (found) return found
    }
    const snapshot = await take()
    // Another may have made one meanwhile.
    const found = kept()
    return found && (!isFresh || found.snapshot.text === snapshot.text) ? found : open(key, snapshot)
  }
}
