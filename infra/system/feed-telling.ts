/** Tells what the feed of a published version came to: generated or failed once a publish, and updated where its bytes are others. */
import { createHash } from 'node:crypto'
import { endOfVersion, lastProduct } from '../../schemas/position.ts'
import { showPosition } from '../../serving/feeds/feed-position.ts'
import { findProfile } from '../../serving/feeds/find-profile.ts'
import { madePages } from '../../serving/feeds/made-pages.ts'
import { madeWith } from '../../serving/feeds/made-with.ts'
import { lineRenderer } from '../../serving/feeds/render-line.ts'
import { type FeedConfig, feedConfigFor } from '../catalog/feed-configs.ts'
import { listDistributions } from '../catalog/feed-distributions.ts'
import { editionOf, versionOf } from '../catalog/feed-edition.ts'
import { isFilled } from '../catalog/feed-fill.ts'
import { feedOutcome } from '../catalog/feed-outcome.ts'
import { feedPageRows, publishedPage } from '../catalog/feed-queries.ts'
import { endUntoldFeed, nextUntoldFeed, setToldFeed, type UntoldFeed } from '../catalog/feeds-untold.ts'
import type { Catalog } from '../catalog/postgres.ts'
import { isDiskFull, isStoreAway } from '../catalog/sql-errors.ts'
import { feedAddress } from './feed-address.ts'
import type { Feeding } from './feeding.ts'
import type { OwnAddress } from './own-address.ts'
import { storedLines } from './stored-lines.ts'

interface Parts {
  readonly catalog: Catalog
  readonly feeding: Pick<Feeding, 'state' | 'step'>
  readonly config: OwnAddress
  readonly now: () => Date
  readonly onError: (error: unknown) => void
}

/** @returns whether there may be more to tell */
export async function tellFeed(parts: Parts, signal: AbortSignal): Promise<boolean> {
  const { catalog, config, now } = parts
  const feed = await nextUntoldFeed(catalog.pipeline)
  if (!feed) return false
  const at = now()
  const made = await generate(parts, feed, at, signal)
  const { workspace, brand, catalog: id, platform, version } = feed
  const generated = made === 'off' ? null : made
  const position = generated?.position ?? endOfVersion(version)
  const of = { workspace, brand, catalog: id, platform, position, cause: String(version), at }
  const told = { ...of, feedUrl: feedAddress(config, platform, id), products: generated?.products ?? 0 }
  await catalog.inTransaction(catalog.pipeline, async (tx) => {
    if (!(await endUntoldFeed(tx, feed)) || made === 'off') return
    await feedOutcome(tx, { ...told, event: generated ? 'feed.generated' : 'feed.failed' })
    if (generated && (await setToldFeed(tx, feed, generated.sha256)))
      await feedOutcome(tx, { ...told, event: 'feed.updated' })
  })
  return true
}

/**
 * As the brand reads it, but of this version, whatever was published since.
 * @returns null where there is no feed: nothing in it is valid, or nobody writes it any more; `off` where the brand is not on the platform
 */
async function generate(parts: Parts, feed: UntoldFeed, at: Date, signal: AbortSignal) {
  const { pipeline, inTransaction } = parts.catalog
  const present = await findProfile(pipeline, feed.workspace, feed.platform)
  if (!present) return null
  const configured = await inTransaction(pipeline, (tx) => listDistributions(tx, feed.brand))
  const made = await madeWith(pipeline, feed.workspace, present, configured)
  if (made === 'off') return made
  if (made === 'unwritten') return null
  const readPage = (after: string | null) =>
    inTransaction(pipeline, (tx) => publishedPage(tx, feed.catalog, feed.version, after, feedPageRows))
  const sha256 = createHash('sha256')
  let products = 0
  let position: string
  try {
    // Whoever listens reads: its reader goes on from what the event says.
    const config = await feedConfigFor(pipeline, feed, made.settings, feed.version)
    position = showPosition({ mode: 't', config: config.id, edition: editionOf(feed.version), product: lastProduct })
    const render = lineRenderer(made.profile, made.settings)
    // Of products that come to one id by rules of a workspace's own, only what is stored tells which goes out.
    const isStored = render.named !== undefined && (await fillTo(parts, config, feed.version, signal))
    const pages = isStored
      ? storedLines(parts.catalog, config, editionOf(feed.version + 1) - 1)
      : madePages(render, readPage, at.toISOString(), null)
    for await (const { bytes, lines } of pages) {
      signal.throwIfAborted()
      sha256.update(bytes)
      products += lines
    }
  } catch (error) {
    // A database that is away is no fault of the feed: it is made when that is back.
    if (signal.aborted || isStoreAway(error) || isDiskFull(error)) throw error
    const { platform, catalog: id, version } = feed
    parts.onError(new Error(`the ${platform} feed of catalog ${id} at version ${version} failed`, { cause: error }))
    return null
  }
  return products === 0 ? null : { products, sha256: sha256.digest('hex'), position }
}

/** To the end of a version: an id that it frees is taken in an edition after its first. @returns false where nobody keeps its lines any more */
async function fillTo({ feeding }: Parts, config: FeedConfig, version: number, signal: AbortSignal): Promise<boolean> {
  let state = await feeding.state(config)
  while (state && !isFilled(state) && (state.edition === null || versionOf(state.edition) <= version)) {
    signal.throwIfAborted()
    state = await feeding.step(config)
  }
  return state !== null && state.base <= version
}
