/** What a product is by all its sources: merged like any cell, but one that knows of no family says nothing against one that does. */
import { imageCheckSource } from '../../schemas/image-check.ts'
import { isTopicSource } from '../../schemas/inbound.ts'
import type { BronzeRecord, FamilyWord, Layer, Layers, Position } from '../../schemas/pipeline.ts'
import { familySource } from '../../schemas/pipeline.ts'

/** Edits, checks and pages speak of cells; they do not say anew what a product is: the page of a variant makes no single of it. */
const saysNoKind = new Set(['api', imageCheckSource, 'url', familySource])
/** Nor does a message that names no group, which says of a product what has changed. */
const saysByFile = ({ context, source }: BronzeRecord) =>
  !isTopicSource(source) && (context > 0 || !saysNoKind.has(source))

const saysKind = (record: BronzeRecord): boolean =>
  record.op === 'put' && (record.create === true || record.regroups === true || saysByFile(record))

/** The word of a layer after a record of its source; a repeat leaves the place where it was first said. */
export function wordAfter(
  former: Layer | undefined,
  record: BronzeRecord,
  { epoch, offset }: Position,
): FamilyWord | undefined {
  if (!saysKind(record)) return former?.says
  const { kind, family = null } = record
  if (kind === 'single' && record.regroups !== true) return undefined
  const known = former?.says
  const made = kind === 'parent' && record.rows.length === 0
  if (known?.kind !== kind || known.family !== family)
    return { kind, family, epoch, offset, ...(made && { told: 'made' }) }
  return known.told === 'apart' || made === (known.told === 'made') ? known : { ...known, told: 'apart' }
}

/**
 * @param former the layer of the record's source as it was
 * @param layers all layers, with what the record made of it
 */
export function kindAfter(
  state: Layers,
  record: BronzeRecord,
  former: Layer | undefined,
  layers: readonly Layer[],
): Pick<Layers, 'kind' | 'family'> {
  // Listed by it for the first time, or again, a product is what all others say of it.
  const lists = record.op === 'put' && isTopicSource(record.source) && former?.live !== true
  const decides = lists || saysKind(record)
  if (!decides && record.op !== 'withdraw') return state
  let word: FamilyWord | undefined
  for (const { live, says } of layers)
    if (live && says !== undefined && (word === undefined || isLater(says, word))) word = says
  if (word !== undefined) return { kind: word.kind, family: word.family }
  if (decides) return { kind: record.kind, family: record.family ?? null }
  // The last that knew of the family is gone; a product that nobody lists any more stays what it was.
  const alone = former?.live === true && former.says !== undefined && layers.some(speaks)
  return alone ? { kind: 'single', family: null } : state
}

const speaks = ({ live, created, source }: Layer) => live && (created || !saysNoKind.has(source))
const isLater = (a: FamilyWord, b: FamilyWord) => (a.epoch === b.epoch ? a.offset > b.offset : a.epoch > b.epoch)
