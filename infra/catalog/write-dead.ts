/** Buries what no step can read: a row with the reason and its first attempt, and a letter on the dead topic, with the batch that met it; once, however often it is met. */
import type { PoolClient } from 'pg'
import type { Position } from '../../schemas/pipeline.ts'
import { deadLetter } from '../../schemas/topics.ts'
import type { DeadRecord } from '../../transforms/ports.ts'
import type { Log } from '../log/port.ts'

const insertSql = `
  with letter as (
    select * from unnest($2::int[], $3::int[], $4::bigint[], $5::text[], $6::uuid[], $7::uuid[], $8::uuid[], $9::text[], $10::text[], $11::text[], $12::text[], $13::int[], $14::jsonb[])
      as d (epoch, partition, "offset", workspace, brand, catalog, import, key, source, kind, reason, attempts, place)),
  dead as (
    insert into dead_record (epoch, topic, partition, "offset", workspace_id, brand_id, catalog_id, import_id, key, source, kind, reason, attempts, place)
    select epoch, $1, partition, "offset", workspace, brand, catalog, import, key, source, kind, reason, attempts, place from letter
    on conflict (epoch, topic, partition, "offset") do nothing returning epoch, partition, "offset")
  insert into dead_attempt (epoch, topic, partition, "offset", attempt, workspace_id, brand_id, catalog_id, kind, reason)
  select epoch, $1, partition, "offset", attempts, workspace, brand, catalog, kind, reason from letter join dead using (epoch, partition, "offset")
  returning epoch, partition, "offset"`

const uuid = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/
const noProduct = '00000000-0000-0000-0000-000000000000'

/** Postgres text cannot hold U+0000. */
const storable = (text: string) => text.replaceAll('\0', '')

export async function writeDead(
  tx: PoolClient,
  log: Pick<Log, 'append'>,
  topic: string,
  dead: readonly DeadRecord[],
): Promise<void> {
  if (dead.length === 0) return
  const column = <T>(of: (one: DeadRecord) => T) => dead.map(of)
  const { rows: buried } = await tx.query<Position>(insertSql, [
    topic,
    column(({ position }) => position.epoch),
    column(({ position }) => position.partition),
    column(({ position }) => position.offset),
    column(({ claims }) => claims.workspace),
    column(({ claims }) => claims.brand),
    column(({ claims }) => claims.catalog),
    column(({ claims }) => claims.import),
    column(({ key }) => storable(key)),
    column(({ claims }) => claims.source),
    column(({ as }) => as),
    column(({ reason }) => storable(reason)),
    column(({ attempts }) => attempts),
    column(({ place }) => place && JSON.stringify(place)),
  ])
  const isNew = ({ position }: DeadRecord) =>
    buried.some(
      ({ epoch, partition, offset }) =>
        epoch === position.epoch && partition === position.partition && offset === position.offset,
    )
  const letters = dead.filter(isNew).map(({ position, key, value, reason, as, attempts }) => ({
    // Tenants' keys are their own; the log's are products.
    key: uuid.test(key) ? key : noProduct,
    value: JSON.stringify({
      key,
      ...position,
      topic,
      reason,
      kind: as,
      attempts,
      value: Buffer.from(value).toString('base64'),
    }),
  }))
  if (letters.length > 0) await log.append(deadLetter(topic), letters, tx)
}
