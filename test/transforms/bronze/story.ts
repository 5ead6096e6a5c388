/** Short ways to write a product's history in the tests of bronze: who said what, at which offset. */
import type { BronzeRecord, Cells, ImportContext, Layers, Position, SilverSettings } from '../../../schemas/pipeline.ts'
import type { Field } from '../../../schemas/product.ts'
import { fold } from '../../../transforms/bronze/merge.ts'
import { mergedFields } from '../../../transforms/bronze/merged-fields.ts'
import type { HistoryEntry } from '../../../transforms/bronze/refold.ts'

export function record(source: string, cells: Cells, more: Partial<BronzeRecord> = {}): BronzeRecord {
  return {
    v: 1,
    op: 'put',
    workspace: 'ws_test',
    brand: 'brand',
    catalog: 'catalog',
    product: 'product',
    source,
    sid: 'sid',
    context: 0,
    seq: 0,
    rows: [2],
    kind: 'single',
    at: '2026-01-01T00:00:00Z',
    cells,
    ...more,
  }
}

export const edit = (cells: Cells, more: Partial<BronzeRecord> = {}) =>
  record('api', cells, { seq: -1, rows: [], ...more })
export const create = (cells: Cells) => edit(cells, { create: true })
export const undo = (name: string) => record('', {}, { op: 'void', import: name })
export const redo = (name: string) => record('', {}, { op: 'unvoid', import: name })
export const withdraw = (source: string) => record(source, {}, { op: 'withdraw' })

export const at = (offset: number, epoch = 1): Position => ({ epoch, partition: 0, offset })

/** The records in this order, at offsets from 1. */
export const history = (...records: readonly BronzeRecord[]): HistoryEntry[] =>
  records.map((record, place) => ({ record, position: at(place + 1), refused: false }))

export function folded(...records: readonly BronzeRecord[]): Layers {
  const state = records.reduce<Layers | null>((state, record, place) => fold(state, record, at(place + 1)), null)
  if (state === null) throw new Error('a story has at least one record')
  return state
}

const settings: SilverSettings = {
  number: 1,
  mappings: {},
  currency: null,
  decimal: null,
  linkTemplate: null,
  condition: null,
}

/** A context whose header is the mapping's columns, in order; null leaves a column raw. */
export function context(id: number, columns: Readonly<Record<string, Field | null>>): ImportContext {
  const mapping: Record<string, { field: Field; reason: string }> = {}
  for (const [column, field] of Object.entries(columns)) if (field !== null) mapping[column] = { field, reason: 'test' }
  return { id, platform: 'generic', header: Object.keys(columns), mapping, numbers: {}, currencies: {}, notes: [] }
}

export function seen(
  layers: Layers,
  contexts: readonly ImportContext[] = [],
  mappings: SilverSettings['mappings'] = {},
) {
  return mergedFields(layers, (id) => contexts.find((one) => one.id === id), { ...settings, mappings })
}

/** What a person would see in a field. */
export const field = (layers: Layers, name: Field, contexts: readonly ImportContext[] = []) =>
  seen(layers, contexts).get(name)?.value ?? null
