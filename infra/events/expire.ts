/** Removes the events that their workspaces keep no longer, in whatever partition they are and whenever that was said. */
import { keptSince } from '../../schemas/event-days.ts'
import { storeTime } from '../../schemas/event-row.ts'
import type { EventStore, Limits } from './port.ts'

const limits: Limits = { seconds: 60, memoryBytes: 1024 ** 3 }
/** Names travel in the address of a request. */
const workspacesAtOnce = 200

/**
 * A partition is a month of all workspaces, so none is dropped whole; what is written anew is the parts that have such rows, as a
 * TTL of the engine's own would, once a day.
 * @param own days by workspace; all others keep the default
 */
export async function expireEvents(
  store: Pick<EventStore, 'ask' | 'remove'>,
  own: ReadonlyMap<string, number>,
  now: Date,
): Promise<void> {
  const byDays = Map.groupBy(own.keys(), (workspace) => own.get(workspace))
  for (const [days, workspaces] of byDays) {
    const before = keptSince(days, now)
    for (const some of inParts(workspaces)) await removeFound(store, await withOlder(store, before, some), before)
  }
  const before = keptSince(null, now)
  const others = (await withOlder(store, before, null)).filter((workspace) => !own.has(workspace))
  for (const some of inParts(others)) await removeFound(store, some, before)
}

/** Nothing is written anew where there is nothing to remove. */
async function removeFound(store: Pick<EventStore, 'remove'>, workspaces: readonly string[], before: Date) {
  if (workspaces.length > 0) await store.remove(workspaces, before)
}

/** @param among null: all of them; months that are younger are not looked at */
async function withOlder(
  store: Pick<EventStore, 'ask'>,
  before: Date,
  among: readonly string[] | null,
): Promise<string[]> {
  const sql = `select distinct workspace from events
    where ${among === null ? '' : 'workspace in {among:Array(String)} and '}time < {before:DateTime64(3, 'UTC')}`
  const bound = { before: storeTime(before), ...(among !== null && { among }) }
  return (await store.ask<{ workspace: string }>(sql, bound, limits)).rows.map(({ workspace }) => workspace)
}

function* inParts(all: readonly string[]): Generator<readonly string[]> {
  for (let at = 0; at < all.length; at += workspacesAtOnce) yield all.slice(at, at + workspacesAtOnce)
}
