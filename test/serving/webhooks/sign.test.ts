import { randomBytes } from 'node:crypto'
import fc from 'fast-check'
import { Webhook } from 'standardwebhooks'
import { expect, test } from 'vitest'
import { makeSecret } from '../../../serving/webhooks/make-secret.ts'
import { isSigned, serviceSignature, standardSignature } from '../../../serving/webhooks/sign.ts'

/** KF-37: the fault's own line, secret and signature. */
const secret = 'demo-signing-secret'
const line = `{"event":"feed.generated","workspace_id":"ws_demo1","platform":"social","feed_url":"https://feeds.example.test/ws_demo1/a&b/socks \u2028🧦","product_count":2,"generated_at":"2026-11-27T10:00:00.000Z"}`
const signature = 'sha256=87e2382476503d7bf226bd8d5caa9744777867ec0850049902c3debfb1a23fbd'

test('KF-37: the signature is over the bytes that are sent, to the byte', () => {
  const body = Buffer.from(line)
  expect(body).toHaveLength(199)
  expect(serviceSignature(secret, body)).toBe(signature)
  expect(isSigned(secret, body, signature)).toBe(true)
  // What the known fault signed: the same value, written in other bytes.
  expect(isSigned(secret, Buffer.from(JSON.stringify(JSON.parse(line), null, 1)), signature)).toBe(false)
})

test('KF-37: the verifier says no, and throws nothing, whatever stands in the header', () => {
  const body = Buffer.from(line)
  for (const header of [
    undefined,
    '',
    'sha256=',
    signature.slice(0, -1),
    `${signature}00`,
    signature.toUpperCase(),
    '🧦',
  ])
    expect(isSigned(secret, body, header)).toBe(false)
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (header) => isSigned(secret, body, header) === (header === signature)),
  )
})

/** As receivers of Standard Webhooks read secrets: `whsec_` and base64, or the bytes of any other text. */
const receiver = (key: string) => (key.startsWith('whsec_') ? new Webhook(key) : new Webhook(key, { format: 'raw' }))

test('the published library of Standard Webhooks verifies any body under any secret, and refuses another', () => {
  const secrets = fc.oneof(
    fc.constant(null).map(makeSecret),
    fc.string({ minLength: 1, maxLength: 64, unit: 'grapheme-ascii' }).filter((text) => !text.startsWith('whsec_')),
  )
  fc.assert(
    fc.property(secrets, fc.json(), fc.uuid(), (key, body, id) => {
      const seconds = Math.floor(Date.now() / 1_000)
      const headers = (by: string) => ({
        'webhook-id': id,
        'webhook-timestamp': String(seconds),
        'webhook-signature': standardSignature(by, id, seconds, Buffer.from(body)),
      })
      expect(receiver(key).verify(body, headers(key))).toEqual(JSON.parse(body))
      expect(() => receiver(key).verify(body, headers(`other ${key}`))).toThrow()
    }),
  )
})

test('a secret that is made has 32 random bytes', () => {
  const [a, b] = [makeSecret(), makeSecret()]
  expect(a).not.toBe(b)
  expect(Buffer.from(a.slice('whsec_'.length), 'base64')).toHaveLength(randomBytes(32).length)
})
