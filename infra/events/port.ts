/** The event store as the rest of Assay sees it; one contract suite (`test/contract/events.ts`) holds the embedded one and a real server to it. */
import type { Passed } from './place.ts'

export interface Limits {
  readonly seconds: number
  readonly memoryBytes: number
  /** Rows that may be looked at; without it as many as time allows. */
  readonly rows?: number
  /** Who asked has gone: what waits is not begun, and what runs ends where the engine can be told. */
  readonly signal?: AbortSignal | undefined
}

export interface Answer<T> {
  readonly rows: readonly T[]
  /** What the engine had to look at. */
  readonly rowsRead: number
}

export type Bound = Readonly<Record<string, string | number | readonly string[]>>

export interface EventStore {
  /**
   * Durable when it resolves. The same block may be inserted again: what it says is counted once.
   * @param lines of events, in cells by `eventColumns`, cut anywhere
   * @param token the same for the same block
   */
  insert(lines: readonly Uint8Array[], token: string): Promise<void>
  /** The log was passed so far, and what stands before is in the store. */
  pass(places: readonly Passed[]): Promise<void>
  /** Of these workspaces what happened before; done when it resolves. */
  remove(workspaces: readonly string[], before: Date): Promise<void>
  /** @throws TooMuch where the limits are passed, StoreAway where nobody answers */
  ask<T>(sql: string, bound: Bound, limits: Limits): Promise<Answer<T>>
  /** The same as long as it keeps what was inserted. */
  identity(): Promise<string>
  close(): Promise<void>
}

/** The question takes more time, memory or rows than one may have; its message says which, to who asked. */
export class TooMuch extends Error {
  override readonly name = 'TooMuch'
}

/** Nobody answers, or not as a store that is up. */
export class EventsAway extends Error {
  override readonly name = 'EventsAway'
}
