/** Finds the addresses of a host and checks each of them; what comes out is what is connected to. */
import { lookup } from 'node:dns/promises'
import { isIP } from 'node:net'
import { EgressError } from '../../schemas/egress-error.ts'
import { isPublic, type Ranges } from './public-addresses.ts'
import { hostOf } from './read-target.ts'

export interface Resolved {
  readonly address: string
  readonly family: number
}

export type Resolve = (name: string) => Promise<readonly Resolved[]>

/** As the system resolves, so that its own table of hosts counts, and is checked too. */
export const systemResolve: Resolve = (name) => lookup(name, { all: true, order: 'verbatim' })

/** @param secure plain http that the caller does not take is for ranges that the configuration allows */
export async function addressesOf(
  url: URL,
  { resolve, allowed, http }: { resolve: Resolve; allowed: Ranges; http: boolean },
): Promise<readonly Resolved[]> {
  const host = hostOf(url)
  const version = isIP(host)
  const found =
    version !== 0
      ? [{ address: host, family: version }]
      : await resolve(host).catch((error: unknown) => {
          throw new EgressError('unknown_host', error)
        })
  const mayHttp = http || url.protocol === 'https:'
  // All of them: a name that leads to one address outside and one inside is a trap.
  const good = found.every(({ address }) => allowed(address) || (mayHttp && isPublic(address)))
  if (found.length > 0 && good) return found
  throw new EgressError(version === 0 ? 'unknown_host' : 'refused_address')
}
