/** Values that a JSON schema allows, and values that come from those by one change, for requests made from the API document. */
import fc from 'fast-check'
import type { z } from 'zod'

type Schema = z.core.JSONSchema.JSONSchema

/** Texts that have broken servers before. */
const hardTexts = [
  '',
  ' ',
  '\u0000',
  'a\u0000b',
  '\ud800',
  '\u202e',
  '😀'.repeat(300),
  'x'.repeat(6_000),
  '__proto__',
  '%00',
  "'; --",
  '-1',
  'null',
  '1e400',
]
const hardNumbers = [0, -0, -1, 0.1, 1e21, -1e308, Number.MAX_SAFE_INTEGER, 2 ** 53, 1e15, 5e-324]

/** Whatever JSON can say. */
export const anyJson: fc.Arbitrary<unknown> = fc.oneof(
  fc.constantFrom<unknown>(null, true, false, [], {}, [[]], { constructor: 1 }),
  fc.constantFrom<unknown>(...hardTexts),
  fc.constantFrom<unknown>(...hardNumbers),
  fc.jsonValue({ maxDepth: 2 }),
)

export function valueFor(schema: Schema | boolean | undefined): fc.Arbitrary<unknown> {
  if (schema === undefined || typeof schema === 'boolean') return anyJson
  const either = schema.anyOf ?? schema.oneOf
  if (either) return fc.oneof(...either.map((one) => valueFor(one as Schema)))
  if (schema.const !== undefined) return fc.constant(schema.const)
  if (schema.enum) return fc.constantFrom(...schema.enum)
  switch (schema.type) {
    case 'string':
      return textOf(schema)
    case 'integer':
      return fc.integer({ min: Math.max(schema.minimum ?? -1e9, -1e9), max: Math.min(schema.maximum ?? 1e9, 1e9) })
    case 'number':
      return fc.double({ min: schema.minimum ?? -1e15, max: schema.maximum ?? 1e15, noNaN: true })
    case 'boolean':
      return fc.boolean()
    case 'null':
      return fc.constant(null)
    case 'array':
      return fc.array(valueFor(schema.items as Schema), { minLength: schema.minItems ?? 0, maxLength: 3 })
    case 'object':
      return objectOf(schema)
    default:
      return anyJson
  }
}

function textOf({ format, pattern, minLength = 0, maxLength = 40 }: Schema): fc.Arbitrary<string> {
  if (format === 'uuid') return fc.uuid()
  if (format === 'date-time') return fc.date({ noInvalidDate: true }).map((date) => date.toISOString())
  if (format === 'email') return fc.emailAddress()
  // It cannot make what looks ahead; a plain text is then a step off.
  if (pattern !== undefined && !/\(\?<?[=!]/.test(pattern)) return textMatching(pattern)
  return fc.string({ unit: 'binary', minLength, maxLength: Math.max(minLength, Math.min(maxLength, 40)) })
}

const matching = new Map<string, fc.Arbitrary<string>>()

/** The document has few patterns many times over, and to take one apart costs milliseconds. */
function textMatching(pattern: string): fc.Arbitrary<string> {
  const made = matching.get(pattern) ?? fc.stringMatching(new RegExp(pattern))
  matching.set(pattern, made)
  return made
}

function objectOf({ properties = {}, required = [], minProperties = 0 }: Schema): fc.Arbitrary<object> {
  const fields = Object.fromEntries(Object.entries(properties).map(([name, one]) => [name, valueFor(one as Schema)]))
  return fc
    .record(fields, { requiredKeys: required.filter((name) => Object.hasOwn(fields, name)) })
    .filter((made) => Object.keys(made).length >= minProperties)
}

/** One field is another's, is gone, is more than there should be; or the whole is something else. */
export function spoiled(value: fc.Arbitrary<unknown>): fc.Arbitrary<unknown> {
  return fc
    .tuple(value, fc.nat(), anyJson, fc.constantFrom('replace', 'remove', 'add', 'whole'))
    .map(([whole, n, other, how]) => {
      if (how === 'whole' || typeof whole !== 'object' || whole === null || Array.isArray(whole)) return other
      const names = Object.keys(whole)
      const name = names[n % (names.length || 1)] ?? 'more'
      const { [name]: _, ...rest } = whole as Record<string, unknown>
      if (how === 'remove') return rest
      return how === 'add' ? { ...whole, unheard_of: other } : { ...rest, [name]: other }
    })
}

export const hardText = fc.oneof(fc.constantFrom(...hardTexts), fc.string({ unit: 'binary', maxLength: 40 }))
