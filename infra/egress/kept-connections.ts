/** Connections that outlive a request: whoever asks the same host again, at the same checked addresses, need not meet it anew. */
import { type AgentOptions, Agent as PlainAgent } from 'node:http'
import { Agent as SecureAgent } from 'node:https'
import type { Resolved } from './resolve.ts'

/** Receivers close theirs after some five seconds; one that is closed under way is asked once more. */
const idleMs = 4_000
const idleAtMost = 256

/** A name that leads elsewhere by now has other connections. */
export const namedBy = (pinned: readonly Resolved[]): string =>
  pinned
    .map(({ address }) => address)
    .sort()
    .join(',')

export function keptConnections(): Readonly<Record<string, PlainAgent | SecureAgent>> {
  const options = {
    keepAlive: true,
    timeout: idleMs,
    maxFreeSockets: idleAtMost,
    maxTotalSockets: Number.POSITIVE_INFINITY,
  }
  return { 'http:': byAddress(new PlainAgent(options)), 'https:': byAddress(new SecureAgent(options)) }
}

function byAddress<A extends PlainAgent | SecureAgent>(agent: A): A {
  const named = agent.getName.bind(agent)
  agent.getName = (options?: AgentOptions & { readonly pinned?: string }) =>
    `${named(options)}:${options?.pinned ?? ''}`
  return agent
}

/** Whether an idle connection was closed by its host just as it was used: the request never had an answer. */
export const closedUnused = (error: unknown, reused: boolean): boolean =>
  reused && ['ECONNRESET', 'EPIPE'].includes(String((error as { code?: unknown } | null)?.code))
