/** Every value of a product that the log decides, step by step, in a form in which stored and computed ones compare. */
import type { Layers } from '../../schemas/pipeline.ts'
import { dimensions } from '../../schemas/score.ts'
import type { Grade } from '../gold/grade.ts'
import { rubric } from '../gold/rubric.ts'
import { notApplied } from '../gold/rule.ts'

type Values = Readonly<Record<string, unknown>>

export interface ProductValues {
  readonly merged: Values | null
  /** null where it is not known under which cells and settings silver made it. */
  readonly silver: Values | null
  /** null where the product has no score, or one that cannot be told anew. */
  readonly gold: Values | null
}

/** The columns of a product that say again what its layers say. */
interface MergedColumns {
  readonly kind: string
  readonly family: string | null
  readonly alive: boolean
}

export interface RefinedColumns {
  readonly refined: object
  /** The columns that say a field of `refined` again, for lists and filters. */
  readonly repeated: Values
  /** Digest of the content, as hex. */
  readonly content: string
}

/** @param layers as JSON has them, without what is undefined; null where nobody can read them */
export function mergedValues(layers: Layers | null, { kind, family, alive }: MergedColumns): Values {
  const columns = { kind, family, alive }
  if (layers === null) return { layers, columns }
  const { layers: all, ...rest } = layers
  // By source and not by number: then a place names who said it.
  return { layers: Object.fromEntries(all.map(({ source, ...layer }) => [source, layer])), ...rest, columns }
}

/** A field that was learned later and that nobody filled is no change of the products before it. */
export function silverValues({ refined, repeated, content }: RefinedColumns): Values {
  // In loops, as below: of what a replay computes for a product this was a fifth.
  const values: Record<string, unknown> = {}
  for (const [name, value] of Object.entries(refined)) values[name] = isEmpty(value) ? null : value
  for (const name of Object.keys(repeated)) values[`column ${name}`] = repeated[name]
  values.content = content
  return values
}

const ruleNames = rubric.map(({ id }) => id)
const dimensionNames = dimensions.map((name) => `dimension ${name}`)

/** Percent by rule, then sub-scores, then the platforms' verdicts. */
export function goldValues({ sub, points, valid }: Grade): Values {
  const values: Record<string, unknown> = {}
  for (const [place, name] of ruleNames.entries())
    values[name] = points[place] === notApplied ? null : (points[place] ?? null)
  for (const [place, name] of dimensionNames.entries()) values[name] = sub[place] ?? null
  values.valid = valid
  return values
}

function isEmpty(value: unknown): boolean {
  if (value === null || value === '') return true
  return typeof value === 'object' && Object.keys(value).length === 0
}
