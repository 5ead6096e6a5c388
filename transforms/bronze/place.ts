/** The place of a cell: the record that first said its value, by which the newest change over all sources is found. */
import type { BronzeRecord, Layer, Origin, Position } from '../../schemas/pipeline.ts'

/** A record's own place; the cells that a variant takes from its family stand in the family's row. */
export function placeOfRecord(record: BronzeRecord, position: Position, column?: string): Origin {
  const { inherited } = record
  const family = column !== undefined && inherited?.columns.includes(column) ? inherited : undefined
  return {
    epoch: position.epoch,
    offset: position.offset,
    import: record.import ?? null,
    context: record.context,
    row: family?.row ?? record.rows[0] ?? null,
  }
}

/** The place of a cell that the layer has. */
export function placeOf(layer: Layer, column: string): Origin {
  const at: unknown = layer.from.length === 1 ? 0 : layer.by[column]
  const origin = layer.from[typeof at === 'number' ? at : 0]
  if (origin === undefined) throw new Error(`layer ${layer.source} has no place for column ${JSON.stringify(column)}`)
  return origin
}

/** Records of one product share a partition within an epoch, so (epoch, offset) orders them. */
export function isNewer(a: Origin, b: Origin): boolean {
  return a.epoch === b.epoch ? a.offset > b.offset : a.epoch > b.epoch
}

export function samePlace(a: Origin, b: Origin): boolean {
  return a.offset === b.offset && a.epoch === b.epoch && a.row === b.row
}
