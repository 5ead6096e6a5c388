/** OpenAI's fields by the names of its first table, of September 2025: those that changed in February 2026 (O-hist), the rest as today. */
import type { FeedField, FieldValue } from './feed-field.ts'
import { openaiFields } from './openai-fields.ts'
import { openaiProducts as source } from './platform-pages.ts'
import { textShape } from './shapes.ts'
import { toldApart } from './told-apart.ts'

/** Today's names, and what each was called. What tells a variant apart had pairs of fields instead of one object. */
export const firstNames: Readonly<Record<string, string>> = {
  item_id: 'id',
  url: 'link',
  image_url: 'image_link',
  additional_image_urls: 'additional_image_link',
  group_id: 'item_group_id',
  variant_dict: 'custom_variant1_option',
}

/** As many as the table had. */
const pairs = [1, 2, 3] as const

const option = (at: number, part: 0 | 1): FieldValue => ({
  shape: textShape(),
  of: (p, { itemGroupId }) => (itemGroupId === null ? null : toldApart(p)[at - 1]?.[part]),
})

const flag = (name: string, value: boolean): FeedField => ({
  ...{ name, source, need: 'always', shape: { const: value } },
  of: () => value,
})

const quantity: FeedField = {
  ...{ name: 'inventory_quantity', source, shape: { type: 'integer', minimum: 0 } },
  of: ({ quantity }) => (quantity !== null && Number.isSafeInteger(quantity) && quantity >= 0 ? quantity : null),
}

export const firstOpenaiFields: readonly FeedField[] = [
  ...openaiFields
    .filter(({ name }) => name !== 'listing_has_variations' && name !== 'variant_dict')
    .map((field) => ({ ...field, name: firstNames[field.name] ?? field.name })),
  ...pairs.flatMap((n) => [
    { name: `custom_variant${n}_category`, source, ...option(n, 0) },
    { name: `custom_variant${n}_option`, source, ...option(n, 1) },
  ]),
  quantity,
  // Who buys in the chat needs an agreement with OpenAI, which no catalog has.
  flag('enable_search', true),
  flag('enable_checkout', false),
]
