/** What is known of the images of a catalog, one row an address: what a job is to fetch, and what came of it. */
import type { Pool, PoolClient } from 'pg'
import type { ImageState } from '../../schemas/image-check.ts'

/** What a check keeps of an image. */
export interface ImageResult {
  readonly state: ImageState
  readonly says: string | null
  readonly status: number | null
  readonly type: string | null
  readonly width: number | null
  readonly height: number | null
  readonly bytes: number | null
  readonly looks: Buffer | null
  readonly etag: string | null
  readonly lastModified: string | null
}

export interface NamedImage {
  readonly hash: Buffer
  readonly address: string
  readonly host: string
  readonly product: string
}

interface CheckJob {
  readonly id: string
  readonly workspace: string
  readonly brand: string
  readonly catalog: string
}

/** Before these a result is too old: of images that were well, and of all others, which somebody may have mended. */
interface Ages {
  readonly well: Date
  readonly others: Date
}

/** A result that is kept says when it was made; that its image is still named is said anew once it was long ago. */
const wantSql = `
  insert into image_check as c (catalog_id, address_hash, workspace_id, brand_id, address, host, product_id, seen_at, wanted_by)
  select $1, i.hash, $2, $3, i.address, i.host, i.product, $9, $4
    from unnest($5::bytea[], $6::text[], $7::text[], $8::uuid[]) as i (hash, address, host, product)
  on conflict (catalog_id, address_hash) do update set
    seen_at = excluded.seen_at, product_id = excluded.product_id,
    wanted_by = case when c.checked_at is null or c.checked_at < case when c.state = 'ok' then $10::timestamptz else $11::timestamptz end then excluded.wanted_by end
  where c.seen_at < excluded.seen_at - interval '20 hours'
     or c.checked_at is null or c.checked_at < case when c.state = 'ok' then $10::timestamptz else $11::timestamptz end`

/** Another catalog of the brand has asked for the same address: what it was told is as true here. */
const adoptSql = `
  update image_check c
     set state = o.state, says = o.says, status = o.status, type = o.type, width = o.width, height = o.height, bytes = o.bytes,
         looks = o.looks, alike = o.looks, etag = o.etag, last_modified = o.last_modified, checked_at = o.checked_at, wanted_by = null
    from image_check o
   where c.catalog_id = $1 and c.address_hash = any ($2::bytea[]) and c.wanted_by = $3
     and o.workspace_id = c.workspace_id and o.address_hash = c.address_hash and o.brand_id = c.brand_id and o.catalog_id <> c.catalog_id
     and o.checked_at >= case when o.state = 'ok' then $4::timestamptz else $5::timestamptz end`

/** Leaves those alone that are known well enough. @param now when the job began, so that a page that is repeated says the same */
export async function wantImages(
  tx: PoolClient,
  job: CheckJob,
  images: readonly NamedImage[],
  now: Date,
  { well, others }: Ages,
): Promise<void> {
  if (images.length === 0) return
  const hashes = images.map(({ hash }) => hash)
  await tx.query(wantSql, [
    ...[job.catalog, job.workspace, job.brand, job.id, hashes],
    ...[images.map(({ address }) => address), images.map(({ host }) => host), images.map(({ product }) => product)],
    ...[now, well, others],
  ])
  await tx.query(adoptSql, [job.catalog, hashes, job.id, well, others])
}

/** How many the job has yet to fetch. */
export async function countWanted(client: Pool | PoolClient, job: string): Promise<number> {
  const sql = 'select count(*) as n from image_check where wanted_by = $1'
  return (await client.query<{ n: number }>(sql, [job])).rows[0]?.n ?? 0
}

/** The next of the hosts that the job has to ask, in order of name. */
export async function nextHost(pool: Pool, job: string, after: string | null): Promise<string | null> {
  const { rows } = await pool.query<{ host: string }>(
    `select host from image_check where wanted_by = $1 and ($2::text is null or host > $2) order by host limit 1`,
    [job, after],
  )
  return rows[0]?.host ?? null
}

export interface WantedImage extends Pick<ImageResult, 'etag' | 'lastModified'> {
  readonly hash: Buffer
  readonly address: string
}

export async function wantedImages(
  pool: Pool,
  job: string,
  host: string,
  limit: number,
): Promise<readonly WantedImage[]> {
  const { rows } = await pool.query<WantedImage>(
    `select address_hash as hash, address, etag, last_modified as "lastModified"
       from image_check where wanted_by = $1 and host = $2 order by address_hash limit $3`,
    [job, host, limit],
  )
  return rows
}

/** Only for a job that runs: one that was stopped writes no more. */
const runs = `exists (select from job where job_id = $1 and status = 'active')`

/** @returns false where the job has ended */
export async function saveImage(
  pool: Pool,
  { id, catalog }: Pick<CheckJob, 'id' | 'catalog'>,
  hash: Buffer,
  found: ImageResult,
): Promise<boolean> {
  const { state, says, status, type, width, height, bytes, looks, etag, lastModified } = found
  const { rowCount } = await pool.query(
    `update image_check set state = $4, says = $5, status = $6, type = $7, width = $8, height = $9, bytes = $10, looks = $11, alike = $11, etag = $12,
            last_modified = $13, checked_at = now(), wanted_by = null
      where catalog_id = $2 and address_hash = $3 and ${runs}`,
    [id, catalog, hash, state, says, status, type, width, height, bytes, looks, etag, lastModified],
  )
  return rowCount === 1
}

/** The file is the same, and so is what was found of it. @returns false where the job has ended */
export async function keepImage(
  pool: Pool,
  { id, catalog }: Pick<CheckJob, 'id' | 'catalog'>,
  hash: Buffer,
): Promise<boolean> {
  const { rowCount } = await pool.query(
    `update image_check set checked_at = now(), wanted_by = null where catalog_id = $2 and address_hash = $3 and ${runs}`,
    [id, catalog, hash],
  )
  return rowCount === 1
}

/** All that the job still wants of a host which does not answer. @returns how many */
export async function giveHostUp(pool: Pool, job: string, host: string, says: string): Promise<number> {
  const { rowCount } = await pool.query(
    `update image_check set state = 'unreachable', says = $3, status = null, type = null, width = null, height = null, bytes = null,
            looks = null, alike = null, etag = null, last_modified = null, checked_at = now(), wanted_by = null
      where wanted_by = $1 and host = $2 and ${runs}`,
    [job, host, says],
  )
  return rowCount ?? 0
}

export interface KnownImage extends Pick<ImageResult, 'status' | 'type' | 'width' | 'height' | 'bytes'> {
  readonly hash: Buffer
  readonly state: ImageState
}

/** What is known of these addresses, in no order. */
export async function knownImages(pool: Pool, catalog: string, hashes: readonly Buffer[]): Promise<KnownImage[]> {
  if (hashes.length === 0) return []
  const { rows } = await pool.query<KnownImage>(
    `select address_hash as hash, state, status, type, width, height, bytes from image_check
      where catalog_id = $1 and address_hash = any ($2::bytea[]) and state is not null`,
    [catalog, hashes],
  )
  return rows
}

/** Those that no product has named for more than a day: a run over the whole catalog has just said so. */
export async function forgetImages(pool: Pool, catalog: string, now: Date): Promise<void> {
  await pool.query(`delete from image_check where catalog_id = $1 and seen_at < $2::timestamptz - interval '1 day'`, [
    catalog,
    now,
  ])
}
