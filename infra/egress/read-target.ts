/** Reads an address that somebody gave, and refuses all that is no public web address before a packet is sent. */
import { isIP } from 'node:net'
import { EgressError } from '../../schemas/egress-error.ts'
import { isPublic, type Ranges } from './public-addresses.ts'

export interface TargetRules {
  /** Whether plain http is taken too. */
  readonly http: boolean
  /** Ranges that are asked although they are not public. */
  readonly allowed: Ranges
  readonly anyAllowed: boolean
}

/** Names that mean something only inside a network, with all below them. */
const localNames = [
  'localhost',
  'localdomain',
  'local',
  'internal',
  'intranet',
  'private',
  'corp',
  'home',
  'lan',
  'home.arpa',
  'onion',
]
const longest = 2_048
/** Below 1024 other services listen, which must not be spoken to in HTTP. */
const lowPorts = new Set(['', '80', '443'])
const firstHighPort = 1_024

/** @throws EgressError `refused_address`, the same for whatever is wrong */
export function readTarget(text: string, rules: TargetRules): URL {
  const url = text.length <= longest ? URL.parse(text) : null
  if (!url || !isFetchable(url, rules)) throw new EgressError('refused_address')
  url.hash = ''
  return url
}

function isFetchable(url: URL, { http, allowed, anyAllowed }: TargetRules): boolean {
  const secure = url.protocol === 'https:'
  if (!secure && !(url.protocol === 'http:' && (http || anyAllowed))) return false
  if (url.username !== '' || url.password !== '') return false
  if (!lowPorts.has(url.port) && Number(url.port) < firstHighPort) return false
  const host = hostOf(url)
  if (isIP(host) !== 0) return allowed(host) || (isPublic(host) && (secure || http))
  const labels = host.split('.')
  if (labels.some((label) => label === '')) return false
  const local = labels.length === 1 || localNames.some((name) => host === name || host.endsWith(`.${name}`))
  // Where some private range may be asked, what the name leads to decides; a dot behind such a name is another's clothes (KF-40).
  return !local || (anyAllowed && !url.hostname.endsWith('.'))
}

/** Parsed by the rules of URLs, so `127.1`, `0x7f.1` and `2130706433` have become what they mean. No brackets, no dot at the end. */
export const hostOf = (url: URL): string => url.hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '')
