/** Signs a request to an S3-compatible store by AWS Signature Version 4, as its documentation gives it ("Authenticating Requests: Using the Authorization Header"). */
import { createHmac, hash } from 'node:crypto'

export interface SigningKey {
  readonly region: string
  readonly keyId: string
  readonly secret: string
}

interface ToSign {
  readonly method: string
  readonly url: URL
  /** In lower case. */
  readonly headers?: Readonly<Record<string, string>>
  /** Of the body, in hex. */
  readonly sha256: string
  readonly now: Date
}

/** @returns all headers that the request must have */
export function signV4({ method, url, headers = {}, sha256, now }: ToSign, key: SigningKey): Record<string, string> {
  const time = now.toISOString().replace(/[-:]|\.\d+/g, '')
  const scope = `${time.slice(0, 8)}/${key.region}/s3/aws4_request`
  const signed: Record<string, string> = {
    ...headers,
    host: url.host,
    'x-amz-content-sha256': sha256,
    'x-amz-date': time,
  }
  const names = Object.keys(signed).sort()
  const canonical = [
    method,
    url.pathname.split('/').map(encoded).join('/'),
    [...url.searchParams]
      .map(([name, value]) => `${strictly(name)}=${strictly(value)}`)
      .sort()
      .join('&'),
    ...names.map((name) => `${name}:${signed[name]?.trim()}`),
    '',
    names.join(';'),
    sha256,
  ].join('\n')
  const text = ['AWS4-HMAC-SHA256', time, scope, hash('sha256', canonical, 'hex')].join('\n')
  const signature = hmac(signingKey(scope, key.secret), text).toString('hex')
  const authorization = `AWS4-HMAC-SHA256 Credential=${key.keyId}/${scope}, SignedHeaders=${names.join(';')}, Signature=${signature}`
  return { ...signed, authorization }
}

const hmac = (key: string | Buffer, text: string) => createHmac('sha256', key).update(text).digest()

const signingKey = (scope: string, secret: string) =>
  scope.split('/').reduce<string | Buffer>((key, part) => hmac(key, part), `AWS4${secret}`)

/** What is encoded in the address already must not be so twice. */
const encoded = (part: string) => strictly(decodeURIComponent(part))

/** All but letters, digits and -._~ */
const strictly = (text: string) =>
  encodeURIComponent(text).replace(/[!'()*]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`)
