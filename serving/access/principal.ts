/** Who is asking, decided from a credential: an API key, or a token and the membership behind it; then the workspace's policy. */
import type { KeyFacts, Membership, Policy } from '../../infra/catalog/access-queries.ts'
import { type Action, actionNames, type Role, rights } from '../../schemas/access.ts'
import { looksLikeApiKey } from '../../schemas/api-key.ts'
import { ServiceError } from '../../schemas/errors.ts'
import { isSecretOf, parseApiKey } from './api-key.ts'
import { andThen, type MaybePromise } from './at-once.ts'
import { isAllowed } from './ip-ranges.ts'

export interface Bearer {
  /** Subject of the token, or `key:<id>`. */
  readonly subject: string
  readonly kind: 'member' | 'machine' | 'key'
  readonly workspace: string
  /** null for keys and for machines that are known by their scopes. */
  readonly role: Role | null
  readonly actions: ReadonlySet<Action>
  /** The brands it may see. */
  readonly brands: '*' | readonly string[]
  /** The one brand that the request is about: named by it, or the only one there is; null: not said. */
  readonly brand: string | null
  /** That it is about all of them, as a list may be. */
  readonly saysAll?: boolean
  /** X-Active-Catalog. */
  readonly catalog: string | null
  /** Of a token; what the workspace's policy is judged by. */
  readonly facts: TokenFacts | null
  /** Of the token, where the provider vouches for it. */
  readonly email?: string
}

export interface TokenFacts {
  readonly subject: string
  readonly scopes: readonly string[] | null
  readonly issuedAt: number | null
  readonly factors: readonly string[]
  readonly machine: boolean
  readonly email?: string
  readonly local: { readonly workspace: string; readonly role: Role; readonly brand: string | null } | null
}

/** What access is decided by; answers may be up to five seconds old. */
export interface AccessPorts {
  readonly verify: (token: string) => MaybePromise<TokenFacts | null>
  readonly findKey: (prefix: string) => MaybePromise<KeyFacts | null>
  readonly touchKey: (id: string) => void
  readonly findMemberships: (subject: string) => MaybePromise<readonly Membership[]>
  readonly findPolicy: (workspace: string) => MaybePromise<Policy | null>
  readonly hasBrand: (workspace: string, brand: string) => MaybePromise<boolean>
  /** Where callers reach this server; null: at the address that they named. */
  readonly publicUrl: string | null
  readonly now: () => Date
}

export interface Asked {
  /** The workspace in the path, where there is one. */
  readonly workspace: string | undefined
  readonly ip: string
  /** What a good credential is told that has nothing to do with the workspace. */
  readonly denied: 'AUTH_004' | 'FORBIDDEN'
}

type Identity = Omit<Bearer, 'brand' | 'catalog' | 'saysAll'>

/** At once where all is known that it is decided by. @returns null for a credential that is nobody's @throws ServiceError, also at once */
export function identify(credential: string, asked: Asked, ports: AccessPorts): MaybePromise<Identity | null> {
  const found = looksLikeApiKey(credential) ? byKey(credential, ports) : byToken(credential, asked, ports)
  return andThen(found, (identity) =>
    identity === null
      ? null
      : andThen(ports.findPolicy(identity.workspace), (policy) => {
          if (!policy) throw new ServiceError(asked.denied, { message: 'There is no such workspace' })
          const says = violation(policy, identity, asked.ip, ports.now())?.says
          if (says !== undefined) throw new ServiceError('FORBIDDEN', { message: says })
          return identity
        }),
  )
}

function byKey(text: string, ports: AccessPorts): MaybePromise<Identity | null> {
  const parsed = parseApiKey(text)
  if (!parsed) return null
  return andThen(ports.findKey(parsed.prefix), (key) => {
    if (!key || !isSecretOf(parsed.secret, key.secretHash)) return null
    const now = ports.now()
    if (key.revokedAt !== null || (key.expiresAt !== null && key.expiresAt <= now)) return null
    ports.touchKey(key.id)
    return {
      subject: `key:${key.id}`,
      kind: 'key',
      workspace: key.workspace,
      role: null,
      actions: new Set(key.scopes),
      brands: key.brand === null ? '*' : [key.brand],
      facts: null,
    }
  })
}

const known = new Set<string>(actionNames)
const scopedActions = (scopes: readonly string[]) =>
  new Set(scopes.filter((scope): scope is Action => known.has(scope)))

function byToken(token: string, { workspace, denied }: Asked, ports: AccessPorts): MaybePromise<Identity | null> {
  return andThen(ports.verify(token), (facts) => {
    if (!facts) return null
    if (facts.local) {
      if (workspace !== undefined && workspace !== facts.local.workspace) throw notTheirs(denied)
      return member(facts, null)
    }
    return andThen(ports.findMemberships(facts.subject), (memberships) => {
      const found = workspace === undefined ? memberships : memberships.filter((one) => one.workspace === workspace)
      const [only, another] = found
      if (!only) throw notTheirs(denied)
      if (another)
        throw new ServiceError('FORBIDDEN', {
          message: 'This subject is in several workspaces; ask through a path that names one, or with a key of one',
        })
      return member(facts, only)
    })
  })
}

const notTheirs = (denied: Asked['denied']) =>
  new ServiceError(denied, { message: 'This token has no access to this workspace' })

/** Both are kept for seconds and asked on each request: of the same two it is the same identity. */
const made = new WeakMap<TokenFacts, { readonly of: Membership | null; readonly identity: Identity }>()

/** @param membership null: as the token of the local issuer names it */
function member(facts: TokenFacts, membership: Membership | null): Identity {
  const known = made.get(facts)
  if (known && known.of === membership) return known.identity
  const identity = identityOf(facts, membership ?? localMembership(facts))
  made.set(facts, { of: membership, identity })
  return identity
}

function localMembership({ subject, local }: TokenFacts): Membership {
  if (!local) throw new TypeError('this token is not of the local issuer')
  const { workspace, role, brand } = local
  return { workspace, subject, role, allBrands: brand === null, brands: brand === null ? [] : [brand] }
}

/** A token with scopes of ours, a person's too, does what both its scopes and its role allow; without any, what its role allows. */
function identityOf(facts: TokenFacts, { workspace, subject, role, allBrands, brands }: Membership): Identity {
  const scoped = scopedActions(facts.scopes ?? [])
  // A machine does what its scopes say, and nothing by scopes that are none of ours; a person's `openid` says nothing.
  const whole = scoped.size === 0 && !facts.machine
  const allowed = rights[role].filter((action) => whole || scoped.has(action))
  return {
    subject,
    kind: facts.machine ? 'machine' : 'member',
    workspace,
    role,
    actions: new Set(allowed),
    brands: allBrands ? '*' : brands,
    facts,
    ...(facts.email === undefined ? {} : { email: facts.email }),
  }
}

const clockToleranceSeconds = 60
const secondFactors = new Set(['mfa', 'otp', 'hwk', 'swk', 'fpt', 'face', 'sms', 'phr', 'phrh'])

/** What of a policy refuses this bearer, by the name of its field; null where nothing does. */
export function violation(
  policy: Policy,
  { kind, facts }: Pick<Bearer, 'kind' | 'facts'>,
  ip: string,
  now: Date,
): { readonly field: string; readonly says: string } | null {
  if (policy.ipAllow.length > 0 && !isAllowed(ip, policy.ipAllow))
    return { field: 'ip_allow', says: `This workspace is not open to the address ${ip}` }
  if (kind !== 'member' || !facts) return null
  const age = facts.issuedAt === null ? Number.POSITIVE_INFINITY : now.getTime() / 1_000 - facts.issuedAt
  // One that says it comes from the future would never grow old.
  const aged = age > (policy.sessionMinutes ?? Number.POSITIVE_INFINITY) * 60 || age < -clockToleranceSeconds
  if (policy.sessionMinutes !== null && aged) {
    const says = `This workspace takes tokens of at most ${policy.sessionMinutes} minutes; sign in again`
    return { field: 'session_minutes', says }
  }
  if (policy.requireSecondFactor && !facts.factors.some((factor) => secondFactors.has(factor)))
    return {
      field: 'require_second_factor',
      says: 'This workspace asks for a second factor; sign in with one',
    }
  return null
}
