/** Tells which events their workspaces keep: what is kept no longer, or once was not, is not brought back by a log that still has it. */
import type { Pool } from 'pg'
import type { AgentEvent } from '../../schemas/event.ts'
import { keptSince } from '../../schemas/event-days.ts'
import { keptByWorkspace } from '../catalog/event-days.ts'

type Timed = Pick<AgentEvent, 'workspace' | 'time' | 'received'>

/** @param among the workspaces of those that will be asked about */
export async function stillKept(pool: Pool, among: Iterable<string>, now: Date): Promise<(event: Timed) => boolean> {
  const kept = await keptByWorkspace(pool, [...new Set(among)])
  const bounds = new Map(
    [...kept].map(([workspace, { days, goneBefore, goneAt }]) => {
      const since = keptSince(days, now).getTime()
      return [workspace, { since, goneBefore: goneBefore?.getTime() ?? 0, goneAt: goneAt?.getTime() ?? 0 }]
    }),
  )
  const usual = { since: keptSince(null, now).getTime(), goneBefore: 0, goneAt: 0 }
  return ({ workspace, time, received }) => {
    const { since, goneBefore, goneAt } = bounds.get(workspace) ?? usual
    const at = Date.parse(time)
    return at >= since && (at >= goneBefore || Date.parse(received) > goneAt)
  }
}
