/** A file becomes the feed's present one: it is told, and goes to the targets, in the transaction that makes it so. */
import type { PoolClient } from 'pg'
import type { FeedEvent } from '../../schemas/webhook.ts'
import { queueDeliveries } from '../catalog/feed-deliveries.ts'
import { versionOf } from '../catalog/feed-edition.ts'
import type { FeedFile } from '../catalog/feed-files.ts'
import { feedOutcome } from '../catalog/feed-outcome.ts'
import { setToldFeed } from '../catalog/feeds-untold.ts'
import { feedAddress } from './feed-address.ts'
import type { OwnAddress } from './own-address.ts'

export type ToldFile = Pick<
  FeedFile,
  'id' | 'workspace' | 'brand' | 'catalog' | 'platform' | 'edition' | 'lines' | 'linesSha256'
>

/** @param file of one that failed, without lines */
export async function tellFile(
  tx: PoolClient,
  config: OwnAddress,
  { id, edition, lines, ...of }: Omit<ToldFile, 'linesSha256'>,
  event: FeedEvent,
  at: Date,
): Promise<void> {
  const feedUrl = feedAddress(config, of.platform, of.catalog)
  const { workspace, brand, catalog, platform } = of
  const told = { workspace, brand, catalog, platform, position: String(versionOf(edition)), cause: id }
  await feedOutcome(tx, { ...told, event, feedUrl, products: lines, at })
}

export async function makeCurrent(tx: PoolClient, config: OwnAddress, file: ToldFile, at: Date): Promise<void> {
  await tellFile(tx, config, file, 'feed.generated', at)
  const { catalog, platform, workspace, brand, edition } = file
  const told = { catalog, platform, workspace, brand, version: versionOf(edition) }
  if (await setToldFeed(tx, told, file.linesSha256)) await tellFile(tx, config, file, 'feed.updated', at)
  await queueDeliveries(tx, file)
}
