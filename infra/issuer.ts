/** The local issuer of the embedded default: signs and checks bearer tokens with a key of its own in the data folder. */
import { link, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type CryptoKey, exportJWK, generateKeyPair, importJWK, type JWK, jwtVerify, SignJWT } from 'jose'
import { z } from 'zod'
import { type Role, roles } from '../schemas/access.ts'
import { workspaceId } from '../schemas/ids.ts'

/** What a token says of its bearer. */
export interface TokenClaims {
  readonly subject: string
  readonly workspace: string
  readonly role: Role
  /** null: all brands of the workspace. */
  readonly brand: string | null
  readonly scope: string
}

export interface Issuer {
  sign(claims: TokenClaims, ttlSeconds: number): Promise<string>
  /** @returns null for a token that is not ours, expired, or says nothing we know */
  verify(token: string): Promise<TokenClaims | null>
}

const algorithm = 'EdDSA'
const issuer = 'assay-local'
const audience = 'assay'

const payload = z.object({
  sub: z.string().min(1),
  workspace: workspaceId,
  role: z.enum(roles),
  brand: z.uuid().nullable(),
  scope: z.string(),
})

export async function openIssuer(dataFolder: string): Promise<Issuer> {
  const jwk = await readKey(join(dataFolder, 'issuer.json'))
  const { d: _secret, ...open } = jwk
  const [signing, checking] = (await Promise.all([importJWK(jwk, algorithm), importJWK(open, algorithm)])) as [
    CryptoKey,
    CryptoKey,
  ]
  return {
    sign: ({ subject, ...claims }, ttlSeconds) =>
      new SignJWT({ ...claims })
        .setProtectedHeader({ alg: algorithm })
        .setSubject(subject)
        .setIssuer(issuer)
        .setAudience(audience)
        .setIssuedAt()
        .setExpirationTime(`${ttlSeconds}s`)
        .sign(signing),
    async verify(token) {
      try {
        const found = await jwtVerify(token, checking, { issuer, audience, algorithms: [algorithm] })
        const { sub, ...claims } = payload.parse(found.payload)
        return { subject: sub, ...claims }
      } catch {
        return null
      }
    },
  }
}

async function readKey(path: string): Promise<JWK> {
  const made = async () => {
    const { privateKey } = await generateKeyPair(algorithm, { extractable: true })
    // Linked into place whole: another process may be reading it, and this one may be killed.
    const draft = `${path}.${process.pid}`
    await writeFile(draft, JSON.stringify(await exportJWK(privateKey)), { mode: 0o600 })
    await link(draft, path).finally(() => rm(draft))
  }
  const text = await readFile(path, 'utf8').catch(async (error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') throw error
    await made().catch((again: NodeJS.ErrnoException) => {
      if (again.code !== 'EEXIST') throw again
    })
    return readFile(path, 'utf8')
  })
  return JSON.parse(text)
}
