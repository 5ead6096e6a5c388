/** A workspace's pipeline settings as a whole: what silver needs, what runs unasked, and the defaults of everything. */
import type { SilverSettings } from './pipeline.ts'
import type { Weights } from './score.ts'

export interface PipelineSettings extends Required<Omit<SilverSettings, 'taxonomy'>>, Pick<SilverSettings, 'taxonomy'> {
  /** What a new catalog does that does not say it. */
  readonly autoPublish: 'off' | 'after_gold'
  /** The share of a catalog that an import may change unasked, 0 to 1; see `guardFloor`. */
  readonly guardShare: number
  /** Whether hosts are asked for a catalog's images once an import of it is completed. */
  readonly checkImages: 'off' | 'after_import'
}

/** All that a product is refined and scored under. */
export interface ShadowSettings {
  readonly settings: Omit<PipelineSettings, 'number'>
  readonly weights: Weights
}

/** What a workspace has that never set anything. */
export const defaultSettings: Omit<PipelineSettings, 'number'> = {
  mappings: {},
  everySource: {},
  currency: null,
  decimal: null,
  linkTemplate: null,
  condition: null,
  categories: {},
  autoSilver: true,
  autoGold: true,
  locale: 'en',
  timeZone: 'UTC',
  autoPublish: 'off',
  guardShare: 0.3,
  checkImages: 'off',
}

/**
 * Products that a share says something of: an import that changes and removes fewer is not held for its share, since one of three
 * products is an edit and no accident. A share of 0 asks about every change, and a snapshot that leaves a source nothing is always asked
 * about: that is what the guard is for.
 */
export const guardFloor = 4

/** What silver makes of a cell depends on these; a change of the others leaves products as they are. */
export const silverKeys = [
  'mappings',
  'everySource',
  'currency',
  'decimal',
  'linkTemplate',
  'condition',
  'categories',
  'taxonomy',
  'locale',
  'timeZone',
] as const satisfies readonly (keyof SilverSettings)[]
