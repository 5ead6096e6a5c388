/** Fetches one image and says what is there: an image that platforms take, one that they do not, something else, or nothing. */
import type { ByTurns } from '../../infra/egress/by-turns.ts'
import type { Answer } from '../../infra/egress/open-egress.ts'
import type { Picture, Pictures } from '../../infra/pictures.ts'
import { EgressError, type EgressErrorCode } from '../../schemas/egress-error.ts'
import { leastSideAnywhere, mostBytesAnywhere, mostPixelsAnywhere } from '../../schemas/feeds/image-limits.ts'
import type { ImageState } from '../../schemas/image-check.ts'
import { bmpSize, type FileType, fileType, headBytes } from './file-type.ts'

/** What the host says of the state of its file, by which it is asked whether that is still the one. */
export interface Validators {
  readonly etag: string | null
  readonly lastModified: string | null
}

export interface CheckedImage extends Validators {
  readonly state: ImageState
  /** A sentence for whoever has the image in their catalog; null where all is well. */
  readonly says: string | null
  readonly status: number | null
  readonly type: string | null
  readonly width: number | null
  readonly height: number | null
  readonly bytes: number | null
  readonly looks: Buffer | null
}

export interface CheckPorts {
  readonly hosts: ByTurns
  readonly pictures: Pictures
}

const withinMs = 30_000
/** Statuses by which a host turns this asker away, or all for now: they say nothing of the image. */
const notToUs = new Set([401, 403, 407, 408, 421, 423, 425, 429, 451])
/** The address itself is no good, whoever asks and whenever. */
const forGood = new Set<EgressErrorCode>(['refused_address', 'too_many_redirects'])

const nothing: Omit<CheckedImage, 'state' | 'says'> = {
  ...{ status: null, type: null, width: null, height: null, bytes: null, looks: null },
  ...{ etag: null, lastModified: null },
}

/**
 * @param known of a check whose result still stands where the file is the same
 * @returns null where it is
 * @throws what is no fault of the image: that the job is cancelled
 */
export async function checkImage(
  address: string,
  known: Validators,
  { hosts, pictures }: CheckPorts,
  signal: AbortSignal,
): Promise<CheckedImage | null> {
  const headers = {
    accept: 'image/*',
    ...(known.etag === null ? {} : { 'if-none-match': known.etag }),
    ...(known.lastModified === null ? {} : { 'if-modified-since': known.lastModified }),
  }
  const asked = known.etag !== null || known.lastModified !== null
  try {
    return await hosts.ask(address, { maxBytes: mostBytesAnywhere, withinMs, headers, signal }, async (answer) => {
      const { status } = answer
      if (status === 304 && asked) return null
      if (status !== 200 && status !== 203) return unanswered(status)
      return judged(answer, pictures)
    })
  } catch (error) {
    if (!(error instanceof EgressError)) throw error
    if (error.code === 'too_large') return { ...nothing, state: 'too_large', says: tooHeavy }
    return { ...nothing, state: forGood.has(error.code) ? 'dead' : 'unreachable', says: error.message }
  }
}

const tooHeavy = `It has more than ${mostBytesAnywhere / 2 ** 20} MB, which no platform takes`

function unanswered(status: number): CheckedImage {
  const toAll = status === 204 || (status >= 300 && status < 500 && status !== 304 && !notToUs.has(status))
  const says = `The host answered ${status} in place of an image`
  return { ...nothing, status, state: toAll ? 'dead' : 'unreachable', says }
}

async function judged({ body, headers }: Answer, pictures: Pictures): Promise<CheckedImage> {
  const { etag = null, 'last-modified': lastModified = null } = headers
  const chunks: Uint8Array[] = []
  let bytes = 0
  let kind: FileType | null = null
  const headOf = () => fileType(Buffer.concat(chunks).subarray(0, headBytes))
  for await (const chunk of body) {
    chunks.push(chunk)
    bytes += chunk.length
    if (kind === null && bytes >= headBytes) kind = headOf()
    // The rest of a film is not fetched.
    if (kind !== null && !kind.image) break
  }
  kind ??= headOf()
  const { type } = kind
  const about = { ...nothing, type, etag, lastModified }
  if (!kind.image) return { ...about, state: 'not_an_image', says: `It is ${kind.says} and no image` }
  const all = Buffer.concat(chunks)
  // It is held once while it waits to be looked at.
  chunks.length = 0
  return { ...about, bytes, ...(await seen(all, kind, pictures)) }
}

async function seen(all: Buffer, { type, says }: FileType, pictures: Pictures) {
  // No decoder of ours reads it.
  if (type === 'bmp') return measured({ ...bmpSize(all), whole: true, looks: null }, says)
  const picture = await pictures.look(all)
  if (picture !== null) return measured(picture, says)
  // Of a kind that is not looked into: what it is stands in the type, and that decides.
  if (!lookedInto.has(type)) return { state: 'ok', says: null } as const
  return { state: 'not_an_image', says: `It begins as ${says} and cannot be read as one` } as const
}

const lookedInto = new Set(['jpeg', 'png', 'gif', 'webp', 'tiff', 'avif'])

function measured({ width, height, whole, looks }: Picture, what: string) {
  const size = { width, height, looks }
  if (!whole) return { ...size, state: 'not_an_image', says: `It begins as ${what} and is damaged` } as const
  if (width * height > mostPixelsAnywhere)
    return {
      ...size,
      state: 'too_large',
      says: `It has ${width} x ${height} pixels, more than platforms take`,
    } as const
  if (Math.min(width, height) >= leastSideAnywhere) return { ...size, state: 'ok', says: null } as const
  const least = `${leastSideAnywhere} x ${leastSideAnywhere}`
  return {
    ...size,
    state: 'too_small',
    says: `It has ${width} x ${height} pixels; platforms take none below ${least}`,
  } as const
}
