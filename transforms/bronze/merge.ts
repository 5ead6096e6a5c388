/** The fold over sources: what one more record makes of a product's layers. */
import { imageCheckSource } from '../../schemas/image-check.ts'
import type { BronzeRecord, Layer, Layers, Position } from '../../schemas/pipeline.ts'
import { remember, tell } from './layer.ts'

/** Edits, checks and pages speak of cells; they do not say anew what a product is: the page of a variant makes no single of it. */
const saysNoKind = new Set(['api', imageCheckSource, 'url'])

/**
 * Folds a record that counts. `rev` moves where it changed anything that can be seen; where it changed nothing at all the
 * state itself comes back.
 * @throws for `void` and `unvoid`, which change what counts in the past: refold the product
 */
export function fold(state: Layers | null, record: BronzeRecord, position: Position): Layers {
  const { epoch, offset: rev } = position
  if (record.op !== 'put' && record.op !== 'withdraw')
    throw new Error(`${record.op} at ${epoch}/${rev} asks for a refold`)
  const former = layerOf(state, record.source)
  const layer = record.op === 'put' ? tell(former, record, position) : withdraw(former)
  if (state === null) return fresh(record, position, layer)

  const decides = record.op === 'put' && saysKind(record)
  const kind = decides ? record.kind : state.kind
  const family = decides ? (record.family ?? null) : state.family
  if (layer === former && kind === state.kind && family === state.family) return state
  const seen = kind !== state.kind || family !== state.family || !looksAlike(former, layer)
  const layers = withLayer(state.layers, former, layer)
  return seen ? { kind, family, epoch, rev, layers } : { kind, family, epoch: state.epoch, rev: state.rev, layers }
}

/** Folds a record of a voided import: it counts only as memory, so nothing that can be seen changes. */
export function foldVoided(state: Layers | null, record: BronzeRecord, position: Position): Layers | null {
  if (record.op !== 'put') return state
  const former = layerOf(state, record.source)
  const layer = remember(former, record, position)
  if (state === null) return fresh(record, position, layer)
  if (layer === former) return state
  return { ...state, layers: withLayer(state.layers, former, layer) }
}

function fresh(record: BronzeRecord, position: Position, layer: Layer | undefined): Layers {
  return {
    kind: record.kind,
    family: record.family ?? null,
    epoch: position.epoch,
    rev: position.offset,
    layers: layer === undefined ? [] : [layer],
  }
}

function saysKind(record: BronzeRecord): boolean {
  return record.context > 0 || record.create === true || !saysNoKind.has(record.source)
}

function layerOf(state: Layers | null, source: string): Layer | undefined {
  return state?.layers.find((layer) => layer.source === source)
}

/** Its values are remembered, so that a listing with the same values finds the old places. */
function withdraw(former: Layer | undefined): Layer | undefined {
  return former?.live ? { ...former, live: false } : former
}

/** A layer's `cells` are another object only where a cell changed; ghosts are not seen. */
function looksAlike(former: Layer | undefined, layer: Layer | undefined): boolean {
  return former?.live === layer?.live && former?.created === layer?.created && former?.cells === layer?.cells
}

function withLayer(layers: readonly Layer[], former: Layer | undefined, layer: Layer | undefined): readonly Layer[] {
  if (layer === undefined) return layers
  return former === undefined ? [...layers, layer] : layers.map((one) => (one === former ? layer : one))
}
