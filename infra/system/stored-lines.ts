/** The lines of one edition of a feed as they are stored, read as its own brand and in no transaction that a slow reader could hold open. */
import { type Lines, type ReadLines, storedPages } from '../../serving/feeds/line-pages.ts'
import type { FeedConfig } from '../catalog/feed-configs.ts'
import { linePage } from '../catalog/feed-pages.ts'
import type { Catalog } from '../catalog/postgres.ts'

export function storedLines(
  { copyWithTenant }: Pick<Catalog, 'copyWithTenant'>,
  { id, workspace, brand }: FeedConfig,
  edition: number,
): AsyncGenerator<Lines> {
  const principal = { workspaceId: workspace, brandIds: [brand] }
  const read: ReadLines = (after, limit, taker) =>
    linePage(
      (...of) => copyWithTenant(principal, ...of),
      { config: id, edition, after, limit, upto: null, prefix: null },
      taker,
    )
  return storedPages(read, null)
}
