/** A product's score explained, as the API answers it. */
import { z } from 'zod'
import type { ProductRow } from '../../infra/catalog/product-queries.ts'
import type { WorkspaceSettings } from '../../infra/catalog/settings.ts'
import { bandOf, bands, dimensions, feedReadyFrom, score, type Weights } from '../../schemas/score.ts'
import { type ExplainedRule, type Explanation, explain } from '../../transforms/gold/explain.ts'
import { gapsOf } from '../../transforms/gold/gaps.ts'
import { rubricVersion } from '../../transforms/gold/rubric.ts'
import { feedProductOf } from './grading.ts'
import type { Provenance } from './product-ports.ts'

const points = z.number()
/** Half of an odd number: a redriven message of a tenant's topic, which counts between two records. */
const position = z.object({ epoch: z.int(), partition: z.int(), offset: z.number() })

const rule = z.object({
  rule: z.string(),
  dimension: z.enum(dimensions),
  field: z.string(),
  why: z.string(),
  /** null where the rule does not apply: it gives nothing and takes nothing. */
  percent: z.int().nullable(),
  /** Points of the score; possible is given and lost together. */
  possible: points,
  given: points,
  lost: points,
  /** Refined values, cut where they are long; `size` counts characters of a text, entries of a list. */
  saw: z.array(z.object({ name: z.string(), value: z.unknown(), size: z.int().nullable() })),
  /** What the platform says, where the rule speaks of its refusals. */
  refusals: z.array(z.string()),
})

const problem = z.object({ field: z.string(), reason: z.string() })

export const explanation = z.object({
  productId: z.uuid(),
  /** `graded`: the rules give this very score. Otherwise they give what grading would give now, or nothing can be said yet. */
  state: z.enum(['graded', 'outdated', 'ungraded', 'unrefined', 'parent']),
  says: z.string(),
  /** Newer cells or settings wait to be refined: all of this is of the values before them. */
  stale: z.boolean(),
  score: z.int().nullable(),
  band: z.enum(bands).nullable(),
  feedReady: z.boolean(),
  /** That the rules below give together; null where there is nothing to grade. */
  explained: z.int().nullable(),
  dimensions: z.array(z.object({ dimension: z.enum(dimensions), score: points, weight: points, given: points })),
  rules: z.array(rule),
  platforms: z.array(
    z.object({
      platform: z.string(),
      version: z.int(),
      /** A feed-ready product must be valid for it. */
      required: z.boolean(),
      valid: z.boolean(),
      feedReady: z.boolean(),
      problems: z.array(problem),
    }),
  ),
  gaps: z.array(z.object({ field: z.string(), points, missing: z.boolean() })),
  /** Of the score; null where there is none. */
  rubricVersion: z.int().nullable(),
  weightsNumber: z.int(),
  /** Saved, and not in force yet. */
  weightsPending: z.int().nullable(),
  /** Settings that the values were refined with; 0 where they never were. */
  settingsNumber: z.int(),
  /** The last record that changed a cell. */
  revision: z.object({ epoch: z.int(), offset: z.int() }),
  /** The records that the values come from. */
  positions: z.array(
    z.object({ source: z.string(), importId: z.uuid().nullable(), fields: z.array(z.string()), position }),
  ),
})
export type ExplanationResource = z.infer<typeof explanation>

type State = ExplanationResource['state']

const states: Readonly<Record<State, string>> = {
  graded: 'The rules give the score that the product has',
  outdated:
    'Grading would give something else than when the score was made, as after a new rubric; the rules show that',
  ungraded: 'The product was not graded yet; the rules show what grading would give now',
  unrefined: 'The product was not refined yet, so there is nothing to grade',
  parent: 'A parent has no score; its variants have',
}

export interface Explained {
  readonly row: ProductRow
  readonly settings: WorkspaceSettings
  /** Bits of the profiles that a feed-ready product must pass. */
  readonly required: number
  readonly said: Provenance
  readonly revision: ExplanationResource['revision']
}

export function explanationOf({ row, settings, required, said, revision }: Explained): ExplanationResource {
  const { weights } = settings
  // By the time of its score, so that the rules give what it gave; a date that has passed since tells when it is graded again.
  const at = (row.scoredAt ?? row.updatedAt).toISOString()
  const isGraded = row.kind !== 'parent' && row.settings !== 0
  const found = isGraded ? explain(feedProductOf(row, at), row.kind, weights) : null
  const state = stateOf(row, found)
  const present = row.sub === null ? null : score(row.sub, weights)
  const valid = row.valid !== null && (row.valid & required) === required
  return {
    productId: row.id,
    state,
    says: states[state],
    stale: row.settings > 0 && (row.stage === 'bronze' || row.settings < (row.silverNumber ?? 0)),
    score: present,
    band: present === null ? null : bandOf(present),
    feedReady: present !== null && present >= feedReadyFrom && valid,
    ...gradedBy(found, weights, required),
    rubricVersion: row.rubric,
    weightsNumber: settings.weightsNumber,
    weightsPending: settings.pending?.number ?? null,
    settingsNumber: row.settings,
    revision,
    positions: positionsOf(said),
  }
}

function stateOf({ kind, settings, points, valid, rubric }: ProductRow, found: Explanation | null): State {
  if (kind === 'parent') return 'parent'
  if (settings === 0 || found === null) return 'unrefined'
  if (points === null) return 'ungraded'
  const same = rubric === rubricVersion && valid === found.grade.valid && points.equals(found.grade.points)
  return same ? 'graded' : 'outdated'
}

function gradedBy(found: Explanation | null, weights: Weights, required: number) {
  if (found === null) return { explained: null, dimensions: [], rules: [], platforms: [], gaps: [] }
  const { sub, points: attained } = found.grade
  const { gaps, missing } = gapsOf(attained, weights)
  const explained = score(sub, weights)
  return {
    explained,
    dimensions: dimensions.map((dimension, place) => {
      const [own, weight] = [sub[place] ?? 0, weights[place] ?? 0]
      return { dimension, score: own / 100, weight: weight / 100, given: Math.round((own * weight) / 10_000) / 100 }
    }),
    rules: found.rules.map(ruleOf),
    platforms: found.platforms.map(({ platform, version, bit, problems }) => ({
      ...{ platform, version, required: (required & bit) !== 0, valid: problems.length === 0 },
      feedReady: problems.length === 0 && explained >= feedReadyFrom,
      problems: problems.map((one) => ({ ...one })),
    })),
    gaps: gaps.map((gap) => ({ field: gap.field, points: gap.points / 100, missing: missing.includes(gap.field) })),
  }
}

const ruleOf = ({ rule: of, percent, possible, given, lost, saw, refusals }: ExplainedRule) => ({
  rule: of.id,
  dimension: of.dimension,
  field: of.field,
  why: of.why,
  percent,
  possible: possible / 100,
  given: given / 100,
  lost: lost / 100,
  saw: saw.map((one) => ({ ...one })),
  refusals: refusals.map(({ reason }) => reason),
})

/** One entry a record and source, in the order of the fields. */
function positionsOf({ fields, said }: Provenance): ExplanationResource['positions'] {
  const found = new Map<string, ExplanationResource['positions'][number]>()
  for (const { field, from } of fields) {
    if (from === null) continue
    const key = `${from.origin.epoch}:${from.origin.offset}`
    const at = said.get(key)
    if (!at) continue
    const known = found.get(`${key} ${from.source}`)
    if (known) known.fields.push(field)
    else
      found.set(`${key} ${from.source}`, {
        ...{ source: from.source, importId: from.origin.import, fields: [field], position: at.position },
      })
  }
  return [...found.values()]
}
