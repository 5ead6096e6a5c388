/** Answers a reader of a feed: which lines, in which form and encoding, whether they are as they were, and what is told of it as an event. */
import { createHash } from 'node:crypto'
import { pipeline, Readable } from 'node:stream'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { versionOf } from '../../infra/catalog/feed-edition.ts'
import { isKept, refusesAny } from '../../infra/catalog/feed-pages.ts'
import { categoryPaths } from '../../infra/catalog/feed-queries.ts'
import { ServiceError } from '../../schemas/errors.ts'
import type { FeedForm } from '../../schemas/feeds/profile.ts'
import { profileFor } from '../../schemas/feeds/registry.ts'
import { bearerOf, principalOf } from '../plugins/access.ts'
import { untilGone } from '../workspace/until-gone.ts'
import { askedEncoding, encoder } from './asked-encoding.ts'
import { askedForm, formTypes } from './asked-form.ts'
import { type ChosenFeed, chooseFeed } from './choose-feed.ts'
import { feedBody, type Tally } from './feed-body.ts'
import { editionPages, type FeedReading, type Going, goingPages, type Within } from './feed-pages.ts'
import type { FeedPorts } from './feed-ports.ts'
import { type FeedPosition, lastProduct, readPosition, showPosition } from './feed-position.ts'
import { followTimes } from './follow-lines.ts'
import { type AboutFeed, feedForm } from './forms/feed-form.ts'
import type { Lines } from './line-pages.ts'
import { openLines } from './open-lines.ts'

export interface AskedFeed {
  readonly platform: string
  readonly catalog_id?: string | undefined
  readonly q?: string | undefined
  readonly format?: FeedForm | undefined
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
  const known = profileFor(asked.platform)
  const form = known ? wantedForm(request, asked, known.native) : 'ndjson'
  const chosen = await within((tx) => chooseFeed(tx, bearer, asked.platform, asked.catalog_id))
  const at = ports.now().toISOString()
  const copying: Within = (work) => ports.catalog.copyWithTenant(principalOf(bearer), work)
  const reading = await openReading(ports, { within, copying }, chosen, at)
  const { config, open, profile } = reading
  const from = asked.after === undefined ? null : await placeOf(asked.after, reading)

  const q = asked.q === undefined || asked.q.trim() === '' ? null : asked.q
  const goes = from !== null || asked.follow === true
  const encoding = asked.follow ? null : askedEncoding(request.headers['accept-encoding'])
  reply
    .header('x-catalog-version', String(versionOf(open.edition)))
    .header('vary', 'Accept, Accept-Encoding')
    .header('cache-control', goes ? 'no-store' : 'private, no-cache')
  if (!goes && q === null) {
    const tag = tagOf([config.id, open.edition, form, encoding, asked.positions === true])
    reply.header('etag', tag)
    if (open.at) reply.header('last-modified', open.at.toUTCString())
    if (isKnown(request, tag, open.at)) return reply.code(304).send()
  }

  const tell = (tally: Tally, error?: string) => {
    const metadata = {
      platform: profile.platform,
      complete: String(tally.whole),
      form,
      bytes: String(tally.bytes),
      ...(tally.position && { position: tally.position }),
      ...(q && { query: q }),
      ...(error && { error }),
    }
    const event = { type: 'feed_read', brand: chosen.row.brandId, catalog: chosen.row.id } as const
    ports.record(request, { ...event, numbers: { quantity: String(tally.lines) }, metadata })
  }
  const going = goingOf(request, reply, ports, reading, asked, { from, q, closing })
  const pages = goes || q !== null ? going.pages : await notEmpty(going.pages, reading, within, tell)
  const body = Readable.from(
    request.method === 'HEAD'
      ? []
      : feedBody({
          pages,
          form: form === 'ndjson' ? null : feedForm(profile, form, config.options),
          about: await aboutFeed(request, ports, reading, chosen.row.name, form),
          trailer: asked.positions === true || goes,
          position: going.position,
          onError: (err) => request.log.error({ err }, 'the feed broke off'),
          ended: (tally) => tell(tally, tally.broken ? 'STREAM_ERROR' : undefined),
        }),
    { highWaterMark: 1 },
  )
  const { contentType } = feedForm(profile, form)
  reply.type(contentType)
  if (encoding === null || request.method === 'HEAD') return reply.send(body)
  reply.header('content-encoding', encoding)
  return reply.send(pipeline(body, encoder(encoding), () => {}))
}

/** What a document says before its items. */
async function aboutFeed(
  { protocol, host, url }: FastifyRequest,
  { access: { publicUrl } }: FeedPorts,
  { profile, open, within, config }: FeedReading,
  title: string,
  form: FeedForm,
): Promise<AboutFeed> {
  const link = `${(publicUrl ?? `${protocol}://${host}`).replace(/\/$/, '')}${url.split('?')[0]}`
  const at = open.at ? { at: open.at.toISOString() } : {}
  if (form !== 'xml' || !profile.xml.head.includes('{categories}')) return { title, link, ...at }
  const version = versionOf(open.edition)
  return { title, link, ...at, categories: await within((tx) => categoryPaths(tx, config.catalog, version)) }
}

function wantedForm(request: FastifyRequest, asked: AskedFeed, native: FeedForm): FeedForm {
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

/** Its configuration may be retired between two looks. */
async function openReading(
  { feeds }: FeedPorts,
  tenant: Pick<FeedReading, 'within' | 'copying'>,
  { row, settings, profile }: ChosenFeed,
  at: string,
): Promise<FeedReading> {
  const place = { catalog: row.id, workspace: row.workspaceId, brand: row.brandId }
  for (;;) {
    const config = await feeds.configFor(place, settings, row.publishedVersion)
    const open = await openLines(feeds, config)
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

function goingOf(
  request: FastifyRequest,
  reply: FastifyReply,
  { follows }: FeedPorts,
  reading: FeedReading,
  { positions, follow }: AskedFeed,
  { from, q, closing }: { from: FeedPosition | null; q: string | null; closing: AbortSignal },
): Going {
  const { config, open } = reading
  if (from === null && !follow && !positions) {
    const end = showPosition({ mode: 't', config: config.id, edition: open.edition, product: lastProduct })
    return { pages: editionPages(reading, { q, positions: false }), position: () => end }
  }
  const signal = AbortSignal.any([untilGone(reply), closing])
  const times = { ...followTimes, ...follows }
  return goingPages(reading, from, follow ? { mayStill: request.mayStill, times, signal } : null)
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

const tagOf = (parts: readonly unknown[]) =>
  `"${createHash('sha256').update(JSON.stringify(parts)).digest('base64url').slice(0, 22)}"`

/** RFC 9110, sections 13.1.2 and 13.1.3: a weak comparison; the date only where no tag is named. */
function isKnown({ headers }: FastifyRequest, tag: string, at: Date | null): boolean {
  const named = headers['if-none-match']
  if (named !== undefined)
    return named.trim() === '*' || named.split(',').some((one) => one.trim().replace(/^W\//, '') === tag)
  const since = Date.parse(headers['if-modified-since'] ?? '')
  return at !== null && !Number.isNaN(since) && Math.floor(at.getTime() / 1_000) * 1_000 <= since
}
