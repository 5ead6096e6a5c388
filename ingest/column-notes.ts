/** What is known of each column of a file, in the file's own order: what it is taken for and why, and how its cells are written. */
import type { ImportContext } from '../schemas/pipeline.ts'

/** @returns nothing of the columns that the reader adds by itself */
export function columnNotes({
  header,
  mapping,
  numbers,
  currencies,
  dates = {},
  languages = {},
}: Pick<ImportContext, 'header' | 'mapping' | 'numbers' | 'currencies' | 'dates' | 'languages'>) {
  return header.map((name) => {
    const target = mapping[name]
    const currency = currencies[name]
    return {
      name,
      field: target?.field ?? null,
      reason: target?.reason ?? null,
      numbers: numbers[name] ?? null,
      dates: dates[name] ? { order: dates[name].order, reason: dates[name].reason } : null,
      language: languages[name] ?? null,
      currency: currency ? { code: currency.code, reason: currency.reason, guess: currency.guess === true } : null,
    }
  })
}

export type ColumnNote = ReturnType<typeof columnNotes>[number]
