/** One layer seen through its mappings: its cell for each field, and the cells that are mapped to nothing. */
import type { CellValue, FieldCell, Layer, Origin } from '../../schemas/pipeline.ts'
import { type Field, fields } from '../../schemas/product.ts'
import { isBlank } from '../silver/placeholders.ts'
import { isClear } from './cell-value.ts'
import type { Targets } from './column-targets.ts'
import { isNewer, placeOf } from './place.ts'

export interface LooseCell {
  readonly column: string
  readonly value: CellValue
  readonly origin: Origin
}

/** Cleared cells are among both: what clears must be met to win. */
export interface LayerFields {
  readonly source: string
  readonly cells: ReadonlyMap<Field, FieldCell>
  readonly loose: readonly LooseCell[]
}

/** One pass; most layers have one place, and then one look-up of targets serves all cells. */
export function layerFields(layer: Layer, targetsIn: (contextId: number) => Targets): LayerFields {
  const { source, from } = layer
  const cells = new Map<Field, FieldCell>()
  const loose: LooseCell[] = []
  let lists: Map<Field, FieldCell[]> | undefined
  const only = from.length === 1 ? from[0] : undefined
  let fillers: FieldCell[] | undefined
  let context = -1
  let targets: Targets | undefined
  for (const column in layer.cells) {
    const value = layer.cells[column]
    if (value === undefined) continue
    const origin = only ?? placeOf(layer, column)
    if (targets === undefined || origin.context !== context) {
      context = origin.context
      targets = targetsIn(context)
    }
    const target = targets.field.get(column)
    if (target === undefined) {
      const filled = targets.fills?.get(column)
      if (filled !== undefined) {
        fillers ??= []
        fillers.push({ field: filled, column, value, source, origin })
        continue
      }
      loose.push({ column, value, origin })
      continue
    }
    const cell = { field: target, column, value, source, origin }
    const rival = cells.get(target)
    if (rival === undefined) cells.set(target, cell)
    else if (fields[target] !== 'scalar') lists = withListCell(lists, rival, cell)
    else if (isNewer(origin, rival.origin)) cells.set(target, cell)
  }
  if (lists !== undefined) for (const [target, parts] of lists) cells.set(target, joined(parts, targetsIn))
  if (fillers !== undefined) fill(cells, loose, fillers, targetsIn)
  return { source, cells, loose }
}

/**
 * In the order of their header. What the field's own column says counts, and a clear is said; only what is blank there, or a
 * word for nothing, is filled. A clear in a filling column clears nothing: the field was never that column's alone.
 */
function fill(
  cells: Map<Field, FieldCell>,
  loose: LooseCell[],
  fillers: readonly FieldCell[],
  targetsIn: (contextId: number) => Targets,
) {
  const rank = ({ origin, column }: FieldCell) => targetsIn(origin.context).order.get(column) ?? 0
  for (const cell of fillers.toSorted((a, b) => rank(a) - rank(b))) {
    const own = cells.get(cell.field)
    if (!saysNothing(cell.value) && !isClear(cell.value) && (own === undefined || saysNothing(own.value)))
      cells.set(cell.field, cell)
    else loose.push({ column: cell.column, value: cell.value, origin: cell.origin })
  }
}

const saysNothing = (value: CellValue) =>
  typeof value === 'string' ? isBlank(value) : value.every((text) => isBlank(text))

function withListCell(lists: Map<Field, FieldCell[]> | undefined, first: FieldCell, cell: FieldCell) {
  const all = lists ?? new Map<Field, FieldCell[]>()
  const parts = all.get(cell.field)
  if (parts === undefined) all.set(cell.field, [first, cell])
  else parts.push(cell)
  return all
}

/**
 * All columns of a list in the order of the newest header; columns that it lacks come last. The newest cell is the list's place.
 * Levels of a path are the columns that the newest cell's mapping has for it: one that a former file named otherwise is none.
 */
function joined(parts: readonly FieldCell[], targetsIn: (contextId: number) => Targets): FieldCell {
  const newestOf = (a: FieldCell, b: FieldCell) => (isNewer(b.origin, a.origin) ? b : a)
  const { order, field } = targetsIn(parts.reduce(newestOf).origin.context)
  const counts = (part: FieldCell) => fields[part.field] !== 'levels' || field.get(part.column) === part.field
  const rank = ({ column }: FieldCell) => order.get(column) ?? Number.MAX_SAFE_INTEGER
  const sorted = parts.filter(counts).toSorted((a, b) => rank(a) - rank(b))
  const newest = sorted.reduce(newestOf)
  if (sorted.length === 1) return newest
  const said = sorted.filter(({ value }) => !isClear(value))
  return said.length === 0 ? newest : { ...newest, value: said.flatMap(({ value }) => value) }
}

/** What a layer says of a field; null where it says nothing, or says clear. */
export function valueIn(layer: LayerFields, field: Field): FieldCell | null {
  const cell = layer.cells.get(field)
  return cell === undefined || isClear(cell.value) ? null : cell
}
