/** Signs the bytes that are sent, in both ways that receivers know: `X-Service-Signature` and Standard Webhooks. */
import { createHmac, timingSafeEqual } from 'node:crypto'

/** `sha256=<hex>`: the HMAC-SHA256 of the raw body, keyed with the secret as it is written. */
export const serviceSignature = (secret: string, body: Uint8Array): string =>
  `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`

/** For receivers of ours, and to hold the other to: whatever stands in the header, the answer is yes or no. */
export function isSigned(secret: string, body: Uint8Array, header: string | undefined): boolean {
  const [given, right] = [Buffer.from(header ?? ''), Buffer.from(serviceSignature(secret, body))]
  return given.length === right.length && timingSafeEqual(given, right)
}

/**
 * One signature of Standard Webhooks 1.0.0, over `id.timestamp.body`.
 * @param timestamp seconds of the epoch, anew for each attempt
 */
export function standardSignature(secret: string, id: string, timestamp: number, body: Uint8Array): string {
  const mac = createHmac('sha256', standardKey(secret)).update(`${id}.${timestamp}.`).update(body)
  return `v1,${mac.digest('base64')}`
}

const prefix = 'whsec_'
const base64 = /^(?:[A-Za-z0-9+/]{4})+(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/

/** `whsec_` and base64 mean the bytes in it; any other secret means its own bytes, the `raw` format of their library. */
function standardKey(secret: string): Buffer {
  const text = secret.startsWith(prefix) ? secret.slice(prefix.length) : ''
  return base64.test(text) ? Buffer.from(text, 'base64') : Buffer.from(secret)
}
