/** Connections to the addresses that a name was found to lead to, and to no other. */
import { connect, type LookupFunction, type Socket } from 'node:net'
import { EgressError } from '../../schemas/egress-error.ts'
import { readTarget, type TargetRules } from './read-target.ts'
import type { Resolved } from './resolve.ts'

/** Below 1024 other services listen; this one is of SSH. */
const sshPort = 22

/** @throws EgressError `refused_address` */
export function hostAt(host: string, port: number, rules: TargetRules): URL {
  if (port !== sshPort && (port < 1_024 || port > 65_535)) throw new EgressError('refused_address')
  return readTarget(`https://${host.includes(':') ? `[${host}]` : host}/`, rules)
}

/** The name is not resolved again: a second answer could be another one. */
export const pinnedTo =
  (pinned: readonly Resolved[]): LookupFunction =>
  (_name, options, done) => {
    if (options.all) return done(null, [...pinned])
    const [first] = pinned
    done(null, first?.address ?? '', first?.family)
  }

export function connected(
  host: string,
  port: number,
  pinned: readonly Resolved[],
  signal: AbortSignal,
): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connect({ host, port, lookup: pinnedTo(pinned), keepAlive: true })
    const give = () => socket.destroy(new Error('the connection was given up', { cause: signal.reason }))
    signal.addEventListener('abort', give, { once: true })
    socket.once('error', reject)
    socket.once('connect', () => {
      signal.removeEventListener('abort', give)
      socket.off('error', reject)
      resolve(socket)
    })
  })
}
