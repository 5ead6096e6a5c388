/** What is wrong with the rules of a workspace's own profile before any product is met, and what those who set it up should know. */
import { idOf, ownColumns, writtenBy } from './own-profile.ts'
import type { OwnCondition, OwnRule } from './own-rules.ts'
import type { FeedProfile } from './profile.ts'
import type { Shape } from './shapes.ts'
import { templateParts } from './template.ts'

export interface OwnFault {
  /** Where, as in `rules.2.text`. */
  readonly field: string
  readonly says: string
}

type Base = Pick<FeedProfile, 'platform' | 'columns' | 'schema'>

const quoted = (names: Iterable<string>) => [...names].join(', ')

/** Of a value with parts of its own there is no text. */
const hasParts = (shape: Shape | undefined): boolean =>
  shape?.type === 'object' || (shape?.type === 'array' && (shape.items as Shape | undefined)?.type !== 'string')

const asks = ['has', 'is', 'is_not', 'contains'] as const

function faultsOfCondition(rule: OwnCondition, at: string): OwnFault[] {
  const said = asks.filter((name) => rule[name] !== undefined)
  const faults: OwnFault[] = []
  if (said.length !== 1) faults.push({ field: at, says: `a condition asks one thing: send one of ${quoted(asks)}` })
  if ((rule.does === 'set') !== (rule.set !== undefined))
    faults.push({ field: `${at}.set`, says: 'goes with "does": "set", and with nothing else' })
  return faults
}

function faultsOfTemplate(text: string, known: ReadonlySet<string>, at: string): OwnFault[] {
  const parts = templateParts(text)
  const field = `${at}.text`
  if (parts === null) return [{ field, says: 'has a brace that stands alone; write fields as {title}' }]
  const fields = fieldsIn(text)
  if (fields.length === 0) return [{ field, says: 'names no {field}; a text that is always the same is a constant' }]
  const strange = fields.filter((name) => !known.has(name))
  if (strange.length === 0) return []
  return [
    {
      field,
      says: `{${strange[0]}} is no field with a text; a template takes fields alone, no formulas: ${quoted(known)}`,
    },
  ]
}

/** By this a reader of lines knows that the feed broke off. */
const endOfStream = 'error'

/** Tables of Parquet tell no large letters from small ones, nor do most databases that read a feed. */
function faultsOfColumns(columns: readonly string[]): OwnFault[] {
  const seen = new Map<string, string>()
  return columns.flatMap((name) => {
    const small = name.toLowerCase()
    const before = seen.get(small)
    seen.set(small, name)
    if (small === endOfStream)
      return [
        { field: 'rules', says: `"${name}" is what a line says when a feed breaks off; name the column otherwise` },
      ]
    if (before === undefined) return []
    const both = before === name ? `"${name}"` : `"${before}" and "${name}", which many readers take for one`
    return [{ field: 'rules', says: `two columns would be called ${both}; name one otherwise` }]
  })
}

/** @returns none where products may be written by them; values of constants are checked against the schema besides */
export function ownFaults(base: Base, rules: readonly OwnRule[]): readonly OwnFault[] {
  const shapes = (base.schema.properties ?? {}) as Readonly<Record<string, Shape>>
  const there = new Set(base.columns)
  const texts = new Set(base.columns.filter((name) => !hasParts(shapes[name])))
  const renamed = new Set<string>()
  const faults: OwnFault[] = []
  for (const [n, rule] of rules.entries()) {
    const at = `rules.${n}`
    if ((rule.kind === 'rename' || rule.kind === 'condition') && !there.has(rule.field))
      faults.push({ field: `${at}.field`, says: `${base.platform} has no "${rule.field}"; it has ${quoted(there)}` })
    if (rule.kind === 'rename') {
      if (renamed.has(rule.field)) faults.push({ field: `${at}.field`, says: `"${rule.field}" is renamed already` })
      renamed.add(rule.field)
    }
    if (rule.kind === 'condition') faults.push(...faultsOfCondition(rule, at))
    if (rule.kind === 'template') faults.push(...faultsOfTemplate(rule.text, texts, at))
    for (const name of writtenBy([rule])) {
      there.add(name)
      if (!hasParts(shapes[name])) texts.add(name)
    }
  }
  faults.push(...faultsOfColumns(ownColumns(base.columns, rules)))
  return faults
}

/** What those who set it up should know: attributes that the platform asks for and will not find, and ids that several products may come to. */
export function ownWarnings(base: Base, rules: readonly OwnRule[]): readonly string[] {
  const required = new Set((base.schema.required ?? []) as readonly string[])
  const id = idOf(base)
  return rules.flatMap((rule) => {
    if (rule.kind === 'rename')
      return required.has(rule.field)
        ? [
            `${base.platform} asks for "${rule.field}", which goes out as "${rule.to}": ${base.platform} itself would not find it`,
          ]
        : []
    if (!writtenBy([rule]).includes(id)) return []
    if (rule.kind === 'template' && fieldsIn(rule.text).includes(id)) return []
    const same =
      rule.kind === 'template'
        ? `"${rule.text}" may say the same of several products`
        : 'it says the same of every product'
    return [
      `"${id}" tells products apart, and ${same}: of those that come to one id the first goes out, and the validation names the others; write {${id}} into it`,
    ]
  })
}

const fieldsIn = (text: string) =>
  (templateParts(text) ?? []).flatMap((part) => (typeof part === 'string' ? [] : [part.field]))
