/** Finds the character that separates a file's cells, by how evenly it cuts the file's records. */
import { isBlank } from './blank.ts'
import { headerIndex } from './find-header.ts'
import type { RawRow } from './record-scan.ts'
import { scanRecords } from './record-scan.ts'

export type Delimiter = ',' | ';' | '\t' | '|' | '^' | '~' | '\x1f'

export interface Dialect {
  readonly delimiter: Delimiter
  readonly quote: '"'
  /** Why, for people. */
  readonly reason: string
}

/** In order of preference where two cut equally well: a comma is the likeliest to stand in text or in a number. */
const names: Readonly<Record<Delimiter, string>> = {
  '\x1f': 'unit separator',
  '^': 'caret',
  '~': 'tilde',
  '\t': 'tab',
  ';': 'semicolon',
  '|': 'bar',
  ',': 'comma',
}
export const delimiters = Object.keys(names) as readonly Delimiter[]

interface Cut {
  readonly delimiter: Delimiter
  /** Cells of the header. */
  readonly width: number
  /** A name keeps a quote: likely a quoted name that this delimiter cuts through. */
  readonly quoted: boolean
  readonly records: number
  /** Records as wide as the header, blank surplus cells aside. */
  readonly even: number
}

/** What Excel writes into the first line, for itself. */
const hint = /^\ufeff*"?sep=([^\r\n])/i

export function detectDialect(sample: string): Dialect {
  const hinted = hint.exec(sample)?.[1] as Delimiter | undefined
  if (hinted !== undefined && delimiters.includes(hinted))
    return { delimiter: hinted, quote: '"', reason: `${names[hinted]}: the file's first line says so` }
  const cuts = delimiters.map((delimiter) => cut(sample, delimiter))
  const wide = cuts.filter(({ width }) => width > 1)
  const best = wide.length > 0 ? wide.reduce(better) : oneColumn(cuts)
  const { delimiter, width, records, even } = best
  const reason =
    width > 1
      ? `${names[delimiter]}: cuts the header into ${width} cells, and ${even} of the first ${records} records alike`
      : 'no delimiter in the header: one column'
  return { delimiter, quote: '"', reason }
}

/** The header weighs most: what does not cut it is no delimiter, and of two that cut the records evenly the one with more cells wins. */
function better(a: Cut, b: Cut): Cut {
  const weight = ({ width, quoted, records, even }: Cut) =>
    (records === 0 ? 1 : even / records) * (1 - 1 / width) * (quoted ? 0.5 : 1)
  const difference = weight(a) - weight(b) || a.width - b.width
  return difference >= 0 ? a : b
}

/** Any delimiter that no record holds will do; the comma where several do. */
function oneColumn(cuts: readonly Cut[]): Cut {
  return cuts.reduce((a, b) => (a.even > b.even ? a : b))
}

function cut(sample: string, delimiter: Delimiter): Cut {
  const all = records(sample, delimiter)
  const [header, ...body] = all.slice(headerIndex(all.map(({ cells }) => cells)))
  const width = header?.cells.findLastIndex((cell) => !isBlank(cell)) ?? 0
  const even = body.filter(({ cells }) => cells.length > width && cells.slice(width + 1).every(isBlank))
  const quoted = header?.cells.some((cell) => cell.includes('"')) ?? false
  return { delimiter, width: width + 1, quoted, records: body.length, even: even.length }
}

/**
 * Non-blank records; one that the sample may have cut off is left out while there are others, and so are the pieces of one whose quote
 * may close behind the sample: they are lines of a cell.
 */
function records(sample: string, delimiter: Delimiter): RawRow[] {
  const scan = (final: boolean) => {
    const rows: RawRow[] = []
    scanRecords(sample, { at: 0, line: 1 }, final, rows, delimiter)
    return rows.filter(({ cells }) => !cells.every(isBlank))
  }
  const whole = scan(false)
  if (whole.length > 1) return whole
  const all = scan(true)
  const torn = all.findIndex(({ fault }) => fault !== undefined)
  return torn > 0 ? all.slice(0, torn) : all
}
