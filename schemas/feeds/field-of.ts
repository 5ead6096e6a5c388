/** Makes an attribute from data: its name, where its value comes from, and the limits, words and needs that the platform states. */
import type { FeedField } from './feed-field.ts'
import { type FieldData, fieldValues } from './field-values.ts'

/** @param platform as people write it */
export const fieldsOf = (platform: string, data: readonly FieldData[]): readonly FeedField[] =>
  data.map((one) => {
    const value = typeof one.from === 'string' ? fieldValues[one.from](one, platform) : one.from
    return { ...value, name: one.name, source: one.source, ...(one.need && { need: 'always' as const }) }
  })
