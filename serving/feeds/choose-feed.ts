/** The feed that a request means: a platform's profile, the catalog, and what the brand has set for the two. */
import type { PoolClient } from 'pg'
import { brandNamed } from '../../infra/catalog/brands.ts'
import { type Distribution, listDistributions } from '../../infra/catalog/feed-distributions.ts'
import { type CatalogRow, defaultCatalog, findCatalog } from '../../infra/catalog/tenants.ts'
import { ServiceError } from '../../schemas/errors.ts'
import type { FeedProfile } from '../../schemas/feeds/profile.ts'
import { profiles } from '../../schemas/feeds/registry.ts'
import type { Bearer } from '../plugins/access.ts'
import { findProfile } from './find-profile.ts'
import { type MadeWith, madeWith } from './made-with.ts'

export interface ChosenFeed extends MadeWith {
  readonly row: CatalogRow
}

/** @param name as in the address @throws FEED_001, FEED_002, DATA_002 */
export async function chooseFeed(
  tx: PoolClient,
  bearer: Bearer,
  name: string,
  wanted: string | undefined,
): Promise<ChosenFeed> {
  const present = await findProfile(tx, bearer.workspace, name)
  if (!present) throw unsupported(`Unsupported platform; supported: ${names(profiles.map(({ platform }) => platform))}`)
  const named = wanted ?? bearer.catalog
  const row = named === null ? null : await findCatalog(tx, named)
  if (named !== null && !row) throw new ServiceError('DATA_002', { field: 'catalog_id' })
  const brand = row?.brandId ?? bearer.brand ?? (await brandNamed(tx, bearer.workspace, 'main'))
  if (brand === null) throw unpublished()
  const configured = await listDistributions(tx, brand)
  const own = configured.find(({ platform }) => platform === present.platform)
  const made = await madeWith(tx, bearer.workspace, present, configured)
  if (made === 'off') throw unsupported(off(present, configured))
  if (made === 'unwritten')
    throw unsupported(`Nobody writes ${present.platform} at version ${own?.profileVersion} any more`)
  const of = row ?? (own?.catalog ? await findCatalog(tx, own.catalog) : await defaultCatalog(tx, brand))
  if (!of || of.publishedVersion === 0) throw unpublished()
  return { row: of, ...made }
}

const names = (all: readonly string[]) => all.join(', ') || 'none'

const off = ({ platform }: FeedProfile, configured: readonly Distribution[]) =>
  `This brand is not on ${platform}; it is on: ${names(configured.filter(({ enabled }) => enabled).map((one) => one.platform))}`

const unsupported = (message: string) => new ServiceError('FEED_001', { message, field: 'platform' })

const unpublished = () => new ServiceError('FEED_002', { message: 'No published catalog; publish it first' })
