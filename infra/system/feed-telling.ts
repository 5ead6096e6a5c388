/** Tells what the feed of a published version came to: generated or failed once a publish, and updated where its bytes are others. */
import { createHash } from 'node:crypto'
import { profileFor } from '../../schemas/feeds/registry.ts'
import { feedLines } from '../../serving/feeds/feed-stream.ts'
import { feedOutcome } from '../catalog/feed-outcome.ts'
import { feedPageRows, publishedPage } from '../catalog/feed-queries.ts'
import { endUntoldFeed, nextUntoldFeed, setToldFeed, type UntoldFeed } from '../catalog/feeds-untold.ts'
import type { Catalog } from '../catalog/postgres.ts'
import { isStoreAway } from '../catalog/sql-errors.ts'
import type { Config } from '../config.ts'
import { feedAddress } from './feed-address.ts'

interface Parts {
  readonly catalog: Catalog
  readonly config: Pick<Config, 'publicUrl' | 'url'>
  readonly now: () => Date
}

/** @returns whether there may be more to tell */
export async function tellFeed({ catalog, config, now }: Parts, signal: AbortSignal): Promise<boolean> {
  const feed = await nextUntoldFeed(catalog.pipeline)
  if (!feed) return false
  const at = now()
  const made = await generate(catalog, feed, at, signal)
  const { workspace, brand, catalog: id, platform, version } = feed
  const of = { workspace, brand, catalog: id, platform, position: String(version), cause: String(version), at }
  const told = { ...of, feedUrl: feedAddress(config, platform, id), products: made?.products ?? 0 }
  await catalog.inTransaction(catalog.pipeline, async (tx) => {
    if (!(await endUntoldFeed(tx, feed))) return
    await feedOutcome(tx, { ...told, event: made ? 'feed.generated' : 'feed.failed' })
    if (made && (await setToldFeed(tx, feed, made.sha256))) await feedOutcome(tx, { ...told, event: 'feed.updated' })
  })
  return true
}

/** @returns null where there is no feed: nothing in it is valid, or it could not be made */
async function generate({ pipeline, inTransaction }: Catalog, feed: UntoldFeed, at: Date, signal: AbortSignal) {
  const profile = profileFor(feed.platform)
  if (!profile) return null
  const readPage = (after: string | null) =>
    inTransaction(pipeline, (tx) => publishedPage(tx, feed.catalog, feed.version, after, feedPageRows))
  let broken: unknown
  const sha256 = createHash('sha256')
  let products = 0
  for await (const text of feedLines(profile, readPage, at.toISOString(), null, (error) => {
    broken = error
  })) {
    signal.throwIfAborted()
    sha256.update(text)
    products += text.split('\n').length - 1
  }
  // A database that is away is no fault of the feed: it is made when that is back.
  if (broken !== undefined && isStoreAway(broken)) throw broken
  return broken !== undefined || products === 0 ? null : { products, sha256: sha256.digest('hex') }
}
