/** The format in which an answer is asked for: by `format`, else by `Accept`; JSON where neither names a file. */
import { type TableFormat, tableFormatNames, tableFormats } from '../../schemas/table.ts'

const media = new Map(tableFormatNames.map((name) => [tableFormats[name].split(';')[0], name]))

/** @returns null for JSON, which is also for who takes anything */
export function askedFormat(format: TableFormat | undefined, accept = ''): TableFormat | null {
  if (format !== undefined) return format
  const ranges = accept.split(',').map((range) => {
    const [type = '', ...more] = range.split(';').map((part) => part.trim().toLowerCase())
    const weight = Number(more.find((one) => one.startsWith('q='))?.slice(2) ?? 1)
    return { type, weight: Number.isNaN(weight) ? 0 : weight }
  })
  const known = ranges
    .filter(({ type, weight }) => weight > 0 && (media.has(type) || /^(application\/(json|\*)|\*\/\*)$/.test(type)))
    .toSorted((a, b) => b.weight - a.weight)
  return media.get(known[0]?.type ?? '') ?? null
}
