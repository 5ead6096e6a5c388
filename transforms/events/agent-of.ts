/** Which known agent a user agent names, and in which version. */
import { type AgentKind, knownAgents } from '../../schemas/agents.ts'

export interface NamedAgent {
  readonly name: string
  readonly kind: AgentKind
  readonly version?: string
}

const longestVersion = 40
const lowered = knownAgents.map((one) => ({ ...one, lowerToken: one.token.toLowerCase() }))

/** @returns null for one that nobody knows, such as a browser */
export function agentOf(userAgent: string): NamedAgent | null {
  const lower = userAgent.toLowerCase()
  for (const { name, kind, token, lowerToken } of lowered) {
    const at = lower.indexOf(lowerToken)
    if (at < 0) continue
    const [, version] =
      /^\/([\w.-]+)/.exec(userAgent.slice(at + token.length, at + token.length + longestVersion)) ?? []
    return { name, kind, ...(version && { version }) }
  }
  return null
}
