/** One source's layer: what a record that counts, and one of a voided import, make of it. */
import type { BronzeRecord, Cells, CellValue, Layer, Origin, Position } from '../../schemas/pipeline.ts'
import { clearWord } from '../../schemas/pipeline.ts'
import { cellOf, isBlank, sameValue, setOwn } from './cell-value.ts'
import { wordAfter } from './family-word.ts'
import { placeOf, placeOfRecord, samePlace } from './place.ts'

type Ghosts = NonNullable<Layer['ghosts']>
type Ghost = readonly [json: string, origin: Origin]

const deletedColumn = 'deleted'
const noIndexes: Layer['by'] = {}
const noGhosts: readonly Ghost[] = []

/**
 * The layer after a put that counts; the layer itself where nothing changed, and its very `cells` where no cell did.
 * A cell's place is that of the earliest record, voided or not, that said this value since its source last said otherwise
 * in a record not voided: a repeat leaves the place, and a value that a voided record said since takes that record's.
 */
export function tell(former: Layer | undefined, record: BronzeRecord, position: Position): Layer {
  if (former === undefined) return firstLayer(record, position)
  const said = cellsOf(record, former)
  const changed = new Map<string, Origin>()
  let ghosts = former.ghosts
  for (const column in said) {
    const value = said[column]
    if (value === undefined || isBlank(value)) continue
    const current = cellOf(former.cells, column)
    if (current === undefined || !sameValue(current, value)) {
      changed.set(column, ghostPlace(ghosts, column, value) ?? placeOfRecord(record, position, column))
    }
    if (ghosts !== undefined) ghosts = withoutGhosts(ghosts, column)
  }
  const created = former.created || record.create === true
  const says = wordAfter(former, record, position)
  if (changed.size === 0) {
    const same = created === former.created && says === former.says && ghosts === former.ghosts
    if (former.live && same) return former
    const { source, cells, from, by } = former
    return { source, live: true, created, cells, from, by, ...(says && { says }), ...(ghosts && { ghosts }) }
  }
  const cells: Record<string, CellValue> = { ...former.cells }
  for (const column of changed.keys()) setOwn(cells, column, said[column] as CellValue)
  const places = indexPlaces(cells, (column) => changed.get(column) ?? placeOf(former, column))
  const { source } = former
  return { source, live: true, created, cells, ...places, ...(says && { says }), ...(ghosts && { ghosts }) }
}

/** The layer after a put of a voided import, which counts only as memory. */
export function remember(former: Layer | undefined, record: BronzeRecord, position: Position): Layer {
  const layer = former ?? { source: record.source, live: false, created: false, cells: {}, from: [], by: noIndexes }
  const said = cellsOf(record, layer)
  let ghosts: Record<string, readonly Ghost[]> | undefined
  for (const column in said) {
    const value = said[column]
    if (value === undefined || isBlank(value)) continue
    const current = cellOf(layer.cells, column)
    if (current !== undefined && sameValue(current, value)) continue
    const known = ghostsOf(layer.ghosts, column)
    const json = JSON.stringify(value)
    if (known.some(([one]) => one === json)) continue
    ghosts ??= { ...layer.ghosts }
    setOwn(ghosts, column, [...known, [json, placeOfRecord(record, position, column)]])
  }
  return ghosts === undefined ? layer : { ...layer, ghosts }
}

/** Nearly every product has been said once only: its cells are taken as they are. */
function firstLayer(record: BronzeRecord, position: Position): Layer {
  const { source, inherited } = record
  const cells = withoutBlanks(record.cells)
  const created = record.create === true
  const word = wordAfter(undefined, record, position)
  const says = word && { says: word }
  if (inherited !== undefined && inherited.row !== record.rows[0]) {
    const own = placeOfRecord(record, position)
    const family = { ...own, row: inherited.row }
    const columns = new Set(inherited.columns)
    const places = indexPlaces(cells, (column) => (columns.has(column) ? family : own))
    return { source, live: true, created, cells, ...places, ...says }
  }
  const from = isEmpty(cells) ? [] : [placeOfRecord(record, position)]
  return { source, live: true, created, cells, from, by: noIndexes, ...says }
}

/** A create brings a deleted product back: where its source knows of a deletion, it says that there is none. */
function cellsOf(record: BronzeRecord, layer: Layer): Cells {
  if (record.create !== true) return record.cells
  const own = cellOf(record.cells, deletedColumn)
  const knows = cellOf(layer.cells, deletedColumn) !== undefined || ghostsOf(layer.ghosts, deletedColumn).length > 0
  return knows && (own === undefined || isBlank(own)) ? { ...record.cells, [deletedColumn]: clearWord } : record.cells
}

/** Each place once, in order of the cells; cells of the first place need no index, and a place without a cell is gone. */
function indexPlaces(cells: Cells, place: (column: string) => Origin): Pick<Layer, 'from' | 'by'> {
  const from: Origin[] = []
  const by: Record<string, number> = {}
  for (const column in cells) {
    const origin = place(column)
    let at = from.findIndex((one) => samePlace(one, origin))
    if (at < 0) at = from.push(origin) - 1
    if (at > 0) setOwn(by, column, at)
  }
  return { from, by }
}

function withoutBlanks(cells: Cells): Cells {
  for (const column in cells) {
    if (isBlank(cells[column] ?? ''))
      return Object.fromEntries(Object.entries(cells).filter(([, one]) => !isBlank(one)))
  }
  return cells
}

function isEmpty(cells: Cells): boolean {
  for (const _ in cells) return false
  return true
}

function ghostsOf(ghosts: Ghosts | undefined, column: string): readonly Ghost[] {
  return ghosts !== undefined && Object.hasOwn(ghosts, column) ? (ghosts[column] ?? noGhosts) : noGhosts
}

function ghostPlace(ghosts: Ghosts | undefined, column: string, value: CellValue): Origin | undefined {
  const known = ghostsOf(ghosts, column)
  if (known.length === 0) return undefined
  const json = JSON.stringify(value)
  return known.find(([one]) => one === json)?.[1]
}

function withoutGhosts(ghosts: Ghosts, column: string): Ghosts | undefined {
  if (!Object.hasOwn(ghosts, column)) return ghosts
  const rest = Object.entries(ghosts).filter(([name]) => name !== column)
  return rest.length === 0 ? undefined : Object.fromEntries(rest)
}
