/** What a backup says of itself: the manifest, which names all that is in it and at which point it was taken. */
import { z } from 'zod'

const whole = z.int().min(0)
const name = z.string().regex(/^[a-z_][a-z0-9_]*$/)

const table = z.strictObject({
  name,
  /** In the order in which they stand in its file. */
  columns: z.array(name),
  /** Of a partition that was made since the schema was: what it is a part of, and which rows it has. */
  parent: name.nullable(),
  bound: z
    .string()
    .regex(/^FOR VALUES [A-Z]+ [^;]+$/)
    .nullable(),
  rows: whole,
  /** As binary COPY, before they are packed. */
  bytes: whole,
  /** Of all rows, in whatever order they come. */
  digest: z.string().regex(/^[0-9a-f]{32}$/),
})

/** A bigint as text, since a sequence may pass what a number holds. */
const sequence = z.strictObject({ name, value: z.string().regex(/^-?\d+$/), called: z.boolean() })

const position = z.strictObject({ topic: z.string(), partition: whole, next: whole })

const log = z.strictObject({
  engine: z.string(),
  epoch: whole,
  partitions: whole,
  /** Of the embedded log, whose batches are a table like any other; Kafka keeps its own, and its topics are in no backup. */
  ends: z.array(position),
  /** From where each consumer goes on. */
  consumers: z.array(position.extend({ group: z.string(), epoch: whole })),
})

export const backupManifest = z.strictObject({
  format: z.literal(1),
  id: z.uuid(),
  takenAt: z.iso.datetime(),
  /** The version of the Postgres that it was read from. */
  postgres: z.string(),
  migrations: z.array(z.strictObject({ name: z.string(), sha256: z.string() })),
  tables: z.array(table),
  sequences: z.array(sequence),
  log,
  /** Missing: had gone when the backup came to them. Altered: kept under the hash of what was sent, which is not theirs. */
  files: z.strictObject({ count: whole, bytes: whole, missing: whole, altered: whole }),
  /** The log's archive in Parquet, of which the log itself may keep nothing any more; null where it is in a bucket. */
  archive: z.strictObject({ count: whole, bytes: whole, missing: whole }).nullable(),
  /** Whether the local issuer's key is in it. */
  issuer: z.boolean(),
  /** Whether the key is in it that a first start made to seal secrets; one that is configured is its keeper's to keep. */
  secretKey: z.boolean().default(false),
  /** The place of ClickHouse's tables, once there are any. */
  events: z.null(),
})

export type BackupManifest = z.infer<typeof backupManifest>
export type BackupTable = z.infer<typeof table>
export type BackupSequence = z.infer<typeof sequence>
