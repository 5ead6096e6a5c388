/** What a workspace changes of a platform's profile to make one of its own: rules that are data, and no formulas. */
import { z } from 'zod'

/** As it may stand in a header and as an element. A letter first: what begins with `_` is Assay's own. */
const fieldName = z
  .string()
  .regex(/^[A-Za-z][A-Za-z0-9_.-]{0,63}$/, 'is a name of up to 64 letters, digits, _, - and ., with a letter first')
  .refine((name) => !(name in {}), 'is a name that every object has; choose another')

/** Of a platform too: there `id` and `image_link` are, but also `g:id` could be. */
const known = z.string().min(1).max(64)
const text = z.string().min(1).max(5_000)
const words = z.array(z.string().max(5_000)).min(1).max(1_000)

export const ownRule = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('rename'), field: known, to: fieldName }),
  z.strictObject({ kind: z.literal('constant'), field: fieldName, value: text }),
  z.strictObject({ kind: z.literal('template'), field: fieldName, text }),
  z.strictObject({
    kind: z.literal('condition'),
    field: known,
    /** Exactly one of these. */
    has: z.boolean().optional(),
    is: words.optional(),
    is_not: words.optional(),
    contains: text.optional(),
    /** `include`: what does not meet it is left out. */
    does: z.enum(['exclude', 'include', 'set']),
    set: z.strictObject({ field: fieldName, value: text }).optional(),
  }),
])
export type OwnRule = z.infer<typeof ownRule>
export type OwnCondition = Extract<OwnRule, { kind: 'condition' }>

const mostOwnRules = 100
export const ownRules = z.array(ownRule).max(mostOwnRules)

/** Of a profile of one's own: names no platform, and can stand in an address as it is. */
export const ownName = z
  .string()
  .regex(/^[a-z][a-z0-9-]{1,48}[a-z0-9]$/, 'has 3 to 50 small letters, digits and -, with a letter first')

export interface OwnProfile {
  readonly name: string
  readonly version: number
  readonly platform: string
  readonly platformVersion: number
  readonly rules: readonly OwnRule[]
}
