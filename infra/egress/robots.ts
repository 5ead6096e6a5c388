/** Reads a robots.txt (RFC 9309): what it lets one crawler fetch, and how fast. */

export interface Robots {
  /** @param path with its query, as the request line has it */
  allows(path: string): boolean
  readonly crawlDelayMs: number
}

interface Rule {
  readonly allow: boolean
  /** How many octets the path of the rule has: "the most specific match … the match that has the most octets" (2.2.2). */
  readonly length: number
  readonly parts: readonly string[]
  readonly anchored: boolean
}

interface Group {
  readonly agents: string[]
  readonly rules: Rule[]
  delayMs: number
}

/** "Crawlers … MUST … parse at least 500 kibibytes" (2.5); what stands behind is not read. */
export const robotsBytes = 512_000
/** A host may ask for less haste, but not for days. */
const mostDelayMs = 30_000
const everyone = '*'

export const allowAll: Robots = { allows: () => true, crawlDelayMs: 0 }
export const allowNone: Robots = { allows: () => false, crawlDelayMs: 0 }

/** @param agent the product token that groups are looked up by */
export function readRobots(text: string, agent: string): Robots {
  const groups = groupsOf(text)
  const named = groups.filter(({ agents }) => agents.includes(agent.toLowerCase()))
  // "If there is more than one group matching the user-agent, the matching groups' rules MUST be combined" (2.2.1).
  const mine = named.length > 0 ? named : groups.filter(({ agents }) => agents.includes(everyone))
  const rules = mine.flatMap((group) => group.rules)
  return {
    crawlDelayMs: Math.max(0, ...mine.map(({ delayMs }) => delayMs)),
    allows(path) {
      const asked = normal(path)
      if (asked === '/robots.txt') return true
      let best: Rule | null = null
      for (const rule of rules) {
        if (best && (rule.length < best.length || (rule.length === best.length && best.allow))) continue
        if (matches(rule, asked)) best = rule
      }
      return best?.allow ?? true
    },
  }
}

function groupsOf(text: string): Group[] {
  const groups: Group[] = []
  let open: Group | null = null
  let inHead = false
  for (const line of text.replace(/^\uFEFF/, '').split(/\r\n|\r|\n/)) {
    const [, key = '', given = ''] = /^\s*([A-Za-z-]+)\s*:\s*([^#]*)/.exec(line) ?? []
    const name = key.toLowerCase()
    const value = given.trim()
    if (name === 'user-agent') {
      if (!open || !inHead) {
        open = { agents: [], rules: [], delayMs: 0 }
        groups.push(open)
      }
      open.agents.push(tokenOf(value))
      inHead = true
    } else if (open && (name === 'allow' || name === 'disallow')) {
      inHead = false
      // An empty rule says nothing.
      if (value !== '') open.rules.push(ruleOf(value, name === 'allow'))
    } else if (open && name === 'crawl-delay') {
      inHead = false
      open.delayMs = Math.min(mostDelayMs, Math.max(0, Number(value) * 1_000 || 0))
    }
  }
  return groups
}

/** Some write the version too: `AssayBot/1.0`. */
const tokenOf = (value: string) =>
  value === everyone ? everyone : (/^[A-Za-z_-]+/.exec(value)?.[0] ?? '').toLowerCase()

function ruleOf(value: string, allow: boolean): Rule {
  const anchored = value.endsWith('$')
  const path = normal(anchored ? value.slice(0, -1) : value)
  return { allow, anchored, length: Buffer.byteLength(path), parts: path.split('*') }
}

/** Octets outside ASCII, and those that need no percent sign, are written in one way on both sides (2.2.2). */
function normal(path: string): string {
  return path.replace(/%([0-9A-Fa-f]{2})|[^\x21-\x7e]/gu, (found, hex: string | undefined) => {
    if (hex === undefined) return encodeURIComponent(found.toWellFormed())
    const character = String.fromCharCode(Number.parseInt(hex, 16))
    return /[A-Za-z0-9._~-]/.test(character) ? character : `%${hex.toUpperCase()}`
  })
}

/** From the left, each part at its first place: no path makes it look twice. */
function matches({ parts, anchored }: Rule, path: string): boolean {
  const [first = '', ...rest] = parts
  if (!path.startsWith(first)) return false
  let at = first.length
  const last = anchored ? rest.pop() : undefined
  for (const part of rest) {
    const found = path.indexOf(part, at)
    if (found < 0) return false
    at = found + part.length
  }
  if (!anchored) return true
  return last === undefined ? at === path.length : path.length - last.length >= at && path.endsWith(last)
}
