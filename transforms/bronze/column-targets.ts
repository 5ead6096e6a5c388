/** Which field a column stands for: the workspace's mapping of its source decides, else that of the context it came in. */
import type { ImportContext, SilverSettings } from '../../schemas/pipeline.ts'
import { optionsColumn } from '../../schemas/pipeline.ts'
import { type Field, fieldNames } from '../../schemas/product.ts'
import { type ColumnMapping, mappingOf, withoutTargets } from './mapping-of.ts'

/** Columns of one context: their fields, and their order in the header. */
export interface Targets {
  readonly field: ReadonlyMap<string, Field>
  readonly order: ReadonlyMap<string, number>
  /** Columns that say a field only where its own column is blank. */
  readonly fills?: ReadonlyMap<string, Field>
}

/** Context 0 is what Assay writes itself: a column is its field. */
const ownNames: Targets = {
  field: new Map<string, Field>([...fieldNames.map((name) => [name, name] as const), [optionsColumn, 'options']]),
  order: new Map(),
}
/** A context that is gone maps nothing; its cells stay raw. */
const unknown: Targets = { field: new Map(), order: new Map() }

const byContext = new WeakMap<ImportContext, Targets>()
const byMapping = new WeakMap<object, WeakMap<Targets, Targets>>()

export function targetsOf(
  source: string,
  contextId: number,
  contexts: (id: number) => ImportContext | undefined,
  settings: SilverSettings,
): Targets {
  // What Assay writes itself speaks of our fields, whatever suppliers call their columns.
  if (contextId === 0) return ownNames
  const targets = targetsOfContext(contexts(contextId))
  const mapping = mappingOf(settings, source)
  return isEmpty(mapping) ? targets : overridden(targets, mapping)
}

function targetsOfContext(context: ImportContext | undefined): Targets {
  if (context === undefined) return unknown
  let targets = byContext.get(context)
  if (targets === undefined) {
    const order = new Map<string, number>()
    for (const [at, column] of context.header.entries()) if (!order.has(column)) order.set(column, at)
    const field = new Map(
      Object.entries(context.proposed ?? context.mapping).map(([column, { field }]) => [column, field]),
    )
    const fills = context.fills === undefined ? {} : { fills: new Map(Object.entries(context.fills)) }
    targets = { field, order, ...fills }
    byContext.set(context, targets)
  }
  return targets
}

function isEmpty(mapping: ColumnMapping): boolean {
  for (const _ in mapping) return false
  return true
}

/** Only columns that the file has take a field from another of its columns. */
function overridden(targets: Targets, mapping: ColumnMapping): Targets {
  const known = byMapping.get(mapping) ?? new WeakMap<Targets, Targets>()
  let both = known.get(targets)
  if (both === undefined) {
    const present = Object.fromEntries(Object.entries(mapping).filter(([column]) => targets.order.has(column)))
    const rest = withoutTargets(Object.fromEntries(targets.field), present)
    const { fills } = targets
    both = {
      field: new Map([...Object.entries(rest), ...Object.entries(mapping)]),
      order: targets.order,
      // Who chose a field's column chose it without others, and a column that was chosen is no filler any more.
      ...(fills && { fills: new Map(Object.entries(withoutTargets(Object.fromEntries(fills), present))) }),
    }
    byMapping.set(mapping, known.set(targets, both))
  }
  return both
}
