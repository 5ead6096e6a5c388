/** What AI writes by for a brand: its voice, words, policies and looks, as interface.md has them; bounds that it does not name are ours. */
import { z } from 'zod'

const prose = z.string().max(5_000)
/** A word or a short phrase. */
const keyword = z.string().trim().min(1).max(100)
const keywords = z.array(keyword).max(200)
const hexColor = z
  .string()
  .regex(/^#([0-9a-fA-F]{3}|[0-9a-fA-F]{6})$/, 'a colour is # and three or six hexadecimal digits')
const aiTier = z.enum(['economic', 'balanced', 'high'])

export const aiSpec = z.strictObject({
  tone_of_voice: prose.optional(),
  brand_objective: prose.optional(),
  target_audience: prose.optional(),
  content_policies: prose.optional(),
  language_preferences: prose.optional(),
  keywords_always: keywords.default([]),
  keywords_never: keywords.default([]),
  custom_instructions: prose.optional(),
  visual_style: z.string().max(50).optional(),
  color_palette: z.array(hexColor).max(10).default([]),
  default_ai_tier: aiTier.nullable().default(null),
})
export type AiSpec = z.infer<typeof aiSpec>

/** Of a brand that never had one. */
export const noAiSpec: AiSpec = aiSpec.parse({})

/** @returns the first keyword that is asked for and forbidden at once, whatever its case */
export function contradiction({ keywords_always, keywords_never }: AiSpec): string | null {
  const never = new Set(keywords_never.map((word) => word.normalize('NFC').toLowerCase()))
  return keywords_always.find((word) => never.has(word.normalize('NFC').toLowerCase())) ?? null
}
