/** Makes and checks API keys: only a hash is kept, the checksum refuses a mistyped key before any look-up. */
import { hash, randomInt, timingSafeEqual } from 'node:crypto'
import { apiKeyPattern } from '../../schemas/api-key.ts'

const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const [prefixLength, secretLength, checksumLength] = [12, 32, 6]

const letters = (n: number) => Array.from({ length: n }, () => alphabet[randomInt(alphabet.length)]).join('')

/** Of everything before it. */
function checksum(text: string): string {
  let rest = BigInt(`0x${hash('sha256', text, 'hex').slice(0, 12)}`)
  let out = ''
  for (let i = 0; i < checksumLength; i++) {
    out += alphabet[Number(rest % 62n)]
    rest /= 62n
  }
  return out
}

/** SHA-256: a secret of 190 random bits needs no slow hash. */
const secretHash = (secret: string): Buffer => hash('sha256', secret, 'buffer')

export interface MadeKey {
  /** Shown once. */
  readonly key: string
  readonly prefix: string
  readonly secretHash: Buffer
}

export function makeApiKey(): MadeKey {
  const prefix = letters(prefixLength)
  const secret = letters(secretLength)
  const body = `ask_live_${prefix}${secret}`
  return { key: body + checksum(body), prefix, secretHash: secretHash(secret) }
}

/** @returns null for what cannot be a key of ours: of another form, or mistyped */
export function parseApiKey(text: string): { prefix: string; secret: string } | null {
  const [, prefix, secret, check] = apiKeyPattern.exec(text) ?? []
  if (prefix === undefined || secret === undefined || check === undefined) return null
  return equalTexts(check, checksum(text.slice(0, -checksumLength))) ? { prefix, secret } : null
}

/** In constant time. */
export const isSecretOf = (secret: string, stored: Uint8Array): boolean => {
  const given = secretHash(secret)
  return given.length === stored.length && timingSafeEqual(given, stored)
}

const equalTexts = (a: string, b: string) => a.length === b.length && timingSafeEqual(Buffer.from(a), Buffer.from(b))
