/** Judges one stored product by its history: folds, refines and grades it anew, under the numbers it was made with, and compares value by value. */
import type { Layers, SilverSettings } from '../../schemas/pipeline.ts'
import type { Lookups } from '../../transforms/apply.ts'
import { isAlive } from '../../transforms/bronze/alive.ts'
import { rubricVersion } from '../../transforms/gold/rubric.ts'
import type { ProductWrite } from '../../transforms/ports.ts'
import { refreshed } from '../../transforms/refresh.ts'
import { products as topology } from '../../transforms/topology.ts'
import { type Difference, firstDifference } from '../../transforms/verify/first-difference.ts'
import { goldValues, mergedValues, type RefinedColumns, silverValues } from '../../transforms/verify/product-values.ts'
import { productColumns, productRow } from '../catalog/product-columns.ts'
import { type RowToVerify, repeatedColumns } from '../catalog/verify-queries.ts'

/** Settings are numbered from 1. */
const neverRefined = 0
const nothing = { merged: null, silver: null, gold: null }

/** `stale`: merged as the log says, and not made by settings or a rubric that could be asked again. */
export type Verdict = 'equal' | 'stale' | Difference

/**
 * @param layers what the product's history folds to; null where the log knows nothing of it
 * @param settings those that the row names; undefined where they are gone
 */
export function judgeProduct(
  row: RowToVerify,
  layers: Layers | null,
  settings: SilverSettings | undefined,
  lookups: Omit<Lookups, 'settings'>,
): Verdict {
  const merged = firstDifference(
    { ...nothing, merged: mergedValues(layersIn(row), row) },
    { ...nothing, merged: layers && mergedValues(asJson(layers), { ...layers, alive: isAlive(layers) }) },
  )
  if (merged || layers === null) return merged ?? 'equal'
  // Cells that nobody has refined yet: which ones silver had seen before them is no longer known.
  if (row.stage === 'bronze') return row.settings === neverRefined ? 'equal' : 'stale'
  // Files of the taxonomy that are no longer named cannot be asked.
  if (!settings || settings.taxonomy !== lookups.taxonomy?.key) return 'stale'
  // What runs unasked decides when silver and gold run, and not what they give.
  const asked = { ...lookups, settings: { ...settings, autoSilver: true, autoGold: true } }
  try {
    const at = row.scoredAt ?? row.updatedAt
    return refinedVerdict(row, refreshed({ ...row, layers, product: null }, asked, topology.grade, at))
  } catch (error) {
    const says = error instanceof Error ? error.message : String(error)
    return { step: 'silver', at: 'refined', stored: row.refined, computed: `cannot be made: ${says}` }
  }
}

/** A score from before gold was switched off is of what silver gave then; one of a former rubric cannot be given again. */
function refinedVerdict(row: RowToVerify, write: ProductWrite): Verdict {
  const { sub, points, valid, rubric, stage } = row
  const isScored = sub !== null && points !== null && valid !== null
  const untold = write.grade !== null && (stage === 'silver' || (isScored && rubric !== rubricVersion))
  const stored = isScored && !untold ? goldValues({ sub: [...sub], points, valid }) : null
  const computed = write.grade && !untold ? goldValues(write.grade) : null
  const apart = firstDifference(
    { merged: null, silver: silverValues(row), gold: stored },
    { merged: null, silver: silverValues(columnsOf(write)), gold: computed },
  )
  return apart ?? (untold && isScored ? 'stale' : 'equal')
}

/** As the row would be written, and read again. @param values the row, where it is made already */
export function columnsOf(write: ProductWrite, values: readonly unknown[] = productRow(write, 0)): RefinedColumns {
  const column = (name: (typeof productColumns)[number]['name']) =>
    values[productColumns.findIndex((one) => one.name === name)]
  const repeated = repeatedColumns.map((name) => [name, readAgain(column(name))])
  return {
    refined: JSON.parse(String(column('refined'))),
    repeated: Object.fromEntries(repeated),
    content: write.content,
  }
}

const readAgain = (value: unknown) =>
  typeof value === 'bigint' ? Number(value) : typeof value === 'string' ? value.toWellFormed() : value

/** Layers that somebody has made unreadable are a value like any other: a wrong one. */
export function layersIn({ layers }: RowToVerify): Layers | null {
  try {
    return JSON.parse(layers.toString()) as Layers
  } catch {
    return null
  }
}

const asJson = (layers: Layers): Layers => JSON.parse(JSON.stringify(layers))
