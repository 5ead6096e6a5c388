/** What a workspace's rules make of a platform's line: in the order of the rules, by the platform's names; what is renamed is renamed last. */
import { cutText } from './cut-text.ts'
import type { OwnCondition, OwnRule } from './own-rules.ts'
import type { Shape } from './shapes.ts'
import { filledTemplate, templateParts } from './template.ts'

type Line = Record<string, unknown>
type Step = (line: Line, wrote: Set<string>) => boolean

/** As a text: what has none, or has parts of its own, is no text. */
function saidOf(value: unknown): string | null {
  if (typeof value === 'string') return value
  if (typeof value === 'number' || typeof value === 'boolean') return String(value)
  if (Array.isArray(value) && value.every((one) => typeof one === 'string')) return value.join(', ')
  return null
}

const textOf = (line: Line, field: string) => (Object.hasOwn(line, field) ? saidOf(line[field]) : null)

function holds({ field, has, is, is_not, contains }: OwnCondition): (line: Line) => boolean {
  if (has !== undefined) return (line) => Object.hasOwn(line, field) === has
  if (contains !== undefined) return (line) => (textOf(line, field) ?? '').includes(contains)
  const words = new Set(is ?? is_not)
  // What is not there is none of them.
  if (is_not !== undefined) return (line) => !words.has(textOf(line, field) ?? '')
  return (line) => words.has(textOf(line, field) ?? '')
}

/** @returns whether the product stays */
function stepOf(rule: OwnRule, shapes: Readonly<Record<string, Shape>>): Step {
  const write = (line: Line, wrote: Set<string>, field: string, value: string) => {
    line[field] = value
    wrote.add(field)
    return true
  }
  switch (rule.kind) {
    case 'rename':
      return () => true
    case 'constant':
      return (line, wrote) => write(line, wrote, rule.field, rule.value)
    case 'template': {
      const parts = templateParts(rule.text) ?? []
      const most = Object.hasOwn(shapes, rule.field) ? shapes[rule.field]?.maxLength : undefined
      return (line, wrote) => {
        const text = filledTemplate(parts, (field) => textOf(line, field))
        if (text === null) return true
        return write(line, wrote, rule.field, typeof most === 'number' ? cutText(text, most) : text)
      }
    }
    case 'condition': {
      const isMet = holds(rule)
      const { does, set } = rule
      if (does === 'exclude') return (line) => !isMet(line)
      if (does === 'include') return isMet
      return (line, wrote) => !set || !isMet(line) || write(line, wrote, set.field, set.value)
    }
  }
}

/**
 * @param shapes of the platform's attributes: texts are cut where they may not be longer
 * @returns what the rules wrote themselves, by the platform's names; null where they leave the product out
 */
export function ownLine(
  rules: readonly OwnRule[],
  shapes: Readonly<Record<string, Shape>>,
): (line: Line) => ReadonlySet<string> | null {
  const steps = rules.map((rule) => stepOf(rule, shapes))
  return (line) => {
    const wrote = new Set<string>()
    for (const step of steps) if (!step(line, wrote)) return null
    return wrote
  }
}
