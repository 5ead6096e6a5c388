/** The line of a feed as a row of texts, one a column: what a cell of the platform's table says, without the quotes of a table. */
import type { FeedProfile } from './profile.ts'

const quoted = (text: string) => `"${text.replaceAll('"', '""')}"`

/** @returns of what a line does not have, an empty text; a list stands in one column, also where a table of the platform has several */
export function textCells({
  columns,
  table: { listSeparator },
}: Pick<FeedProfile, 'columns' | 'table'>): (line: Readonly<Record<string, unknown>>) => readonly string[] {
  const inList = new RegExp(`[" ${listSeparator}]`)
  const listed = (value: unknown) => (inList.test(String(value)) ? quoted(String(value)) : String(value))
  const cell = (value: unknown): string => {
    if (value === undefined || value === null) return ''
    if (typeof value !== 'object') return String(value)
    if (Array.isArray(value) && value.every((one) => typeof one !== 'object'))
      return value.map(listed).join(listSeparator)
    return JSON.stringify(value)
  }
  return (line) => columns.map((name) => cell(line[name]))
}
