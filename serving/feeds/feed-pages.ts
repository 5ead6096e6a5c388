/** All that a reader of a feed is sent, page by page: an edition, the rest of one and what changed since, or that and whatever comes. */
import type { PoolClient } from 'pg'
import type { FeedConfig } from '../../infra/catalog/feed-configs.ts'
import { showEdition, versionOf } from '../../infra/catalog/feed-edition.ts'
import type { Render } from '../../infra/catalog/feed-lines.ts'
import { type CopyLines, linePage, listedOf, toldPage } from '../../infra/catalog/feed-pages.ts'
import { feedPageRows, type PublishedRow, publishedPage } from '../../infra/catalog/feed-queries.ts'
import type { FeedProfile } from '../../schemas/feeds/profile.ts'
import { lastProduct } from '../../schemas/position.ts'
import type { FollowTimes, LinePorts } from './feed-ports.ts'
import { type FeedPosition, showPosition } from './feed-position.ts'
import { FeedEnded, type Followed, followLines } from './follow-lines.ts'
import { fillingPages, type Lines, type ReadLines, storedPages } from './line-pages.ts'
import { madePages } from './made-pages.ts'
import type { OpenLines } from './open-lines.ts'
import { lineRenderer } from './render-line.ts'
import { type ReadTold, toldLines } from './told-lines.ts'

/** Rows of the first page, which nobody should wait for. */
const firstRows = 200

export type Within = <T>(work: (tx: PoolClient) => Promise<T>) => Promise<T>

export interface FeedReading {
  readonly feeds: LinePorts
  readonly within: Within
  /** For what is copied out. */
  readonly copy: CopyLines
  readonly config: FeedConfig
  readonly profile: FeedProfile
  readonly open: OpenLines
  /** When it is read, ISO 8601. */
  readonly at: string
}

/** The lines of the present edition. */
export function editionPages(r: FeedReading, { q, positions }: { q: string | null; positions: boolean }) {
  const { config, open, feeds } = r
  const prefix = positions ? placePrefix(config.id, open.edition) : null
  if (q !== null || open.how === 'behind') {
    const version = versionOf(open.edition)
    const other = new WeakSet<PublishedRow>()
    const page = (after: string | null) =>
      r.within(async (tx) => {
        const rows = await publishedPage(tx, config.catalog, version, after, after === null ? firstRows : feedPageRows)
        if (r.profile.named === undefined) return rows
        const ids = rows.map(({ id }) => id)
        const listed = await listedOf(tx, config.id, open.edition, ids)
        for (const row of rows) if (!listed.has(row.id)) other.add(row)
        return rows
      })
    const own = lineRenderer(r.profile, config)
    const render: Render = (row, at) => (other.has(row) ? unlisted : own(row, at))
    const prefixOf = (product: string) => (prefix === null ? null : `${prefix}${product}","_product":"${product}",`)
    return madePages(render, page, r.at, q, prefixOf)
  }
  const read = readLines(r, open.edition, prefix)
  if (open.how === 'stored') return storedPages(read, null)
  return fillingPages(read, open.made, async () => (await feeds.step(config)) ?? ended(), null)
}

/** Whose id another product goes out under. */
const unlisted = { line: null, problems: null, holdsUntil: null }

const placePrefix = (config: number, edition: number) => `{"_position":"s.${config}.${showEdition(edition)}.`

const readLines =
  ({ copy, config }: FeedReading, edition: number, prefix: string | null): ReadLines =>
  (after, limit, taker, upto) =>
    linePage(copy, { config: config.id, edition, after, limit, upto: upto ?? null, prefix }, taker)

function ended(): never {
  throw new FeedEnded()
}

export interface Going {
  readonly pages: AsyncIterable<Lines>
  /** Behind all that was sent so far. */
  readonly position: () => string
}

/**
 * The edition, or what is left of one behind a position, and then what changed.
 * @param from null for the present edition from its beginning
 * @param follow stays open for what comes; else it ends with what there is
 */
export function goingPages(
  r: FeedReading,
  from: FeedPosition | null,
  follow: (Pick<Followed, 'mayStill'> & { readonly times: FollowTimes; readonly signal: AbortSignal }) | null,
): Going {
  const { config, within, feeds } = r
  let position: FeedPosition = from ?? { mode: 's', config: config.id, edition: r.open.edition, product: first }
  const readTold: ReadTold = (after, upto, limit) => within((tx) => toldPage(tx, config.id, after, upto, limit))
  const newest = async () => (await feeds.present(config))?.edition ?? null

  async function* snapshot(): AsyncGenerator<Lines> {
    const { edition } = position
    const pages = from
      ? storedPages(readLines(r, edition, placePrefix(config.id, edition)), from.product)
      : editionPages(r, { q: null, positions: true })
    for await (const page of pages) {
      position = { ...position, product: page.last }
      yield page
    }
    position = { mode: 't', config: config.id, edition, product: lastProduct }
  }

  async function* pages(): AsyncGenerator<Lines> {
    // A position may be of lines that were made for its reader alone: they must be there to go on from.
    const upto = from && r.open.how !== 'stored' ? ((await newest()) ?? ended()) : r.open.edition
    if (from && upto < from.edition) ended()
    if (position.mode === 's') yield* snapshot()
    const tail = follow
      ? followLines(
          { config: config.id, read: readTold, newest, mayStill: follow.mayStill },
          position,
          follow.times,
          follow.signal,
        )
      : toldLines(config.id, readTold, position, upto)
    for await (const page of tail) {
      position = { ...position, ...page.place }
      yield page
    }
    if (!follow) position = { mode: 't', config: config.id, edition: upto, product: lastProduct }
  }

  return { pages: pages(), position: () => showPosition(position) }
}

const first = '00000000-0000-0000-0000-000000000000'
