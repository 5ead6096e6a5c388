/** What people ask of a catalog most, as prompts that name the tools to use. */
import { z } from 'zod'

export interface Prompt {
  readonly name: string
  readonly title: string
  readonly description: string
  readonly arguments: readonly { readonly name: string; readonly description: string; readonly required: boolean }[]
  readonly input: z.ZodType<Readonly<Record<string, string | undefined>>>
  /** What the client must be asked first, in the protocol's form; prompts of ours ask nothing. @param protocol as of a tool */
  asks?(protocol: unknown): object | null
  /** Messages of the user. */
  messages(args: Readonly<Record<string, string | undefined>>): readonly object[]
}

const said = (text: string) => [{ role: 'user', content: { type: 'text', text } }]

const improve: Prompt = {
  name: 'improve_catalog',
  title: 'Improve this catalog',
  description: 'Finds the dearest gaps of a catalog and mends what can be mended from its own facts',
  arguments: [{ name: 'catalog_id', description: 'Default: the brand’s default catalog', required: false }],
  input: z.strictObject({ catalog_id: z.string().max(100).optional() }),
  messages: ({ catalog_id }) =>
    said(
      [
        `Improve ${catalog_id === undefined ? 'the default catalog' : `the catalog ${catalog_id}`}.`,
        'Ask list_gaps what costs most, and say what each gap costs and what only the merchant can give (such as GTINs and images).',
        'For products whose title or description can be better, show previews by optimize_product or batch_optimize with apply false, with scores before and after. Write nothing that the product does not say of itself.',
        'Put in force what I agree to, with apply true, and tell what the catalog gained.',
      ].join('\n'),
    ),
}

const notReady: Prompt = {
  name: 'why_not_feed_ready',
  title: 'Why is this product not feed-ready',
  description: 'Says what keeps a product out of a feed, and what would let it in',
  arguments: [{ name: 'product_id', description: 'Id or SKU', required: true }],
  input: z.strictObject({ product_id: z.string().min(1).max(200) }),
  messages: ({ product_id }) =>
    said(
      [
        `Why is the product ${product_id} not feed-ready?`,
        'Ask explain_score; name each platform that refuses it with the reason, then the rules that cost most points.',
        'Say for each what would mend it, and which of them optimize_product can mend from the product’s own facts.',
      ].join('\n'),
    ),
}

export const prompts: readonly Prompt[] = [improve, notReady]
