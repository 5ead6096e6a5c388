/** One layer seen through its mappings: its cell for each field, and the cells that are mapped to nothing. */
import type { CellValue, FieldCell, Layer, Origin } from '../../schemas/pipeline.ts'
import { type Field, fields } from '../../schemas/product.ts'
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
  let context = -1
  let field: Targets['field'] | undefined
  for (const column in layer.cells) {
    const value = layer.cells[column]
    if (value === undefined) continue
    const origin = only ?? placeOf(layer, column)
    if (field === undefined || origin.context !== context) {
      context = origin.context
      field = targetsIn(context).field
    }
    const target = field.get(column)
    if (target === undefined) {
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
  return { source, cells, loose }
}

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
