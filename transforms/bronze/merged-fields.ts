/** The layers of a product seen through their mappings: for each field the newest word of all live layers. */
import { imageCheckSource, imageChecksColumn } from '../../schemas/image-check.ts'
import type { FieldCell, ImportContext, Layer, Layers, MergedFields, SilverSettings } from '../../schemas/pipeline.ts'
import type { Field } from '../../schemas/product.ts'
import { cellOf, isClear } from './cell-value.ts'
import { targetsOf } from './column-targets.ts'
import { type LayerFields, type LooseCell, layerFields, valueIn } from './layer-fields.ts'
import { isNewer } from './place.ts'
import { winningCell } from './winning-cell.ts'

export function mergedFields(
  layers: Layers,
  contexts: (id: number) => ImportContext | undefined,
  settings: SilverSettings,
): MergedFields {
  const live: LayerFields[] = []
  let imageChecks: string | undefined
  for (const layer of layers.layers) {
    if (!layer.live) continue
    // Apart from the others: it speaks of no field, and a product of one source stays one.
    if (layer.source === imageCheckSource) imageChecks = checksIn(layer)
    else live.push(layerFields(layer, (context) => targetsOf(layer.source, context, contexts, settings)))
  }
  const [first] = live
  const fields = first !== undefined && live.length === 1 ? fieldsOfOne(first) : fieldsOfMany(live)
  return imageChecks === undefined ? fields : { ...fields, imageChecks }
}

function checksIn({ cells }: Layer): string | undefined {
  const cell = cellOf(cells, imageChecksColumn)
  return typeof cell === 'string' && !isClear(cell) ? cell : undefined
}

function fieldsOfOne(layer: LayerFields): MergedFields {
  return {
    get: (field) => valueIn(layer, field),
    beside: (_, field) => valueIn(layer, field),
    unmapped: () => present(layer.loose),
  }
}

function fieldsOfMany(live: readonly LayerFields[]): MergedFields {
  return {
    get: (field) => newest(live, field),
    beside: (cell, field) => {
      const layer = live.find(({ source }) => source === cell.source)
      return layer === undefined ? null : valueIn(layer, field)
    },
    unmapped: () => present(newestOfColumns(live)),
  }
}

/** A clear that is newest clears the field, whatever older layers say. */
function newest(live: readonly LayerFields[], field: Field): FieldCell | null {
  const winner = winningCell(live, field)
  return winner === undefined || isClear(winner.value) ? null : winner
}

function newestOfColumns(live: readonly LayerFields[]): LooseCell[] {
  const columns = new Map<string, LooseCell>()
  for (const layer of live) {
    for (const cell of layer.loose) {
      const rival = columns.get(cell.column)
      if (rival === undefined || isNewer(cell.origin, rival.origin)) columns.set(cell.column, cell)
    }
  }
  return [...columns.values()]
}

function present(loose: readonly LooseCell[]): LooseCell[] {
  return loose.filter(({ value }) => !isClear(value)).sort(newestFirst)
}

function newestFirst(a: LooseCell, b: LooseCell): number {
  if (isNewer(a.origin, b.origin)) return -1
  return isNewer(b.origin, a.origin) ? 1 : 0
}
