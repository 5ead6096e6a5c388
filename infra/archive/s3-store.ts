/** Keeps the archive in a bucket of an S3-compatible store; what is read of it is kept beside, within a bound. */
import { randomUUID } from 'node:crypto'
import { createReadStream, createWriteStream } from 'node:fs'
import { access, mkdir, readdir, rename, rm, stat, utimes } from 'node:fs/promises'
import { type IncomingMessage, request as plainRequest } from 'node:http'
import { request as secureRequest } from 'node:https'
import { dirname, join } from 'node:path'
import { text } from 'node:stream/consumers'
import { pipeline } from 'node:stream/promises'
import { type SigningKey, signV4 } from './sign-v4.ts'
import { ArchiveFileGone, type ArchiveStore } from './store.ts'

export interface Bucket extends SigningKey {
  /** The store's address; the bucket is the first part of the path. */
  readonly endpoint: string
  readonly bucket: string
  /** Without slashes at its ends; may be empty. */
  readonly prefix: string
}

const sumOfNothing = 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855'
const silentMs = 60_000

interface Sent {
  readonly method: 'GET' | 'PUT' | 'DELETE'
  readonly name?: string
  readonly query?: Readonly<Record<string, string>>
  readonly file?: { readonly path: string; readonly sha256: string; readonly bytes: number }
}

/** @param folder for drafts and for what was read @param cacheBytes what is kept of the latter */
export function s3Store(bucket: Bucket, folder: string, cacheBytes = 4 * 1024 ** 3): ArchiveStore {
  const send = sender(bucket)
  const draftOf = (name: string) => join(folder, 'drafts', name)
  const cacheOf = (name: string) => join(folder, 'read', name)

  async function download(name: string): Promise<void> {
    const answer = await send({ method: 'GET', name })
    if (answer.statusCode === 404) {
      answer.resume()
      throw new ArchiveFileGone(`${name} is gone from the bucket ${bucket.bucket}`)
    }
    await expectOk(answer, name)
    const part = `${cacheOf(name)}.${randomUUID()}`
    await mkdir(dirname(part), { recursive: true })
    try {
      await pipeline(answer, createWriteStream(part))
      await rename(part, cacheOf(name))
    } finally {
      await rm(part, { force: true })
    }
    await prune(join(folder, 'read'), cacheBytes)
  }

  return {
    place: `s3://${[bucket.bucket, bucket.prefix].filter((part) => part !== '').join('/')}`,
    async draft(name) {
      await mkdir(dirname(draftOf(name)), { recursive: true })
      return draftOf(name)
    },
    // The store compares what came with its sum, and has all of it or nothing.
    async keep(name, sha256) {
      const path = draftOf(name)
      const bytes = (await stat(path)).size
      const answer = await send({ method: 'PUT', name, file: { path, sha256, bytes } })
      await expectOk(answer, name)
      answer.resume()
      await rm(path)
    },
    async local(name, fresh = false) {
      const path = cacheOf(name)
      const there =
        !fresh &&
        (await access(path).then(
          () => true,
          () => false,
        ))
      if (!there) await download(name)
      const now = new Date()
      await utimes(path, now, now)
      return path
    },
    async remove(name) {
      const answer = await send({ method: 'DELETE', name })
      if (answer.statusCode !== 404) await expectOk(answer, name)
      answer.resume()
      for (const path of [draftOf(name), cacheOf(name)]) await rm(path, { force: true })
    },
    async *parquetNames() {
      for await (const name of listNames(send, bucket.prefix)) if (name.endsWith('.parquet')) yield name
    },
  }
}

type Send = (sent: Sent) => Promise<IncomingMessage>

/** The address and its credentials are the operator's own, so this does not go through the guarded way out. */
function sender(bucket: Bucket): Send {
  const request = bucket.endpoint.startsWith('https:') ? secureRequest : plainRequest
  return ({ method, name, query = {}, file }) => {
    const key = name === undefined ? [] : [...bucket.prefix.split('/'), ...name.split('/')]
    const path = [bucket.bucket, ...key].filter((part) => part !== '').map(encodeURIComponent)
    const url = new URL(`/${path.join('/')}`, bucket.endpoint)
    for (const [each, value] of Object.entries(query)) url.searchParams.set(each, value)
    const length = file ? { 'content-length': String(file.bytes) } : {}
    const sha256 = file?.sha256 ?? sumOfNothing
    const headers = { ...signV4({ method, url, sha256, now: new Date() }, bucket), ...length }
    return new Promise((resolve, reject) => {
      const asked = request(url, { method, headers, timeout: silentMs }, resolve)
      asked.on('timeout', () => asked.destroy(new Error(`${bucket.endpoint} does not answer`)))
      asked.on('error', reject)
      if (file) pipeline(createReadStream(file.path), asked).catch(reject)
      else asked.end()
    })
  }
}

async function expectOk(answer: IncomingMessage, name: string): Promise<void> {
  const { statusCode = 0 } = answer
  if (statusCode >= 200 && statusCode < 300) return
  const said = (await text(answer)).match(/<Code>([^<]*)<\/Code>/)?.[1]
  throw new Error(`The bucket answered ${statusCode}${said ? ` (${said})` : ''} for ${name}`)
}

/** Names as they are below the prefix. Ours have no sign that XML writes in another way, and others' are only told of. */
async function* listNames(send: Send, prefix: string): AsyncGenerator<string> {
  const below = prefix === '' ? '' : `${prefix}/`
  for (let token: string | undefined = ''; token !== undefined; ) {
    const more: Record<string, string> = token === '' ? {} : { 'continuation-token': token }
    const answer = await send({ method: 'GET', query: { 'list-type': '2', prefix: below, ...more } })
    await expectOk(answer, 'its list of files')
    const page = await text(answer)
    for (const [, key = ''] of page.matchAll(/<Key>([^<]*)<\/Key>/g)) yield key.slice(below.length)
    token = page.match(/<NextContinuationToken>([^<]*)<\/NextContinuationToken>/)?.[1]
  }
}

/** What is being read stays, whatever the bound. */
const inUseMs = 3_600_000

/** Those that nobody has read for the longest go first. */
async function prune(folder: string, cacheBytes: number): Promise<void> {
  const found = await readdir(folder, { recursive: true, withFileTypes: true })
  const files = await Promise.all(
    found
      .filter((entry) => entry.isFile())
      .map(async ({ parentPath, name }) => {
        const path = join(parentPath, name)
        const about = await stat(path).catch(() => null)
        return { path, bytes: about?.size ?? 0, readAt: about?.mtimeMs ?? 0 }
      }),
  )
  let bytes = files.reduce((sum, file) => sum + file.bytes, 0)
  for (const file of files.sort((a, b) => a.readAt - b.readAt)) {
    if (bytes <= cacheBytes || Date.now() - file.readAt < inUseMs) return
    await rm(file.path, { force: true })
    bytes -= file.bytes
  }
}
