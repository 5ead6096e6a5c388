/** What answers widgets. */
import type { Scope } from '../../infra/events/aggregate.ts'
import type { Passed } from '../../infra/events/place.ts'
import type { Failure, TileData } from '../../schemas/tile.ts'
import type { WidgetDefinition } from '../../schemas/widget.ts'

export interface Snapshot {
  /** The same text, the same events. */
  readonly text: string
  readonly upTo: readonly Passed[]
  /** Seconds since the oldest event was taken that is not in it; 0 where all are. */
  readonly lag: number
}

export interface Tile {
  readonly data: TileData
  readonly rowsRead: number
}

export interface TilePorts {
  readonly tiles: {
    /** Which events are in the store for good. */
    readonly snapshot: () => Promise<Snapshot>
    readonly answer: (
      definition: WidgetDefinition,
      scope: Scope & { readonly upTo: readonly Passed[] },
      at: Date,
      signal: AbortSignal,
    ) => Promise<Tile>
    /** When the newest event of the brand happened. */
    readonly newest: (scope: Scope & { readonly upTo: readonly Passed[] }, signal: AbortSignal) => Promise<Date | null>
    /** What callers are told of it; null: a fault of ours. */
    readonly failureOf: (error: unknown) => Failure | null
  }
  readonly now: () => Date
}
