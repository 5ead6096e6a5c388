/** One product's shadow: folded anew, refined and graded under the replay's settings, and compared with its live row step by step. */
import type { Layers } from '../../schemas/pipeline.ts'
import type { Weights } from '../../schemas/score.ts'
import type { Lookups } from '../../transforms/apply.ts'
import { isAlive } from '../../transforms/bronze/alive.ts'
import type { Grade } from '../../transforms/gold/grade.ts'
import { rubricVersion } from '../../transforms/gold/rubric.ts'
import type { ProductWrite } from '../../transforms/ports.ts'
import { refreshed } from '../../transforms/refresh.ts'
import { type Graded, shadowScore } from '../../transforms/replay/shadow.ts'
import { products as topology } from '../../transforms/topology.ts'
import { type Difference, firstDifference } from '../../transforms/verify/first-difference.ts'
import { goldValues, mergedValues, type ProductValues, silverValues } from '../../transforms/verify/product-values.ts'
import { isSame } from '../../transforms/versions/is-same.ts'
import { productColumns, productRow } from '../catalog/product-columns.ts'
import type { ShadowRow } from '../catalog/shadow-rows.ts'
import type { RowToVerify } from '../catalog/verify-queries.ts'
import { columnsOf, layersIn } from './judge-product.ts'

/** Settings are numbered from 1. */
const neverRefined = 0

/**
 * @param layers what the product's history folds to
 * @param at when this happens, ISO 8601
 * @throws where a rule cannot read what silver made
 */
export function shadowProduct(
  row: RowToVerify,
  layers: Layers,
  lookups: Lookups,
  weights: { readonly before: Weights; readonly after: Weights },
  at: string,
): ShadowRow {
  // A replay is asked for: what runs unasked decides nothing here.
  const asked = { ...lookups, settings: { ...lookups.settings, autoSilver: true, autoGold: true } }
  const { createdAt, updatedAt } = row
  const times = { createdAt: isoOf(createdAt), updatedAt: isoOf(updatedAt) }
  const write = refreshed({ ...row, ...times, layers, product: null }, asked, topology.grade, at)
  const values = productRow(write, (write.expected ?? 0) + 1)
  const before = gradedIn(row)
  const after: Graded | null = write.grade && { ...write.grade, rubric: rubricVersion }
  return {
    write,
    values,
    scores: shadowScore(before, after, differenceOf(row, { layers, write, values }, before), weights),
  }
}

/** As Postgres writes it. */
const isoOf = (text: string) => new Date(text).toISOString()

function gradedIn({ sub, points, valid, rubric }: RowToVerify): Graded | null {
  return sub === null || points === null || valid === null || rubric === null
    ? null
    : { sub: [...sub], points, valid, rubric }
}

function differenceOf(
  row: RowToVerify,
  { layers, write, values }: { layers: Layers; write: ProductWrite; values: readonly unknown[] },
  before: Graded | null,
): Pick<Difference, 'step' | 'at'> | null {
  const gone = !row.alive && !isAlive(layers)
  const former = before !== null && before.rubric !== rubricVersion
  // Most are, and then they need not be read.
  const merges = !isMergedAlike(row, layers, values)
  const grades = !(before && write.grade && isGradedAlike(before, write.grade))
  // Of a product that is deleted on both sides nobody sees what silver or gold would make.
  const stored: ProductValues = {
    merged: merges ? mergedValues(layersIn(row), row) : null,
    silver: row.settings === neverRefined ? null : silverValues(row),
    gold: grades && before && !former ? goldValues({ ...before, sub: [...before.sub], points: before.points }) : null,
  }
  const computed: ProductValues = {
    merged: merges ? mergedValues(JSON.parse(textOf(values)), { ...layers, alive: isAlive(layers) }) : null,
    silver: silverValues(columnsOf(write, values)),
    gold: grades && write.grade && !former ? goldValues(write.grade) : null,
  }
  if (gone) {
    const nothing = { silver: null, gold: null }
    return firstDifference({ ...stored, ...nothing }, { ...computed, ...nothing })
  }
  return firstDifference(stored, computed) ?? (former && write.grade ? { step: 'gold', at: 'rubric' } : null)
}

const layersAt = productColumns.findIndex(({ name }) => name === 'layers')
const textOf = (values: readonly unknown[]) => String(values[layersAt])

/** Byte for byte: the fold that a worker had made. */
function isMergedAlike(row: RowToVerify, layers: Layers, values: readonly unknown[]): boolean {
  const { kind, family } = layers
  if (row.kind !== kind || row.family !== family || row.alive !== isAlive(layers)) return false
  return row.layers.equals(Buffer.from(textOf(values)))
}

const isGradedAlike = (before: Graded, { sub, points, valid }: Grade) =>
  before.valid === valid && isSame(before.sub, [...sub]) && Buffer.compare(before.points, points) === 0
