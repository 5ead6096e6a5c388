/** What tenants write to a topic of their own: its name, its headers, and the record, whose versions only ever gain optional members. */
import { z } from 'zod'

const prefix = 'inbound.'
const topicForm = /^inbound\.(ws_[a-z0-9]+)$/

/** Who may write to it is the broker's to say: the workspace is the topic's, whatever a message says. */
export const inboundTopic = (workspace: string) => `${prefix}${workspace}`

/** null: no topic of tenants. */
export const workspaceOfTopic = (topic: string): string | null => topicForm.exec(topic)?.[1] ?? null

/** What sources of tenants' topics are called: apart from edits, files and all else that Assay itself names a source. */
export const topicSource = (name: string) => `${topicPrefix}${name}`
export const isTopicSource = (source: string) => source.startsWith(topicPrefix)
const topicPrefix = 'topic:'

/** Of a message's value. A product with a description of a hundred pages has a third of it. */
export const largestMessageBytes = 1024 * 1024

export const inboundHeaders = {
  'assay-catalog': 'Id of the catalog; without it the default catalog of the brand main',
  'assay-source':
    'Who says so, as one of several sources of a catalog: letters, digits, space and . _ - (100 at most); without it "inbound"',
  'assay-workspace': 'May be left out; a message that names another workspace than its topic is put aside',
} as const
export type InboundHeader = keyof typeof inboundHeaders

/** Blank and null say nothing and change nothing; `__CLEAR__` clears. */
const cell = z.union([z.string(), z.number(), z.boolean(), z.null(), z.array(z.string())])

/** Names of columns that Assay gives a meaning of its own. */
const reserved = /^assay[:_]/

export const inboundRecord = z
  .object({
    v: z.literal(1).describe('Version of this format'),
    op: z
      .enum(['put', 'withdraw'])
      .optional()
      .describe('put, unless said; withdraw: the source no longer has the product'),
    product: z
      .record(z.string().min(1).max(200), cell)
      .describe(
        'One product, by field names of Assay (sku, gtin, title, price …) or column names that the workspace maps. Numbers as numbers, or as texts with a decimal point. What is left out stays as it was.',
      ),
  })
  .refine(({ product }) => !Object.keys(product).some((name) => reserved.test(name)), {
    error: 'names that begin with assay: or assay_ are reserved',
    path: ['product'],
  })
  .meta({
    title: 'Inbound record, version 1',
    description:
      'The value of a message on an inbound topic, as JSON in UTF-8, one mebibyte at most. Members that are not known are ignored. The key of the message is what the source calls the product, where the product has no source_id; a message with a key and no value withdraws that product.',
  })

export const inboundJsonSchema = z.toJSONSchema(inboundRecord, { io: 'input' })
