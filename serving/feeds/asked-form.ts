/** The form in which a feed is asked for: by \`format\`, else by \`Accept\`; the platform's own where neither prefers another. */
import { type FeedFormat, feedFormats } from '../../schemas/feeds/feed-formats.ts'
import type { FeedForm } from '../../schemas/feeds/profile.ts'

export const formTypes = {
  csv: ['text/csv'],
  tsv: ['text/tab-separated-values'],
  xml: ['application/xml', 'text/xml', 'application/rss+xml'],
  ndjson: ['application/x-ndjson', 'application/ndjson', 'application/jsonl'],
  parquet: ['application/vnd.apache.parquet'],
  arrow: ['application/vnd.apache.arrow.stream'],
} as const satisfies Record<FeedFormat, readonly string[]>

/** @returns null where nothing that is asked for can be given */
export function askedForm(
  format: FeedFormat | undefined,
  accept: string | undefined,
  native: FeedForm,
): FeedFormat | null {
  if (format !== undefined) return format
  if (accept === undefined || accept.trim() === '') return native
  const ranges = accept.split(',').map((range) => {
    const [type = '', ...more] = range.split(';').map((part) => part.trim().toLowerCase())
    const weight = Number(more.find((one) => one.startsWith('q='))?.slice(2) ?? 1)
    return { type, weight: Number.isNaN(weight) ? 0 : weight }
  })
  // What is named weighs more than what a wildcard takes in: that is for who has no other wish.
  const weightOf = (form: FeedFormat): readonly [number, number] => {
    const types: readonly string[] = formTypes[form]
    const named = ranges.filter(({ type }) => types.includes(type))
    if (named.length > 0) return [Math.max(...named.map(({ weight }) => weight)), 1]
    const wide = ranges.filter(({ type }) => type === '*/*' || types.some((one) => type === `${one.split('/')[0]}/*`))
    return [Math.max(0, ...wide.map(({ weight }) => weight)), form === native ? 0.5 : 0]
  }
  const [best] = feedFormats
    .map((form) => ({ form, weight: weightOf(form) }))
    .filter(({ weight }) => weight[0] > 0)
    .sort((a, b) => b.weight[0] - a.weight[0] || b.weight[1] - a.weight[1])
  return best?.form ?? null
}
