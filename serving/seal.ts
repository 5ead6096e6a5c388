/** Seals a text that a caller brings back: one that was changed, or was given out elsewhere, is known. */
import { createHmac, timingSafeEqual } from 'node:crypto'

const sealLength = 22
const form = /^[\w-]{22}$/

/** @param place where it is given out and taken back */
const sealOf = (key: Buffer, place: string, text: string) =>
  createHmac('sha256', key).update(`${place}\n${text}`).digest('base64url').slice(0, sealLength)

export const seal = (key: Buffer, place: string, text: string): string => `${text}.${sealOf(key, place, text)}`

/** @returns null where it is not as it was given out */
export function unseal(key: Buffer, place: string, sealed: string): string | null {
  const at = sealed.lastIndexOf('.')
  const [text, given] = [sealed.slice(0, Math.max(0, at)), sealed.slice(at + 1)]
  const good = at > 0 && form.test(given) && timingSafeEqual(Buffer.from(given), Buffer.from(sealOf(key, place, text)))
  return good ? text : null
}
