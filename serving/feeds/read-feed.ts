/** Answers a reader of a feed: which lines, in which form and encoding, whether they are as they were, and what is told of it as an event. */
import { pipeline, Readable } from 'node:stream'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { versionOf } from '../../infra/catalog/feed-edition.ts'
import { type CopyLines, isKept, refusesAny } from '../../infra/catalog/feed-pages.ts'
import type { CatalogRow } from '../../infra/catalog/tenants.ts'
import { ServiceError } from '../../schemas/errors.ts'
import { type FeedFormat, isColumnar } from '../../schemas/feeds/feed-formats.ts'
import type { FeedForm } from '../../schemas/feeds/profile.ts'
import { profileFor } from '../../schemas/feeds/registry.ts'
import { lastProduct } from '../../schemas/position.ts'
import { bearerOf, principalOf } from '../plugins/access.ts'
import { untilGone } from '../workspace/until-gone.ts'
import { aboutFeed, briefly, type Described } from './about-feed.ts'
import { askedEncoding, encoder } from './asked-encoding.ts'
import { askedForm, formTypes } from './asked-form.ts'
import { bodyStream } from './body-stream.ts'
import { type ChosenFeed, chooseFeed } from './choose-feed.ts'
import { columnarBody } from './columnar-body.ts'
import { feedBody, type Tally } from './feed-body.ts'
import { editionPages, type FeedReading, type Going, goingPages, type Within } from './feed-pages.ts'
import type { FeedPorts } from './feed-ports.ts'
import { type FeedPosition, readPosition, showPosition } from './feed-position.ts'
import { isKnown, tagOf } from './feed-tag.ts'
import { followTimes } from './follow-lines.ts'
import { feedForm } from './forms/feed-form.ts'
import type { Lines } from './line-pages.ts'
import { type OpenLines, openLines } from './open-lines.ts'

export interface AskedFeed {
  readonly platform: string
  readonly catalog_id?: string | undefined
  readonly q?: string | undefined
  readonly format?: FeedFormat | undefined
  readonly positions?: boolean | undefined
  readonly after?: string | undefined
  readonly follow?: boolean | undefined
}

export async function readFeed(
  request: FastifyRequest,
  reply: FastifyReply,
  ports: FeedPorts,
  asked: AskedFeed,
  closing: AbortSignal,
): Promise<FastifyReply> {
  const bearer = bearerOf(request)
  const within: Within = (work) => ports.catalog.withTenant(principalOf(bearer), work)
  // What nobody can be given is refused whether there is a feed or not.
  const known = profileFor(asked.platform)
  if (known) wantedForm(request, asked, known.native)
  const chosen = await within((tx) => chooseFeed(tx, bearer, asked.platform, asked.catalog_id))
  const at = ports.now().toISOString()
  const copy: CopyLines = (...of) => ports.catalog.copyWithTenant(principalOf(bearer), ...of)
  const q = asked.q === undefined || asked.q.trim() === '' ? null : asked.q
  const reading = await openReading(ports, { within, copy }, chosen, at, q)
  const { config, open, profile } = reading
  const form = wantedForm(request, asked, profile.native)
  const from = asked.after === undefined ? null : await placeOf(asked.after, reading)

  const goes = from !== null || asked.follow === true
  // Parquet is packed already.
  const packs = !asked.follow && form !== 'parquet'
  const encoding = packs ? askedEncoding(request.headers['accept-encoding']) : null
  reply
    .header('x-catalog-version', String(versionOf(open.edition)))
    .header('vary', 'Accept, Accept-Encoding')
    .header('cache-control', goes ? 'no-store' : 'private, no-cache')
  const described = describe(request, ports, reading, chosen.row.name)
  const written = isColumnar(form) ? null : feedForm(profile, form, config.options)
  if (!goes && q === null) {
    const head = written?.head(briefly(described)) ?? ''
    const tag = tagOf([config.id, open.edition, form, encoding, asked.positions === true, head])
    const modifiedAt = modified(reading, chosen.row)
    reply.header('etag', tag)
    if (modifiedAt) reply.header('last-modified', modifiedAt.toUTCString())
    if (isKnown(request, tag, modifiedAt)) return reply.code(304).send()
  }

  const tell = (tally: Tally, error?: string) => {
    const metadata = {
      platform: profile.platform,
      complete: String(tally.whole),
      form,
      lines: String(tally.lines),
      bytes: String(tally.bytes),
      ...(tally.position && { position: tally.position }),
      ...(q && { query: q }),
      ...(error && { error }),
    }
    const event = { type: 'feed_read', brand: chosen.row.brandId, catalog: chosen.row.id } as const
    // Who goes on from a position is told of changes, which are no number of products.
    const numbers = goes ? {} : { numbers: { quantity: String(tally.lines) } }
    ports.record(request, { ...event, ...numbers, metadata })
  }
  const isSame = async () => {
    const { row, settings } = await within((tx) => chooseFeed(tx, bearer, asked.platform, asked.catalog_id))
    return (await ports.feeds.configFor(placeIn(row), settings, row.publishedVersion)).id === config.id
  }
  const mayStill = async () => (await request.mayStill()) && isSame().catch(() => false)
  const signal = AbortSignal.any([untilGone(reply), closing])
  const following = asked.follow ? { mayStill, signal, times: { ...followTimes, ...ports.follows } } : null
  const going = goes || asked.positions ? goingPages(reading, from, following) : plainly(reading, q)
  const pages = goes || q !== null ? going.pages : await notEmpty(going.pages, reading, within, tell)
  const sent = {
    ...{ pages, position: going.position },
    onError: (err: unknown) => request.log.error({ err }, 'the feed broke off'),
    ended: (tally: Tally) => tell(tally, tally.broken ? 'STREAM_ERROR' : undefined),
  }
  const answer = isColumnar(form)
    ? columnarBody({ ...sent, profile, format: form, write: ports.writeColumns })
    : feedBody({
        ...sent,
        form: form === 'ndjson' ? null : written,
        about: await aboutFeed(described, form, within),
        trailer: asked.positions === true || goes,
      })
  const body = request.method === 'HEAD' ? Readable.from([]) : bodyStream(answer)
  reply.type(written?.contentType ?? formTypes[form][0])
  if (encoding === null) return reply.send(body)
  reply.header('content-encoding', encoding)
  if (request.method === 'HEAD') return reply.send(body)
  return reply.send(pipeline(body, encoder(encoding), () => {}))
}

function describe(
  { protocol, host, url }: FastifyRequest,
  { access: { publicUrl } }: FeedPorts,
  { profile, open, config }: FeedReading,
  title: string,
): Described {
  const link = `${(publicUrl ?? `${protocol}://${host}`).replace(/\/$/, '')}${url.split('?')[0]}`
  return { title, link, profile, catalog: config.catalog, edition: open.edition, at: open.at }
}

/**
 * Its head says the catalog's name, too. While lines are made there is no date: that of the version alone would be the same for
 * whatever settings they are made with.
 */
function modified({ open }: FeedReading, { updatedAt }: CatalogRow): Date | null {
  if (open.how !== 'stored' || !open.at) return null
  return open.at > updatedAt ? open.at : updatedAt
}

function wantedForm(request: FastifyRequest, asked: AskedFeed, native: FeedForm): FeedFormat {
  const { positions, after, follow, q } = asked
  const form = askedForm(asked.format, request.headers.accept, native)
  if (form === null) {
    const types = Object.values(formTypes).map(([type]) => type)
    throw new ServiceError('BAD_REQUEST', { status: 406, message: `This feed can be had as ${types.join(', ')}` })
  }
  const field = follow ? 'follow' : after === undefined ? 'positions' : 'after'
  if (!follow && after === undefined && !positions) return form
  if (form !== 'ndjson')
    throw new ServiceError('BAD_REQUEST', { field, message: 'Positions come with lines; ask with format=ndjson' })
  if (q !== undefined && q.trim() !== '')
    throw new ServiceError('BAD_REQUEST', { field, message: 'A search has no positions; leave q out' })
  return form
}

const placeIn = ({ id, workspaceId, brandId }: CatalogRow) => ({
  catalog: id,
  workspace: workspaceId,
  brand: brandId,
})

/** Its configuration may be retired between two looks. */
async function openReading(
  { feeds }: FeedPorts,
  tenant: Pick<FeedReading, 'within' | 'copy'>,
  { row, settings, profile }: ChosenFeed,
  at: string,
  q: string | null,
): Promise<FeedReading> {
  // Which of two products goes out under an id that rules write is known once their lines are made.
  const serves = (how: OpenLines['how']) => profile.named === undefined || (how === 'filling' && q === null)
  for (;;) {
    const config = await feeds.configFor(placeIn(row), settings, row.publishedVersion)
    const open = await openLines(feeds, config, undefined, serves)
    if (open) return { feeds, ...tenant, config, profile, open, at }
  }
}

/** @throws 400 where it is no position, 410 where nothing can be gone on with from it */
async function placeOf(text: string, { config, open, within }: FeedReading): Promise<FeedPosition> {
  const position = readPosition(text)
  if (!position) throw new ServiceError('BAD_REQUEST', { field: 'after', message: 'after is no position of a feed' })
  const version = versionOf(position.edition)
  const goes =
    position.config === config.id &&
    version >= open.base &&
    version <= versionOf(open.edition) &&
    (await within((tx) => isKept(tx, config.catalog, version)))
  if (goes) return position
  throw new ServiceError('NOT_FOUND', {
    status: 410,
    field: 'after',
    message:
      'What this position goes on from is no longer kept, or the feed is made otherwise now; read it anew without after and with positions=1, and drop products that do not come again',
  })
}

function plainly(reading: FeedReading, q: string | null): Going {
  const { config, open } = reading
  const end = showPosition({ mode: 't', config: config.id, edition: open.edition, product: lastProduct })
  return { pages: editionPages(reading, { q, positions: false }), position: () => end }
}

/** What is refused as a whole is refused before anything is sent. @throws FEED_003 where nothing valid is left */
async function notEmpty(
  pages: AsyncIterable<Lines>,
  { config, open }: FeedReading,
  within: Within,
  tell: (tally: Tally, error: string) => void,
): Promise<AsyncIterable<Lines>> {
  const iterator = pages[Symbol.asyncIterator]()
  const first = await iterator.next()
  if (first.done && (await within((tx) => refusesAny(tx, config.id, open.edition)))) {
    tell({ lines: 0, bytes: 0, whole: false, broken: true, position: null }, 'FEED_003')
    throw new ServiceError('FEED_003', {
      message: `${config.platform} would take no product of this catalog; ask for the feed’s validation to see why`,
    })
  }
  return (async function* () {
    try {
      for (let next = first; !next.done; next = await iterator.next()) yield next.value
    } finally {
      await iterator.return?.()
    }
  })()
}
