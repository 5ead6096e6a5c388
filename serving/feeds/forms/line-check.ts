/** Checks lines against their profile's schema, compiled once: what a platform would find missing, too long or of another form. */
import { Ajv } from 'ajv'
import type { FeedProfile } from '../../../schemas/feeds/profile.ts'
import type { Shape } from '../../../schemas/feeds/shapes.ts'

export interface LineFault {
  /** The attribute; for one inside another, its path, as in `variants/0/price`. */
  readonly field: string
  /** What the schema asks, as in `must NOT have more than 150 characters`. */
  readonly asks: string
}

const ajv = new Ajv({ allErrors: true, strictRequired: false })
const checks = new WeakMap<FeedProfile, (line: unknown) => readonly LineFault[]>()

export function lineCheck(profile: FeedProfile): (line: unknown) => readonly LineFault[] {
  const known = checks.get(profile)
  if (known) return known
  const validate = ajv.compile(profile.schema)
  const check = (line: unknown): readonly LineFault[] => {
    if (validate(line)) return []
    return (validate.errors ?? []).map(({ instancePath, params, message = 'must be as the schema has it' }) => {
      const inside = params.missingProperty ?? params.additionalProperty
      const path = [instancePath.slice(1), inside].filter(Boolean).join('/')
      return { field: path, asks: message }
    })
  }
  // It is kept here, and goes with its profile.
  ajv.removeSchema(profile.schema)
  checks.set(profile, check)
  return check
}

/** What a value would have to be, where it is not as its shape has it. */
export function valueFault(shape: Shape, value: unknown): string | null {
  const validate = ajv.compile(shape)
  if (validate(value)) return null
  const [first] = validate.errors ?? []
  const words = first?.keyword === 'enum' ? `: ${(first.params.allowedValues as string[]).join(', ')}` : ''
  return `${first?.message ?? 'must be as the schema has it'}${words}`
}
