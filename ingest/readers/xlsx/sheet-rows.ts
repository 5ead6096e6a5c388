/** Reads the rows of a sheet as they come: the value of each cell as text, and of formulas their stored result. */
import { TableError } from '../../table-error.ts'
import type { RawRow } from '../aligned-rows.ts'
import { isBlank } from '../blank.ts'
import { namingPart } from './damaged-part.ts'
import { dateText } from './excel-date.ts'
import { excelText } from './excel-text.ts'
import { leaveOutEmpty } from './leave-out-empty.ts'
import { shownNumber } from './shown-number.ts'
import type { Sheet, Workbook } from './workbook.ts'
import { readXml, type XmlListener } from './xml.ts'

/** Columns that are kept, as of delimited text. */
const mostCells = 2_000

/** Characters of a row: Excel takes 32,767 in a cell, and what is longer by far is there to fill a memory. */
const longestRow = 2 ** 24

/** Characters of a formula: it is told, and is no data. */
const mostShown = 200

/** Rows without a value are left out, however many there are; a batch may be empty. */
export async function* sheetRows(
  bytes: AsyncIterable<Uint8Array>,
  workbook: Workbook,
  { name, part }: Pick<Sheet, 'name' | 'part'>,
): AsyncGenerator<RawRow[]> {
  const { listener, take, row } = rowListener(workbook)
  const what = `The sheet ${JSON.stringify(name)} (${part})`
  for await (const _ of namingPart(what, readXml(bytes, listener, leaveOutEmpty()), row)) yield take()
}

function rowListener(workbook: Workbook): { listener: XmlListener; take: () => RawRow[]; row: () => number } {
  let rows: RawRow[] = []
  let cells: string[] = []
  let failed: NonNullable<RawRow['failed']>[number][] = []
  let pointed: number[] = []
  let unkept: RawRow['unkept']
  let characters = 0
  let line = 0
  let column = -1
  let type = ''
  let style = -1
  let text = ''
  let formula = ''
  let calculated = true
  let reading: 'value' | 'formula' | null = null
  let phonetic = false

  const listener: XmlListener = {
    opens(name, attributes) {
      if (name === 'row') {
        line = lineOf(attributes.r, line)
        cells = []
        failed = []
        pointed = []
        unkept = undefined
        characters = 0
        column = -1
      } else if (name === 'c') {
        column = columnOf(attributes.r) ?? column + 1
        type = attributes.t ?? 'n'
        style = Number(attributes.s ?? -1)
        text = ''
        calculated = true
      } else if (name === 'rPh') phonetic = true
      else if (name === 'f') {
        reading = 'formula'
        formula = ''
        calculated = false
      } else {
        reading = (name === 'v' || name === 't') && !phonetic ? 'value' : null
        // Of a formula that gives an empty text Excel writes so; of others no value is empty.
        if (name === 'v' && type === 'str') calculated = true
      }
    },
    text(piece) {
      if (reading === 'formula') formula = (formula + piece).slice(0, mostShown)
      if (reading !== 'value') return
      text += piece
      refuseEndless(characters + text.length, line)
    },
    closes(name) {
      if (name === 'v' || name === 't' || name === 'f') reading = null
      else if (name === 'rPh') phonetic = false
      else if (name === 'c' && !calculated && isNoResult(text, workbook) && column < mostCells)
        failed.push([column, `=${formula}`, 'no_result'])
      else if (name === 'c' && text !== '') {
        const value = cellText(text, type, style, workbook)
        if (column >= mostCells) {
          if (!isBlank(value)) unkept ??= [column, value]
          return
        }
        while (cells.length < column) cells.push('')
        if (type === 'e') failed.push([column, text, 'spreadsheet_error'])
        else if (type === 's' && value === '' && textAt(text, workbook) === undefined)
          failed.push([column, text, 'missing_text'])
        else if (type === 'n' && isPointed(value)) pointed.push(column)
        cells[column] = value
        characters += value.length
        refuseEndless(characters, line)
      } else if (name === 'row' && (failed.length > 0 || unkept !== undefined || !cells.every(isBlank)))
        rows.push({
          line,
          cells,
          ...(pointed.length > 0 ? { pointed } : {}),
          ...(failed.length > 0 ? { failed } : {}),
          ...(unkept === undefined ? {} : { unkept }),
        })
    },
  }
  return {
    listener,
    row: () => line,
    take() {
      const taken = rows
      rows = []
      return taken
    },
  }
}

const isNoResult = (text: string, { uncalculated }: Workbook) => text === '' || (uncalculated && text.trim() === '0')

function refuseEndless(characters: number, line: number) {
  if (characters > longestRow)
    throw new TableError(
      'too_large',
      `Row ${line} of the sheet has more than ${longestRow} characters; shorten its texts`,
    )
}

/** A row whose number is none, or is not behind the last one's, is the next: by its number it would be taken for the header, or lost. */
function lineOf(given: string | undefined, last: number): number {
  const line = Number(given)
  return Number.isSafeInteger(line) && line > last ? line : last + 1
}

/** Index from 0 of a place such as `AB12`. */
function columnOf(place: string | undefined): number | null {
  if (place === undefined) return null
  let index = 0
  for (let at = 0; at < place.length; at++) {
    // Of either case.
    const letter = (place.charCodeAt(at) | 0x20) - 0x60
    if (letter < 1 || letter > 26) break
    index = index * 26 + letter
  }
  return index > 0 ? index - 1 : null
}

const textAt = (index: string, { shared }: Workbook) => (/^\d+$/.test(index.trim()) ? shared[Number(index)] : undefined)

/** Its point is a decimal one in every country. */
const isPointed = (value: string) => /^-?\d*(?:\.\d|\d[eE])/.test(value)

function cellText(text: string, type: string, style: number, workbook: Workbook): string {
  switch (type) {
    case 's':
      return textAt(text, workbook) ?? ''
    case 'b':
      return text.trim() === '1' ? 'TRUE' : 'FALSE'
    case 'inlineStr':
    case 'str':
      return excelText(text)
    case 'n':
      return workbook.dateStyles[style] ? dateText(text.trim(), workbook.from1904) : shownNumber(text.trim())
    // A formula's error says nothing of the product.
    case 'e':
      return ''
    default:
      return text
  }
}
