/** What a platform's line must look like, made from the same fields as the line. */
import type { FeedField } from './feed-field.ts'
import { objectShape, type Shape } from './shapes.ts'

export function schemaOf(fields: readonly FeedField[]): Shape {
  const always = fields.filter(({ need }) => need === 'always').map(({ name }) => name)
  const where = fields.flatMap(({ name, need }) => {
    if (need === undefined || need === 'always') return []
    const holds = { properties: { [need.where]: { enum: need.is } }, required: [need.where] }
    return [{ anyOf: [{ not: holds }, { required: [name] }] }]
  })
  const shapes = Object.fromEntries(fields.map(({ name, shape }) => [name, shape]))
  return { ...objectShape(shapes, always), ...(where.length > 0 && { allOf: where }) }
}
