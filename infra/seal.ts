/** Seals secrets that others gave, so that the database alone gives none of them away: AES-256-GCM under keys that live outside of it. */
import { createCipheriv, createDecipheriv, hash, randomBytes } from 'node:crypto'

export interface Sealed {
  /** Names the key, and tells nothing of it. */
  readonly keyId: string
  /** Nonce, tag and what was encrypted. */
  readonly sealed: Buffer
}

export interface Sealing {
  /** Under which all is sealed from now on. */
  readonly keyId: string
  /** Of former keys, which only open. */
  readonly formerIds: readonly string[]
  /** @param of what the secret belongs to: sealed text that is put elsewhere does not open there */
  seal(secret: string, of: string): Sealed
  /** @throws SealError */
  open(sealed: Sealed, of: string): string
}

export class SealError extends Error {
  override readonly name = 'SealError'
}

const algorithm = 'aes-256-gcm'
const [nonceBytes, tagBytes] = [12, 16]

/** @param keys 32 bytes each; the first seals */
export function openSealing(keys: readonly [Buffer, ...Buffer[]]): Sealing {
  const byId = new Map(keys.map((key) => [idOf(key), key]))
  const [present, ...former] = [...byId.keys()]
  const [key] = keys
  if (present === undefined) throw new Error('there is no key')
  return {
    keyId: present,
    formerIds: former,
    seal(secret, of) {
      const nonce = randomBytes(nonceBytes)
      const cipher = createCipheriv(algorithm, key, nonce).setAAD(Buffer.from(of))
      const body = Buffer.concat([cipher.update(secret, 'utf8'), cipher.final()])
      return { keyId: present, sealed: Buffer.concat([nonce, cipher.getAuthTag(), body]) }
    },
    open({ keyId, sealed }, of) {
      const found = byId.get(keyId)
      if (!found) throw new SealError(`It is sealed under the key ${keyId}, which this process does not have`)
      const [nonce, tag] = [sealed.subarray(0, nonceBytes), sealed.subarray(nonceBytes, nonceBytes + tagBytes)]
      try {
        const decipher = createDecipheriv(algorithm, found, nonce, { authTagLength: tagBytes })
        decipher.setAAD(Buffer.from(of)).setAuthTag(tag)
        return decipher.update(sealed.subarray(nonceBytes + tagBytes), undefined, 'utf8') + decipher.final('utf8')
      } catch (cause) {
        throw new SealError(`It does not open under the key ${keyId}`, { cause })
      }
    },
  }
}

const idOf = (key: Buffer) => hash('sha256', Buffer.concat([Buffer.from('assay key id '), key]), 'hex').slice(0, 16)
