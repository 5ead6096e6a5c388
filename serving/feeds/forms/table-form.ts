/** Writes the lines of a feed as a table: RFC 4180 with commas, or tabs with the same quotes. */
import type { FeedProfile, FeedSettings } from '../../../schemas/feeds/profile.ts'
import type { WrittenForm } from './feed-form.ts'
import { type LineRows, pageRows } from './page-rows.ts'
import { plainTable } from './plain-table.ts'

const kinds = {
  csv: { separator: ',', ends: '\r\n', contentType: 'text/csv; charset=utf-8', special: /[",\r\n]/ },
  tsv: { separator: '\t', ends: '\n', contentType: 'text/tab-separated-values; charset=utf-8', special: /["\t\r\n]/ },
} as const

const space = /\s/
/** Between these bounds no sign is a space. */
const isSpace = (text: string, at: number) => {
  const unit = text.charCodeAt(at)
  return (unit <= 32 || unit >= 0xa0) && space.test(text.charAt(at))
}
const hasOuterSpace = (text: string) => text !== '' && (isSpace(text, 0) || isSpace(text, text.length - 1))

const quoted = (text: string) => `"${text.replaceAll('"', '""')}"`

/** No formula guard: a feed is read by its platform, and its titles are the products' own (KF-25). */
export function tableForm(
  { columns, table }: Pick<FeedProfile, 'columns' | 'table'>,
  form: 'csv' | 'tsv',
  { listsInOneColumn }: FeedSettings,
): WrittenForm {
  const { separator, ends, contentType, special } = kinds[form]
  const { listSeparator, unquoted } = table
  const repeated = new Map(Object.entries((!listsInOneColumn && table.repeated) || {}))
  const listed = new RegExp(`[" ${listSeparator}]`)
  const ofList = (values: readonly unknown[]) =>
    values.map((value) => (listed.test(String(value)) ? quoted(String(value)) : String(value))).join(listSeparator)

  const written = (text: string) => (unquoted && form === 'tsv' ? text.replace(/[\t\r\n]+/g, ' ') : quoted(text))
  const escaped = (text: string) => (special.test(text) || hasOuterSpace(text) ? written(text) : text)

  function cell(value: unknown): string {
    if (value === undefined || value === null) return ''
    if (typeof value === 'string') return escaped(value)
    if (typeof value !== 'object') return String(value)
    if (Array.isArray(value) && value.every((one) => typeof one !== 'object')) return escaped(ofList(value))
    return escaped(JSON.stringify(value))
  }

  /** As many cells as the list has columns. */
  function cells(value: unknown, count: number): string {
    const values = Array.isArray(value) ? value : []
    let text = cell(values[0])
    for (let n = 1; n < count; n++) text += separator + cell(values[n])
    return text
  }

  const places = columns.map((name) => ({ name, count: repeated.get(name) ?? 0 }))
  const header = places.flatMap(({ name, count }) => new Array<string>(Math.max(count, 1)).fill(escaped(name)))

  const rows: LineRows = {
    row(line) {
      let text = ''
      for (const { name, count } of places) {
        const value = line[name]
        text += separator + (count > 0 ? cells(value, count) : cell(value))
      }
      return text.slice(1) + ends
    },
    plainRow: plainTable({
      ...{ columns: places, separator, ends, between: listSeparator, quotes: !(unquoted && form === 'tsv') },
      listed: (values) => escaped(ofList(values)),
    }),
  }

  return {
    contentType,
    extension: (form === 'tsv' ? table.extension : undefined) ?? form,
    head: () => header.join(separator) + ends,
    row: rows.row,
    rows: pageRows(rows),
    tail: () => '',
  }
}
