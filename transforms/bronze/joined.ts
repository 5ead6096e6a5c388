/** Families that two sources, or two files of one, tell together: whether a product is the parent of one, and what a product has from such a parent. */
import { isTopicSource } from '../../schemas/inbound.ts'
import { type Cells, familySource, type Layers } from '../../schemas/pipeline.ts'
import { lists } from './alive.ts'
import { isClear } from './cell-value.ts'

/** Whether several files have the parent, so that one may tell of it what another's variants lack. */
export const isJoined = ({ kind, layers }: Layers): boolean =>
  kind === 'parent' &&
  (layers.filter(lists).length > 1 || layers.some(({ live, says }) => live && says?.told === 'apart'))

/** Whether edits alone made it a parent: a file that tells one has it for one, with or without variants. */
export const isOfEdits = ({ kind, layers }: Layers): boolean =>
  kind === 'parent' &&
  layers.every(({ live, source, says }) => !live || (source === 'api') === (says?.kind === 'parent'))

/** The families that a product has left or come back to, where no file tells that it is in them; and its own, where it is no parent any more. */
export function movedIn(before: Standing | null, after: Standing): readonly string[] {
  if (before === null || (before.layers.kind === 'single' && after.layers.kind === 'single')) return nowhere
  const [was, now] = [familyIn(before), familyIn(after)]
  const ended = before.layers.kind === 'parent' && after.alive && after.layers.kind === 'single'
  return [...(was === now ? [] : [was, now]), ended ? before.layers.family : null].filter((family) => family !== null)
}

const nowhere: readonly string[] = []

/** Who tells products one by one, each without its family. */
export const isOneByOne = (source: string) => source === 'api' || source === 'url' || isTopicSource(source)

interface Standing {
  readonly alive: boolean
  readonly layers: Layers
}

function familyIn({ alive, layers: { kind, family, layers } }: Standing): string | null {
  if (!alive || kind !== 'variant') return null
  const told = layers.some(({ live, source, says }) => live && says?.family === family && !isOneByOne(source))
  return told ? null : family
}

/** What a product has from such a parent now. */
export function familyCells({ layers }: Pick<Layers, 'layers'>): Cells {
  const layer = layers.find(({ source }) => source === familySource)
  return layer ? Object.fromEntries(Object.entries(layer.cells).filter(([, value]) => !isClear(value))) : {}
}

/** Whether its family is to be looked after; nearly every product has one layer, and then it is not. */
export const isOfJoined = (layers: Layers): boolean =>
  layers.kind === 'parent' ? isJoined(layers) : layers.layers.length > 1 && Object.keys(familyCells(layers)).length > 0
