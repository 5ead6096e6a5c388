/** An S3-compatible store in memory, for tests: names, bytes and their sums, lists by pages of two, and no request without a good signature. */
import { hash } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { type SigningKey, signV4 } from '../../../infra/archive/sign-v4.ts'

export interface BucketServer {
  readonly endpoint: string
  readonly objects: Map<string, Buffer>
  /** Answered to this many requests in place of what they asked for. */
  failing: number
  close(): Promise<void>
}

const pageNames = 2

export async function bucketServer(key: SigningKey): Promise<BucketServer> {
  const objects = new Map<string, Buffer>()
  const server = createServer(async (request, response) => {
    const { method = '', headers } = request
    const body = await buffer(request)
    const url = new URL(request.url ?? '', `http://${headers.host}`)
    const answer = (status: number, text: string | Buffer = '') => response.writeHead(status).end(text)
    const refuse = (status: number, code: string) => answer(status, `<Error><Code>${code}</Code></Error>`)
    if (headers['x-amz-date'] === undefined) return refuse(403, 'AccessDenied')
    const time = String(headers['x-amz-date']).replace(/^(....)(..)(..)T(..)(..)(..)Z$/, '$1-$2-$3T$4:$5:$6Z')
    const sha256 = String(headers['x-amz-content-sha256'])
    const signed = signV4({ method, url, sha256, now: new Date(time) }, key)
    if (signed.authorization !== headers.authorization) return refuse(403, 'SignatureDoesNotMatch')
    if (hash('sha256', body, 'hex') !== sha256) return refuse(400, 'XAmzContentSHA256Mismatch')
    if (opened.failing > 0) {
      opened.failing--
      return refuse(503, 'SlowDown')
    }
    const name = decodeURIComponent(url.pathname).slice(1)
    if (url.searchParams.has('list-type')) return answer(200, list(url.searchParams, `${name}/`))
    if (method === 'PUT') objects.set(name, body)
    if (method === 'DELETE') objects.delete(name)
    if (method !== 'GET') return answer(method === 'PUT' ? 200 : 204)
    const found = objects.get(name)
    return found ? answer(200, found) : refuse(404, 'NoSuchKey')
  })
  function list(query: URLSearchParams, bucket: string): string {
    const all = [...objects.keys()].filter((name) => name.startsWith(bucket + (query.get('prefix') ?? ''))).sort()
    const from = Number(query.get('continuation-token') ?? 0)
    const keys = all
      .slice(from, from + pageNames)
      .map((name) => `<Contents><Key>${name.slice(bucket.length)}</Key></Contents>`)
    const next =
      from + pageNames < all.length ? `<NextContinuationToken>${from + pageNames}</NextContinuationToken>` : ''
    return `<ListBucketResult>${keys.join('')}${next}</ListBucketResult>`
  }
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const opened: BucketServer = {
    endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    objects,
    failing: 0,
    close: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
  return opened
}
