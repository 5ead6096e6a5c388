/** Which known agent a user agent names, and in which version. */
import { type AgentKind, knownAgents } from '../../schemas/agents.ts'

export interface NamedAgent {
  readonly name: string
  readonly kind: AgentKind
  readonly version?: string
}

const longestVersion = 40

/** @returns null for one that nobody knows, such as a browser */
export function agentOf(userAgent: string): NamedAgent | null {
  const lower = userAgent.toLowerCase()
  for (const { name, kind, token } of knownAgents) {
    const at = lower.indexOf(token.toLowerCase())
    if (at < 0) continue
    const [, version] =
      /^\/([\w.-]+)/.exec(userAgent.slice(at + token.length, at + token.length + longestVersion)) ?? []
    return { name, kind, ...(version && { version }) }
  }
  return null
}
