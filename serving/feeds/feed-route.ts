/** What the two routes of a feed ask and say alike: query, forms, errors and their words. */
import type { FastifyContextConfig } from 'fastify'
import { z } from 'zod'
import type { ErrorCode } from '../../schemas/errors.ts'
import { feedFormats } from '../../schemas/feeds/feed-formats.ts'
import { catalogId } from '../../schemas/ids.ts'
import { foldText } from '../../transforms/silver/fold-text.ts'
import '../openapi/route-schema.ts'

export const tags = ['Feeds']

export const feedRoute = {
  ...{ action: 'mcp:feed:read', channel: 'feed', long: true, stripsSearch: true, keptPlaces: true },
} as const satisfies FastifyContextConfig

// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is stripped
const control = /[\u0000-\u001f\u007f-\u009f]/g

const flag = z.enum(['0', '1']).transform((text) => text === '1')

const query = z.object({
  catalog_id: catalogId.optional(),
  q: z
    .string()
    .transform((text) => text.replace(control, ''))
    .refine((text) => [...text].length <= 500, 'q may have at most 500 characters')
    .refine(
      (text) => text.trim() === '' || foldText(text) !== '',
      'q has no word that can be seen; without q the feed is whole',
    )
    .optional(),
  format: z.enum(feedFormats).optional(),
  positions: flag.optional(),
  after: z.string().max(100).optional(),
  follow: flag.optional(),
})

/** Attribute names are the platform's. */
const line = z.record(z.string(), z.unknown())
const exampleLine = { id: 'MUG-1', title: 'Enamel mug', price: '12.50 EUR', availability: 'in_stock' }
const text = z.string()
const bytes = z.string().meta({ format: 'binary' })

const description = [
  'In the platform\u2019s native form, or in another by `format` or `Accept`. All lines are of one published version, `X-Catalog-Version`; products that the platform refuses are left out, and told by the feed\u2019s validation.',
  "Each line of NDJSON is a product in the platform's own attributes. Where reading breaks off, a last line is `{ error, code: 'STREAM_ERROR' }`; the other forms end without their end. Parquet and Arrow have the platform’s columns as text, a list in one of them.",
  'With `positions=1` (NDJSON) each line has `_position` and `_product` before its attributes, and a last line `_trailer` has the count of lines, the position behind them and the SHA-256 of all bytes before it. `after` with a position goes on behind it: through the rest of its version, and then through what changed since, where a product that went is a line with `_removed`. `follow=1` stays open, sends what changes as it is published, and now and then a line `_heartbeat`. Keep products by `_product`.',
  '410: what a position goes on from is no longer kept; read the feed anew.',
].join('\n\n')

export const feedSchema = {
  description,
  tags,
  errors: [
    ...(['FEED_001', 'FEED_002', 'FEED_003', 'DATA_002'] satisfies ErrorCode[]),
    ...[406, 410].map((status) => ({
      code: status === 410 ? ('NOT_FOUND' as const) : ('BAD_REQUEST' as const),
      status,
    })),
  ],
  examples: { query: { q: 'mug' } },
  params: z.object({ platform: z.string().max(50) }),
  querystring: query,
  answers: {
    200: [
      { type: 'application/x-ndjson', schema: line, example: exampleLine },
      { type: 'text/csv', schema: text, example: 'id,title\r\nMUG-1,Enamel mug\r\n' },
      { type: 'text/tab-separated-values', schema: text },
      { type: 'application/xml', schema: text },
      { type: 'application/vnd.apache.parquet', schema: bytes },
      { type: 'application/vnd.apache.arrow.stream', schema: bytes },
    ],
    304: [],
  },
}
