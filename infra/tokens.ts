/** Bearer tokens: the local issuer of the embedded default signs and checks its own; an identity provider's are checked against its published keys. */
import { randomUUID } from 'node:crypto'
import { link, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import {
  type CryptoKey,
  createRemoteJWKSet,
  decodeJwt,
  exportJWK,
  generateKeyPair,
  importJWK,
  type JWK,
  type JWTPayload,
  type JWTVerifyGetKey,
  jwtVerify,
  SignJWT,
} from 'jose'
import { z } from 'zod'
import { type Role, roles } from '../schemas/access.ts'
import { workspaceId } from '../schemas/ids.ts'
import { subjectForm } from '../schemas/subject.ts'

/** What a token of the local issuer says of its bearer. */
export interface TokenClaims {
  readonly subject: string
  readonly workspace: string
  readonly role: Role
  /** null: all brands of the workspace. */
  readonly brand: string | null
  readonly scope: string
}

/** What a token that holds says, whoever issued it. */
export interface TokenFacts {
  readonly subject: string
  /** Scopes as the token lists them; null where it has none, as a person's token. */
  readonly scopes: readonly string[] | null
  /** Epoch seconds. */
  readonly issuedAt: number | null
  /** `amr` and `acr`: how its bearer proved who they are. */
  readonly factors: readonly string[]
  /** Given to a program for itself, not to one that acts for a person. */
  readonly machine: boolean
  /** Where the provider vouches for it. */
  readonly email?: string
  /** Of the local issuer: membership stands in the token. */
  readonly local: Omit<TokenClaims, 'subject' | 'scope'> | null
}

/** The provider's keys cannot be had: nothing is wrong with the token, so the caller may come again. */
export class ProviderAway extends Error {
  override readonly name = 'ProviderAway'
}

export interface Provider {
  /** As `iss` has it. */
  readonly issuer: string
  readonly audience: string
  /** Found by discovery where it is not set. */
  readonly jwksUrl: string | undefined
}

export interface Tokens {
  /** @throws where the local issuer is off */
  sign(claims: TokenClaims, ttlSeconds: number): Promise<string>
  /**
   * @returns null for a token that is nobody's we trust, expired, not yet valid, or says nothing we know
   * @throws ProviderAway
   */
  verify(token: string): Promise<TokenFacts | null>
}

const localAlgorithm = 'EdDSA'
const localIssuer = 'assay-local'
const localAudience = 'assay'
/** Asymmetric ones only: with a shared-secret algorithm anyone who has the public key could sign. */
const algorithms = ['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512', 'ES256', 'ES384', 'ES512', 'EdDSA']
const clockToleranceSeconds = 30
/** A provider's keys are kept this long; an unknown key id asks anew, at most every `cooldown`. */
const keysMs = 600_000
const cooldownMs = 10_000
const answersWithinMs = 5_000

const localPayload = z.object({
  sub: z.string().regex(subjectForm),
  iat: z.number(),
  workspace: workspaceId,
  role: z.enum(roles),
  brand: z.uuid().nullable(),
  scope: z.string(),
})

const providerPayload = z.object({
  sub: z.string().regex(subjectForm),
  iat: z.number().optional(),
  scope: z.string().optional(),
  scp: z.union([z.string(), z.array(z.string())]).optional(),
  amr: z
    .union([z.array(z.string()), z.string().transform((one) => [one])])
    .optional()
    .catch(undefined),
  acr: z.coerce.string().optional().catch(undefined),
  gty: z.string().optional(),
  idtyp: z.string().optional(),
  client_id: z.string().optional(),
  azp: z.string().optional(),
  cid: z.string().optional(),
  email: z.string().optional().catch(undefined),
  email_verified: z.unknown().optional(),
})

/** @param local whether the local issuer is on; its key is made in the data folder at first use */
export async function openTokens(
  dataFolder: string,
  { local, provider }: { local: boolean; provider: Provider | null },
): Promise<Tokens> {
  const own = local ? await openLocal(dataFolder) : null
  const keys = provider ? providerKeys(provider) : null
  return {
    sign(claims, ttlSeconds) {
      if (!own) throw new Error('the local issuer is off')
      return own.sign(claims, ttlSeconds)
    },
    async verify(token) {
      try {
        const { iss } = decodeJwt(token)
        if (own && iss === localIssuer) return localFacts((await own.verify(token)).payload)
        if (!provider || !keys || iss !== provider.issuer) return null
        const found = await jwtVerify(token, keys, {
          issuer: provider.issuer,
          audience: provider.audience,
          algorithms,
          clockTolerance: clockToleranceSeconds,
          requiredClaims: ['exp', 'sub'],
        })
        return providerFacts(found.payload)
      } catch (error) {
        if (error instanceof ProviderAway) throw error
        return null
      }
    },
  }
}

function localFacts(payload: JWTPayload): TokenFacts {
  const { sub, iat, scope, ...local } = localPayload.parse(payload)
  return { subject: sub, scopes: words(scope), issuedAt: iat, factors: [], machine: scope.trim() !== '', local }
}

function providerFacts(payload: JWTPayload): TokenFacts {
  const claims = providerPayload.parse(payload)
  const { sub, iat, scope, scp, amr, acr, email, email_verified } = claims
  return {
    subject: sub,
    scopes: words([scope ?? '', scp ?? ''].flat().join(' ')),
    issuedAt: iat ?? null,
    factors: [...(amr ?? []), ...(acr === undefined ? [] : [acr])],
    machine: isMachine(claims),
    local: null,
    ...(email !== undefined && email_verified === true ? { email } : {}),
  }
}

/** RFC 9068 makes a client its own subject; Auth0 and Entra say it in a claim of theirs. Whoever is in doubt is a person. */
function isMachine({ sub, gty, idtyp, client_id, azp, cid }: z.infer<typeof providerPayload>): boolean {
  return gty === 'client-credentials' || idtyp === 'app' || [client_id, azp, cid].includes(sub)
}

function words(text: string): readonly string[] | null {
  const found = text.split(/\s+/).filter(Boolean)
  return found.length > 0 ? found : null
}

/** What jose says of a token whose key the set does not have, or has twice; anything else is a set that cannot be had. */
const tokensFault = new Set(['ERR_JWKS_NO_MATCHING_KEY', 'ERR_JWKS_MULTIPLE_MATCHING_KEYS', 'ERR_JOSE_NOT_SUPPORTED'])
const codeOf = (error: unknown) => String((error as { code?: unknown } | null)?.code)

/** Discovery when the first token comes, and again until it succeeds: a provider that is away must not keep Assay from starting. */
function providerKeys({ issuer, jwksUrl }: Provider): JWTVerifyGetKey {
  const open = async () =>
    createRemoteJWKSet(new URL(jwksUrl ?? (await discover(issuer))), {
      cacheMaxAge: keysMs,
      cooldownDuration: cooldownMs,
      timeoutDuration: answersWithinMs,
    })
  let keys: ReturnType<typeof open> | null = null
  return async (header, token) => {
    try {
      keys ??= open()
      const get = await keys.catch((error: unknown) => {
        keys = null
        throw error
      })
      return await get(header, token)
    } catch (cause) {
      if (tokensFault.has(codeOf(cause))) throw cause
      throw new ProviderAway("The identity provider's keys cannot be read", { cause })
    }
  }
}

const discovered = z.object({ issuer: z.string(), jwks_uri: z.url({ protocol: /^https?$/ }) })

async function discover(issuer: string): Promise<string> {
  const url = `${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`
  const answer = await fetch(url, { signal: AbortSignal.timeout(answersWithinMs), redirect: 'error' })
  const found = discovered.parse(await answer.json())
  if (found.issuer !== issuer) throw new Error(`${url} speaks for another issuer, ${found.issuer}`)
  return found.jwks_uri
}

async function openLocal(dataFolder: string) {
  const jwk = await readKey(join(dataFolder, 'issuer.json'))
  const { d: _secret, ...open } = jwk
  const [signing, checking] = (await Promise.all([
    importJWK(jwk, localAlgorithm),
    importJWK(open, localAlgorithm),
  ])) as [CryptoKey, CryptoKey]
  return {
    sign: ({ subject, ...claims }: TokenClaims, ttlSeconds: number) =>
      new SignJWT({ ...claims })
        .setProtectedHeader({ alg: localAlgorithm })
        .setSubject(subject)
        .setIssuer(localIssuer)
        .setAudience(localAudience)
        .setIssuedAt()
        .setExpirationTime(`${ttlSeconds}s`)
        .sign(signing),
    verify: (token: string) =>
      jwtVerify(token, checking, {
        issuer: localIssuer,
        audience: localAudience,
        algorithms: [localAlgorithm],
        clockTolerance: clockToleranceSeconds,
        requiredClaims: ['exp'],
      }),
  }
}

async function readKey(path: string): Promise<JWK> {
  const made = async () => {
    const { privateKey } = await generateKeyPair(localAlgorithm, { extractable: true })
    // Linked into place whole: another process may be reading it, and this one may be killed.
    const draft = `${path}.${randomUUID()}`
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
