/** The images of a catalog as people read them: by state, those that look the same, and how many there are of each. */
import type { Pool, PoolClient } from 'pg'
import type { ImageState } from '../../schemas/image-check.ts'
import type { ImageResult } from './image-checks.ts'

export interface ImageRow extends Omit<ImageResult, 'state' | 'looks' | 'etag' | 'lastModified'> {
  readonly hash: Buffer
  readonly address: string
  readonly product: string
  readonly state: ImageState | null
  /** Of the picture that it shows. */
  readonly alike: Buffer | null
  readonly checkedAt: Date | null
}

const columns = `address_hash as hash, address, product_id as product, state, says, status, type, width, height, bytes, alike,
  checked_at as "checkedAt"`

/** In order of the hash of the address. @param after the hash that the page before ended with */
export async function listImages(
  tx: PoolClient,
  catalog: string,
  state: ImageState | undefined,
  after: Buffer | null,
  limit: number,
): Promise<ImageRow[]> {
  const { rows } = await tx.query<ImageRow>(
    `select ${columns} from image_check
      where catalog_id = $1 and ($2::text is null or state = $2) and address_hash > $3 order by address_hash limit $4`,
    [catalog, state ?? null, after ?? Buffer.alloc(0), limit],
  )
  return rows
}

/**
 * Those that show the picture of another, one beside the other. All pictures but the first have two addresses left, so that as
 * many pictures are enough as rows are asked for.
 * @param after picture and hash of the last one
 * @param limit at least 2
 */
export async function listDuplicates(
  tx: PoolClient,
  catalog: string,
  after: { readonly alike: Buffer; readonly hash: Buffer } | null,
  limit: number,
): Promise<ImageRow[]> {
  const { rows } = await tx.query<ImageRow>(
    `with several as (
       select alike from image_check where catalog_id = $1 and alike >= $2 group by alike having count(*) > 1 order by alike limit $4)
     select ${columns} from several join image_check using (alike)
      where catalog_id = $1 and (alike, address_hash) > ($2, $3) order by alike, address_hash limit $4`,
    [catalog, after?.alike ?? Buffer.alloc(0), after?.hash ?? Buffer.alloc(0), limit],
  )
  return rows
}

/** How many addresses are in each state. */
export async function countImages(pool: Pool, catalog: string): Promise<Partial<Record<ImageState, number>>> {
  const { rows } = await pool.query<{ state: ImageState; n: number }>(
    'select state, count(*) as n from image_check where catalog_id = $1 and state is not null group by state',
    [catalog],
  )
  return Object.fromEntries(rows.map(({ state, n }) => [state, n]))
}

/** Pictures that stand at several addresses, and at how many together. */
export async function countDuplicates(pool: Pool, catalog: string): Promise<{ pictures: number; addresses: number }> {
  const { rows } = await pool.query<{ pictures: number; addresses: number }>(
    `select count(*) as pictures, coalesce(sum(n), 0)::bigint as addresses
       from (select count(*) as n from image_check where catalog_id = $1 and alike is not null group by alike having count(*) > 1) s`,
    [catalog],
  )
  return rows[0] ?? { pictures: 0, addresses: 0 }
}
