/** Puts a stored feed where a target says: on an SFTP server, or into a bucket; both through the guarded way out. */
import { randomUUID } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { posix } from 'node:path'
import { EgressError } from '../../schemas/egress-error.ts'
import type { S3Place, TargetSecret } from '../../schemas/feed-file.ts'
import { signV4 } from '../archive/sign-v4.ts'
import type { DueDelivery } from '../catalog/feed-deliveries.ts'
import type { Egress } from '../egress/open-egress.ts'
import { putBySftp, SftpError } from '../sftp.ts'

export interface Put {
  readonly file: DueDelivery['file']
  readonly target: DueDelivery['target']
  readonly secret: TargetSecret
  /** On this machine. */
  readonly path: string
  readonly now: Date
  readonly signal: AbortSignal
}

export interface PutOutcome {
  readonly remote: string
  /** Of an SFTP server. */
  readonly hostKey: string | null
}

/** Why nothing came to lie there, in one sentence for who set the target up. */
export class PutFailed extends Error {
  override readonly name = 'PutFailed'
  readonly code: string
  /** Trying again gives the same, or locks the door: a person has to look. */
  readonly isFinal: boolean

  constructor(code: string, says: string, isFinal: boolean, cause?: unknown) {
    super(says, { cause })
    this.code = code
    this.isFinal = isFinal
  }
}

const connectWithinMs = 15_000
/** The largest file that platforms take, 4 GB, at 10 Mbit/s. */
const putWithinMs = 3_600_000
/** Of an answer that says no. */
const answerBytes = 16_384

/** @throws PutFailed */
export async function putToTarget(egress: Pick<Egress, 'ask' | 'connect'>, put: Put): Promise<PutOutcome> {
  const signal = AbortSignal.any([put.signal, AbortSignal.timeout(putWithinMs)])
  try {
    if (put.target.kind === 's3') return await intoBucket(egress, put.target.place, { ...put, signal })
    const { host, port, user, path } = put.target.place
    const socket = await egress.connect(host, port, { withinMs: connectWithinMs, signal })
    const to = nameAt(path, put.file)
    const { hostKey } = await putBySftp({
      ...{ socket, user, secret: put.secret, hostKey: put.target.hostKey },
      // A process that is taken for dead may be at it still.
      ...{ file: put.path, to, name: randomUUID(), signal },
    })
    return { remote: to, hostKey }
  } catch (error) {
    put.signal.throwIfAborted()
    throw failureOf(error)
  }
}

/** Stable, and written anew each time, as platforms that fetch files ask for. */
const nameAt = (path: string, { platform, extension }: Put['file']) =>
  path === '' || path.endsWith('/') ? posix.join(path, `${platform}.${extension}`) : path

/** The store compares what came with its sum, and has all of it or nothing: no name of its own is needed meanwhile. */
async function intoBucket(egress: Pick<Egress, 'ask'>, place: S3Place, put: Put): Promise<PutOutcome> {
  const name = nameAt(place.path, put.file).replace(/^\/+/, '')
  const path = [place.bucket, ...name.split('/')].map(encodeURIComponent).join('/')
  const url = new URL(`/${path}`, place.endpoint)
  const key = { region: place.region, keyId: place.keyId, secret: put.secret.password ?? '' }
  const headers = signV4({ method: 'PUT', url, sha256: put.file.sha256, now: put.now }, key)
  const ask = {
    ...{ method: 'PUT' as const, body: () => createReadStream(put.path) },
    headers: { ...headers, 'content-length': String(put.file.bytes) },
    ...{ maxBytes: answerBytes, withinMs: putWithinMs, signal: put.signal },
  }
  await egress.ask(url.href, ask, async ({ status, body }) => {
    if (status >= 200 && status < 300) return
    let text = ''
    for await (const part of body) text += Buffer.from(part).toString()
    const code = text.match(/<Code>([^<]{1,100})<\/Code>/)?.[1]
    const says = `The bucket answered ${status}${code ? ` (${code})` : ''}`
    throw new PutFailed('bad_answer', says, [401, 403, 404].includes(status))
  })
  return { remote: `s3://${place.bucket}/${name}`, hostKey: null }
}

function failureOf(error: unknown): unknown {
  if (error instanceof PutFailed) return error
  if (error instanceof EgressError)
    return new PutFailed(error.code, error.message, error.code === 'refused_address', error)
  if (error instanceof SftpError)
    return new PutFailed(error.code, error.message, error.code === 'host_key' || error.code === 'sign_in', error)
  if ((error as { name?: unknown } | null)?.name === 'TimeoutError')
    return new PutFailed('timeout', 'It was not all there within an hour', false, error)
  return error
}
