/** Makes column names of a file's first record, and one list column of names that stand there several times. */
import { columnName } from '../../transforms/silver/column-name.ts'
import { TableError } from '../table-error.ts'
import { isBlank } from './blank.ts'

export interface Header {
  readonly names: readonly string[]
  /** For each name, the cells of a record that are its own, by index; several make a list. */
  readonly places: readonly (readonly number[])[]
  /** Cells that a whole record has. */
  readonly width: number
}

/** Names are one where only case and blanks tell them apart: nobody means two columns by them. */
export const headerKey = (name: string) => columnName(name).normalize('NFC').replace(innerSpace, ' ').toLowerCase()

const innerSpace = /[\p{White_Space}\ufeff]+/gu

/** What a spreadsheet shows for a formula that failed, in its language: no name (`#NOME?`). */
const failedFormula = /^#(N\/A|[\p{L}\d/¿]+[!?])$/u

/** Folded names whose repetition is a list by custom. */
const listNames = new Set([
  'image',
  'images',
  'image url',
  'image urls',
  'image link',
  'image links',
  'additional image link',
  'additional image links',
  'category',
  'categories',
])

export const isListName = (name: string) => listNames.has(name.toLowerCase().replace(/[\s_-]+/gu, ' '))

/** Meta's files may begin with records of remarks, each cell `# …`, and Excel's with its delimiter; the header follows. */
export const isRemark = (cells: readonly string[]) => cells.every((cell) => isBlank(cell) || remark.test(cell))
const remark = /^[\s\ufeff]*(# |sep=.?$)/i

/**
 * A repeated name is a list where its target takes one, all cells in order; anything else is refused, since keeping one column would lose
 * the others without a word (KF-05).
 * @throws TableError `repeated_header`
 */
export function foldHeader(names: readonly string[], isList: (name: string) => boolean): Header {
  const trimmed = names.map(columnName).map((name) => (failedFormula.test(name) ? '' : name))
  const width = trimmed.findLastIndex((name) => name !== '') + 1
  const columns = trimmed.slice(0, width).map((name, i) => name || `column ${i + 1}`)
  const places = new Map<string, number[]>()
  for (const [i, column] of columns.entries()) {
    const key = headerKey(column)
    const own = places.get(key)
    if (own) own.push(i)
    else places.set(key, [i])
  }
  for (const own of places.values()) {
    const spellings = own.map((i) => columns[i] ?? '')
    if (own.length > 1 && !isList(spellings[0] ?? ''))
      throw repeatedHeader(spellings, `columns ${own.map((i) => i + 1).join(', ')}`)
  }
  return { names: [...places.values()].map(([first = 0]) => columns[first] ?? ''), places: [...places.values()], width }
}

/** @param spellings as the columns have the name, at least two */
export function repeatedHeader(spellings: readonly string[], where: string): TableError {
  const [name = '', ...others] = [...new Set(spellings)].map((one) => JSON.stringify(one))
  const says =
    others.length === 0
      ? `The header ${name} stands in ${where}`
      : `The headers ${[name, ...others].join(' and ')} (${where}) differ only in case or blanks`
  return new TableError('repeated_header', `${says}; give each column its own name, or remove all but one`)
}
