/** Makes a platform's profile from its fields: rules, columns, schema and line. */
import type { FeedField } from './feed-field.ts'
import { lineOf } from './line-of.ts'
import type { FeedProfile, PlatformRule } from './profile.ts'
import { schemaOf } from './schema-of.ts'

/** What stands in a platform's file; the rules are those of its fields, where it has none that were made before. */
type FeedPlatformData = Pick<FeedProfile, 'platform' | 'version' | 'from' | 'aliases' | 'native' | 'table' | 'xml'> & {
  readonly fields: readonly FeedField[]
  readonly rules?: readonly PlatformRule[]
  /** Beside those of fields. */
  readonly alsoAsked?: readonly PlatformRule[]
}

/** @param within before the names of attributes that stand inside another, as in `variants.` */
export const rulesOf = (fields: readonly FeedField[], within = ''): readonly PlatformRule[] =>
  fields.flatMap(({ name, source, refusals = [] }) =>
    refusals.map((refusal) => ({ field: within + name, source, ...refusal })),
  )

export function profileOf({ fields, rules, alsoAsked = [], ...rest }: FeedPlatformData): FeedProfile {
  return {
    ...rest,
    rules: rules ?? [...rulesOf(fields), ...alsoAsked],
    columns: fields.map(({ name }) => name),
    schema: schemaOf(fields),
    line: lineOf(fields),
  }
}
