/** The workspace's mapping of one source's columns: what is set for all sources, under what is set for this one. */
import type { SilverSettings } from '../../schemas/pipeline.ts'
import { type Field, fields } from '../../schemas/product.ts'

/** The reason of a mapping that somebody saved. */
export const setInSettings = "set in the workspace's settings"

export type ColumnMapping = Readonly<Record<string, Field>>

const none: ColumnMapping = Object.freeze({})
const known = new WeakMap<object, Map<string, ColumnMapping>>()

/** The same object for the same settings and source, so that what is made of it can be kept. */
export function mappingOf(settings: Pick<SilverSettings, 'mappings' | 'everySource'>, source: string): ColumnMapping {
  const own = Object.hasOwn(settings.mappings, source) ? settings.mappings[source] : undefined
  const every = settings.everySource
  if (every === undefined) return own ?? none
  if (own === undefined) return every
  const bySource = known.get(settings) ?? new Map<string, ColumnMapping>()
  known.set(settings, bySource)
  let both = bySource.get(source)
  if (both === undefined) {
    both = { ...withoutTargets(every, own), ...own }
    bySource.set(source, both)
  }
  return both
}

/** All but a list are taken from other columns by the mapping that was chosen more closely (KF-05). */
export function withoutTargets(mapping: ColumnMapping, closer: ColumnMapping): ColumnMapping {
  const taken = new Set(Object.values(closer).filter((field) => fields[field] !== 'list'))
  return Object.fromEntries(Object.entries(mapping).filter(([, field]) => !taken.has(field)))
}
