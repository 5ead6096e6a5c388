/** Writes the present edition of a feed into a file: in the form, packed, and with the sums by which files are told apart. */
import { createHash } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGzip } from 'node:zlib'
import { type FeedFormat, isColumnar } from '../../schemas/feeds/feed-formats.ts'
import type { FeedProfile } from '../../schemas/feeds/profile.ts'
import { aboutFeed, type Described } from '../../serving/feeds/about-feed.ts'
import { bodyStream } from '../../serving/feeds/body-stream.ts'
import { columnarBody, type WriteColumns } from '../../serving/feeds/columnar-body.ts'
import { feedBody } from '../../serving/feeds/feed-body.ts'
import { feedForm } from '../../serving/feeds/forms/feed-form.ts'
import type { Lines } from '../../serving/feeds/line-pages.ts'
import type { FeedConfig } from '../catalog/feed-configs.ts'
import type { Catalog } from '../catalog/postgres.ts'
import { storedLines } from './stored-lines.ts'

export interface FileOrder {
  readonly path: string
  readonly config: FeedConfig
  readonly edition: number
  readonly profile: FeedProfile
  readonly format: FeedFormat
  readonly gzip: boolean
  readonly about: Described
  readonly signal: AbortSignal
  readonly onLines: (lines: number) => Promise<void>
}

export interface WrittenFile {
  readonly lines: number
  readonly bytes: number
  readonly sha256: string
  /** Of the lines as JSON. */
  readonly linesSha256: string
  readonly extension: string
}

type Parts = Pick<Catalog, 'copyWithTenant' | 'pipeline' | 'inTransaction'>

export async function writeFeedFile(catalog: Parts, write: WriteColumns, order: FileOrder): Promise<WrittenFile> {
  const { path, config, profile, format, gzip, signal } = order
  const within: Parameters<typeof aboutFeed>[2] = (work) => catalog.inTransaction(catalog.pipeline, work)
  let fault: unknown
  const rest = { position: () => '', ended: () => {} }
  const onError = (error: unknown) => {
    fault = error
  }
  const counted = countedPages(catalog, order)
  const form = isColumnar(format) || format === 'ndjson' ? null : feedForm(profile, format, config.options)
  const about = await aboutFeed(order.about, format, within)
  const body = isColumnar(format)
    ? columnarBody({ ...rest, onError, pages: counted.pages, profile, format, write })
    : feedBody({ ...rest, onError, pages: counted.pages, form, about, trailer: false })
  const sum = createHash('sha256')
  let bytes = 0
  const meter = new Transform({
    transform(chunk: Buffer, _, done) {
      sum.update(chunk)
      bytes += chunk.length
      // It is used again once it is taken.
      done(null, gzip ? chunk : Buffer.from(chunk))
    },
  })
  const packed = gzip ? [createGzip({ level: 6 })] : []
  await pipeline([bodyStream(body), ...packed, meter, createWriteStream(path)], { signal })
  // Lines say of themselves that they broke off; a file that does so is none.
  if (fault !== undefined) throw fault
  const extension = isColumnar(format) ? format : feedForm(profile, format).extension
  return {
    ...{ lines: counted.lines(), bytes, sha256: sum.digest('hex'), linesSha256: counted.sha256() },
    extension: gzip ? `${extension}.gz` : extension,
  }
}

function countedPages(catalog: Parts, { config, edition, signal, onLines }: FileOrder) {
  const sum = createHash('sha256')
  let lines = 0
  async function* pages(): AsyncGenerator<Lines> {
    for await (const page of storedLines(catalog, config, edition)) {
      signal.throwIfAborted()
      sum.update(page.bytes)
      lines += page.lines
      yield page
      await onLines(lines)
    }
  }
  return { pages: pages(), lines: () => lines, sha256: () => sum.digest('hex') }
}
