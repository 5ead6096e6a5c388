/** Dead letters as people read them and a redrive takes them: lists, counts by kind, the tries of one. Lists are under policy. */
import type { Pool, PoolClient } from 'pg'
import type { DeadKind, DeadPlace, DeadState } from '../../schemas/dead-letter.ts'
import type { LogPlace } from '../../transforms/ports.ts'

export interface DeadLetterRow extends DeadPlace {
  /** In order of death. */
  readonly id: number
  readonly workspace: string
  readonly brand: string | null
  readonly catalog: string | null
  readonly import: string | null
  /** Of the log: a product's id on products.bronze. */
  readonly key: string | null
  readonly source: string | null
  readonly kind: DeadKind
  /** As the last try had it. */
  readonly reason: string
  readonly state: DeadState
  readonly attempts: number
  readonly at: Date
  readonly redrivenAt: Date | null
  readonly place: LogPlace | null
}

export interface DeadFilter {
  readonly catalog?: string | undefined
  readonly import?: string | undefined
  readonly kind?: DeadKind | undefined
  readonly topic?: string | undefined
  readonly state?: DeadState | undefined
  readonly since?: Date | string | undefined
  readonly until?: Date | string | undefined
  /** Numbers of rows. */
  readonly ids?: readonly number[] | undefined
}

const columns = `dead_id as id, epoch, topic, partition, "offset", workspace_id as workspace, brand_id as brand, catalog_id as catalog, import_id as import,
  key, source, kind, reason, state, attempts, at, redriven_at as "redrivenAt", place`

const filtered = `($1::uuid is null or catalog_id = $1) and ($2::uuid is null or import_id = $2) and ($3::text is null or kind = $3)
  and ($4::text is null or topic = $4) and ($5::text is null or state = $5) and ($6::timestamptz is null or at >= $6)
  and ($7::timestamptz is null or at < $7) and ($8::bigint[] is null or dead_id = any ($8))`

const valuesOf = ({ catalog, import: of, kind, topic, state, since, until, ids }: DeadFilter) =>
  [catalog, of, kind, topic, state, since, until, ids].map((value) => value ?? null)

/** Newest first. @param after the number that the page before ended with */
export async function listDeadLetters(
  tx: PoolClient,
  filter: DeadFilter,
  after: number | null,
  limit: number,
): Promise<DeadLetterRow[]> {
  const { rows } = await tx.query<DeadLetterRow>(
    `select ${columns} from dead_record
      where ${filtered} and ($9::bigint is null or dead_id < $9) order by dead_id desc limit $10`,
    [...valuesOf(filter), after, limit],
  )
  return rows
}

/** How many there are of each kind, and the newest of each as a sample. */
export async function countDeadKinds(
  tx: PoolClient,
  filter: DeadFilter,
): Promise<readonly { kind: DeadKind; count: number; sample: DeadLetterRow }[]> {
  const { rows } = await tx.query<{ count: number; newest: number }>(
    `select count(*) as count, max(dead_id) as newest from dead_record where ${filtered} group by kind order by 1 desc, kind`,
    valuesOf(filter),
  )
  const samples = await listDeadLetters(tx, { ids: rows.map(({ newest }) => newest) }, null, rows.length)
  return rows.flatMap(({ count, newest }) => {
    const sample = samples.find(({ id }) => id === newest)
    return sample ? [{ kind: sample.kind, count, sample }] : []
  })
}

export async function findDeadLetter(tx: PoolClient, place: DeadPlace): Promise<DeadLetterRow | null> {
  const { rows } = await tx.query<DeadLetterRow>(
    `select ${columns} from dead_record where epoch = $1 and topic = $2 and partition = $3 and "offset" = $4`,
    [place.epoch, place.topic, place.partition, place.offset],
  )
  return rows[0] ?? null
}

export interface DeadAttempt {
  readonly attempt: number
  readonly at: Date
  /** Of a redrive; the first is the death itself. */
  readonly job: string | null
  readonly by: string | null
  /** null where it stayed dead. */
  readonly effect: 'created' | 'updated' | 'unchanged' | null
  readonly kind: DeadKind | null
  readonly reason: string | null
}

/** A thousand at most: nobody redrives one more often. */
export async function listAttempts(tx: PoolClient, place: DeadPlace): Promise<DeadAttempt[]> {
  const { rows } = await tx.query<DeadAttempt>(
    `select attempt, at, job_id as job, by, effect, kind, reason from dead_attempt
      where epoch = $1 and topic = $2 and partition = $3 and "offset" = $4 order by attempt limit 1000`,
    [place.epoch, place.topic, place.partition, place.offset],
  )
  return rows
}

/** Whose letters a redrive may take; brands null: all of the workspace. */
export interface DeadScope {
  readonly workspace: string
  readonly brands: readonly string[] | null
}

const owned = 'workspace_id = $9 and ($10::uuid[] is null or brand_id = any ($10))'

/** Those still dead, in order of their deaths, which is about that of the log. */
export async function nextDead(
  pool: Pool,
  { workspace, brands }: DeadScope,
  filter: DeadFilter,
  { after, upTo }: { readonly after: number; readonly upTo: number },
  limit: number,
): Promise<DeadLetterRow[]> {
  const { rows } = await pool.query<DeadLetterRow>(
    `select ${columns} from dead_record
      where ${filtered} and ${owned} and dead_id > $11 and dead_id <= $12 order by dead_id limit $13`,
    [...valuesOf({ ...filter, state: 'dead' }), workspace, brands, after, upTo, limit],
  )
  return rows
}

/** How many a redrive would take, and the last of them. */
export async function measureDead(
  client: Pool | PoolClient,
  { workspace, brands }: DeadScope,
  filter: DeadFilter,
): Promise<{ count: number; upTo: number }> {
  const { rows } = await client.query<{ count: number; upTo: number }>(
    `select count(*) as count, coalesce(max(dead_id), 0)::bigint as "upTo" from dead_record where ${filtered} and ${owned}`,
    [...valuesOf({ ...filter, state: 'dead' }), workspace, brands],
  )
  return rows[0] ?? { count: 0, upTo: 0 }
}

/** What a job's tries came to. */
export async function countTries(
  client: Pool | PoolClient,
  job: string,
): Promise<readonly { effect: DeadAttempt['effect']; kind: DeadKind | null; count: number }[]> {
  const { rows } = await client.query<{ effect: DeadAttempt['effect']; kind: DeadKind | null; count: number }>(
    'select effect, kind, count(*) as count from dead_attempt where job_id = $1 group by effect, kind',
    [job],
  )
  return rows
}

/** Which of these are dead still. */
export async function stillDead(pool: Pool, places: readonly DeadPlace[]): Promise<DeadPlace[]> {
  const { rows } = await pool.query<DeadPlace>(
    `select d.topic, d.epoch, d.partition, d."offset"
       from unnest($1::text[], $2::int[], $3::int[], $4::bigint[]) as p (topic, epoch, partition, "offset")
       join dead_record d using (topic, epoch, partition, "offset")
      where d.state = 'dead'`,
    [
      places.map(({ topic }) => topic),
      places.map(({ epoch }) => epoch),
      places.map(({ partition }) => partition),
      places.map(({ offset }) => offset),
    ],
  )
  return rows
}
