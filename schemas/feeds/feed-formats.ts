/** The formats in which a feed can be had: the forms that profiles write line by line, and the two that analysts' tools read by column. */
import { type FeedForm, feedForms } from './profile.ts'

export const columnarFormats = ['parquet', 'arrow'] as const
export type ColumnarFormat = (typeof columnarFormats)[number]

export const feedFormats = [...feedForms, ...columnarFormats] as const
export type FeedFormat = FeedForm | ColumnarFormat

export const isColumnar = (format: FeedFormat): format is ColumnarFormat =>
  (columnarFormats as readonly string[]).includes(format)
