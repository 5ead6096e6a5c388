/** The log as the rest of Assay sees it; one contract suite (`test/contract/log.ts`) holds every adapter to it. */
import type { PoolClient } from 'pg'
import type { Base } from '../../transforms/bronze/history.ts'

export interface NewRecord {
  /** Product id; decides the partition. */
  readonly key: string
  readonly value: string | Buffer
}

export interface StoredRecord {
  readonly partition: number
  readonly offset: number
  readonly key: string
  readonly value: Buffer
  /** Of topics that others write to; an engine without headers has none. */
  readonly headers?: Readonly<Record<string, string>>
  /** Of topics that others write to: it has none, which is not the same as an empty one. */
  readonly noValue?: true
}

/** Offsets `from` up to, not including, `to`. */
export interface OffsetRange {
  readonly partition: number
  readonly from: number
  readonly to: number
}

export interface Log {
  /** Grows when the engine or the number of partitions changes; part of every position. */
  readonly epoch: number
  readonly partitions: number
  /** Whether an append takes part in a transaction of the catalog; where it does not, what records rely on is committed first. */
  readonly transactional: boolean
  /** Same key, same partition, within an epoch. */
  partitionOf(key: string): number
  /**
   * Appends in order of the array within each partition; durable when it resolves. Where it throws, any part of it may be on the
   * log: whoever repeats it must bear a second copy.
   * @param tx an engine that lives in the catalog's Postgres takes part in this transaction; others ignore it
   * @returns in order within each partition; several ranges of one partition where other writers' records came in between
   */
  append(topic: string, records: readonly NewRecord[], tx?: PoolClient): Promise<readonly OffsetRange[]>
  /** Records of one partition from an offset on, at most about `limit` (whole stored batches may exceed it), fewer at the end. */
  read(topic: string, partition: number, from: number, limit: number): Promise<readonly StoredRecord[]>
  /**
   * Every record of these keys in position order within each key, below the given offset of each partition. What stands in a hole is
   * left out: whoever folds them asks for `holes`.
   * @param from offset of each partition where those begin that are asked for; what lies before may be answered too
   */
  readKeys(
    topic: string,
    keys: readonly string[],
    below: readonly number[],
    from?: readonly number[],
  ): AsyncIterable<StoredRecord>
  /**
   * What products had come to at the ends of months, for a topic of products; null where no month has ended. Absent where there is
   * no archive.
   */
  bases?(topic: string, wanted: readonly WantedBase[]): Promise<Bases | null>
  /** First offset that each partition keeps, by partition; where it keeps none, its end. */
  begins(topic: string): Promise<readonly number[]>
  /**
   * What was dropped before it was archived, in order within each partition: nothing has it any more, and what is read over it lacks
   * it. Absent where there is no archive.
   */
  holes?(topic: string): Promise<readonly OffsetRange[]>
  /** Next offset of each partition, by partition. */
  ends(topic: string): Promise<readonly number[]>
  /** Epochs before this one, oldest first: their records are read and none is added. Absent where this is the first. */
  readonly former?: readonly EpochReader[]
}

/** What can be read of one epoch. */
export type EpochReader = Pick<
  Log,
  'epoch' | 'partitions' | 'partitionOf' | 'read' | 'readKeys' | 'bases' | 'begins' | 'holes' | 'ends'
>

export interface WantedBase {
  readonly key: string
  /** Offset of a record that must not be in it, nor any behind that. */
  readonly without: number
}

export interface Bases {
  readonly of: ReadonlyMap<string, Base>
  /** By partition: a product without a base has no record before this, and one with a base none between the two. */
  readonly upTo: readonly number[]
}
