/** Reads the header `Content-Digest` (RFC 9530): the SHA-256 that the sender says the body has. */
import { ServiceError } from '../schemas/errors.ts'

const member = /(?:^|,)\s*sha-256\s*=\s*([^,]*)/
const bytes = /^:([A-Za-z0-9+/]{43}=):$/

/**
 * @returns lowercase hex, or null where none is said: of other algorithms "a recipient MAY ignore any or all digests"
 * @throws ServiceError where it is said in another way than the RFC's
 */
export function sha256Of(header: string | string[] | undefined): string | null {
  const said = member.exec([header ?? []].flat().join(','))?.[1]?.trim()
  if (said === undefined) return null
  const base64 = bytes.exec(said)?.[1]
  if (base64 === undefined)
    throw new ServiceError('INVALID_REQUEST', {
      message: 'Content-Digest is written sha-256=:BASE64:, with the base64 of the 32 bytes of the hash',
      field: 'content-digest',
    })
  return Buffer.from(base64, 'base64').toString('hex')
}
