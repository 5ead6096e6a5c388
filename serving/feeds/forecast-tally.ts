/** Counts what a forecast finds, in a size that does not grow with the catalog: by verdicts, and by field and rule with a few examples. */
import type { ForecastChange, ForecastItem, ForecastProblem } from '../../infra/catalog/feed-forecasts.ts'
import type { Judged } from './judge-line.ts'

interface FieldTally {
  readonly field: string
  readonly rule: string
  /** Products that it refuses then and not now, and the other way. */
  fails: number
  passes: number
  /** Ids of products. */
  readonly examples: string[]
}

export interface ForecastTally {
  products: number
  /** Valid now and then. */
  valid: number
  /** Refused or left out, now and then. */
  neither: number
  fails: number
  passes: number
  leaves: number
  comes: number
  readonly fields: FieldTally[]
}

export const emptyTally = (): ForecastTally => ({
  ...{ products: 0, valid: 0, neither: 0, fails: 0, passes: 0, leaves: 0, comes: 0 },
  fields: [],
})

const mostExamples = 3
/** Rules are data and few; what a schema finds in values is bounded here. */
const mostFields = 500

const problemsOf = (judged: Judged): readonly ForecastProblem[] => (judged.verdict === 'refused' ? judged.problems : [])

/** @returns null where it is judged alike */
function changeOf(now: Judged['verdict'], then: Judged['verdict']): ForecastChange | null {
  if (now === 'valid' && then === 'refused') return 'fails'
  if (now === 'refused' && then === 'valid') return 'passes'
  if (now === 'valid' && then === 'out') return 'leaves'
  return now === 'out' && then === 'valid' ? 'comes' : null
}

/** Adds one product. @returns what is kept of it; null where it is judged alike */
export function tallied(tally: ForecastTally, product: string, now: Judged, then: Judged): ForecastItem | null {
  tally.products++
  const change = changeOf(now.verdict, then.verdict)
  if (change === null) {
    if (now.verdict === 'valid') tally.valid++
    else tally.neither++
    return null
  }
  tally[change]++
  const problems = problemsOf(change === 'fails' ? then : now)
  for (const { field, rule } of problems) {
    const one = fieldOf(tally, field, rule)
    if (!one || (change !== 'fails' && change !== 'passes')) continue
    one[change]++
    if (one.examples.length < mostExamples) one.examples.push(product)
  }
  return { product, change, problems }
}

function fieldOf({ fields }: ForecastTally, field: string, rule: string): FieldTally | null {
  const known = fields.find((one) => one.field === field && one.rule === rule)
  if (known || fields.length >= mostFields) return known ?? null
  const made = { field, rule, fails: 0, passes: 0, examples: [] }
  fields.push(made)
  return made
}
