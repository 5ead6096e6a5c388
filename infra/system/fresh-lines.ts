/** Keeps the lines of events that this process has just put on the log for its own sink: to read them back, parse and check them again is a third of what an event costs. */
import type { AgentEvent } from '../../schemas/event.ts'
import { lineWriter } from '../../transforms/events/line-writer.ts'
import { placeOf } from '../events/place.ts'
import type { Log, OffsetRange } from '../log/port.ts'

/** Some 60,000 events as they are usual; what is more is read from the log. */
const mostBytes = 16 * 1024 * 1024
/** Of one run: some 20,000. */
const runBytes = 5 * 1024 * 1024
/** A shorter run is worth a block only where nothing stands behind it: where others append too, the log has longer ones. */
const fewest = 1_000

/** The earliest times of a workspace's events. */
export type Earliest = Pick<AgentEvent, 'workspace' | 'time' | 'received'>

interface Piece {
  readonly from: number
  readonly to: number
  readonly lines: Uint8Array
  readonly earliest: readonly Earliest[]
}

export interface Run {
  /** One past its last event. */
  readonly to: number
  readonly lines: readonly Uint8Array[]
  readonly earliest: readonly Earliest[]
}

export interface FreshLines {
  /** Until `leave`, what is appended to this partition is kept for who reads it. */
  follow(partition: number): void
  leave(partition: number): void
  /** @param appended as the log told where it put them */
  keep(events: readonly AgentEvent[], appended: readonly OffsetRange[]): void
  /** What stands from a place on, without a gap; what stands before is let go. @returns null where it is to be read from the log */
  take(partition: number, from: number, end: number): Run | null
}

export function openFreshLines(
  { epoch, partitionOf }: Pick<Log, 'epoch' | 'partitionOf'>,
  most: number = mostBytes,
): FreshLines {
  const kept = new Map<number, Piece[]>()
  let bytes = 0

  function letGo(pieces: readonly Piece[]) {
    for (const { lines } of pieces) bytes -= lines.buffer.byteLength
  }

  return {
    follow(partition) {
      letGo(kept.get(partition) ?? [])
      kept.set(partition, [])
    },
    leave(partition) {
      letGo(kept.get(partition) ?? [])
      kept.delete(partition)
    },
    keep(events, appended) {
      if (kept.size === 0) return
      const left = Map.groupBy(events, ({ id }) => partitionOf(id))
      for (const { partition, from, to } of appended) {
        const some = left.get(partition)?.splice(0, to - from) ?? []
        const pieces = kept.get(partition)
        if (!pieces || bytes > most || some.length !== to - from) continue
        const writer = lineWriter(some.length)
        for (const [i, event] of some.entries()) writer.add(event, placeOf(epoch, partition, from + i))
        const lines = writer.bytes()
        pieces.push({ from, to, lines, earliest: earliestOf(some) })
        // Of two appends that end together the later may be told first.
        if ((pieces.at(-2)?.from ?? 0) > from) pieces.sort((one, other) => one.from - other.from)
        bytes += lines.buffer.byteLength
      }
    },
    take(partition, from, end) {
      const pieces = kept.get(partition) ?? []
      while ((pieces[0]?.from ?? from) < from) letGo(pieces.splice(0, 1))
      const run: Piece[] = []
      let [to, taken] = [from, 0]
      for (const piece of pieces) {
        if (piece.from !== to || (run.length > 0 && taken + piece.lines.length > runBytes)) break
        run.push(piece)
        to = piece.to
        taken += piece.lines.length
      }
      if (run.length === 0) return null
      letGo(pieces.splice(0, run.length))
      if (to < end && to - from < fewest) return null
      return { to, lines: run.map(({ lines }) => lines), earliest: run.flatMap(({ earliest }) => earliest) }
    },
  }
}

/** Their texts are in the order of time. */
function earliestOf(events: readonly AgentEvent[]): Earliest[] {
  const found = new Map<string, { workspace: string; time: string; received: string }>()
  for (const { workspace, time, received } of events) {
    const one = found.get(workspace)
    if (one === undefined) {
      found.set(workspace, { workspace, time, received })
      continue
    }
    if (time < one.time) one.time = time
    if (received < one.received) one.received = received
  }
  return [...found.values()]
}
