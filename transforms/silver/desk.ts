/** What the silver steps have before them: a product's merged cells, what is known of their files, and where doubts are told. */
import type { CellWarning, FieldCell, ImportContext, MergedFields, SilverSettings } from '../../schemas/pipeline.ts'
import type { Field } from '../../schemas/product.ts'
import { repairMojibake } from './mojibake.ts'
import { isBlank, isSpreadsheetError } from './placeholders.ts'
import { quote } from './quote.ts'
import { doubts, type Finding, type Reading, textOf, warningAt } from './reading.ts'

interface Said {
  readonly cell: FieldCell
  readonly raw: string
}

export interface Desk {
  readonly fields: MergedFields
  readonly contexts: (id: number) => ImportContext | undefined
  readonly settings: SilverSettings
  readonly warnings: CellWarning[]
  tell(cell: FieldCell, findings: readonly Finding[]): void
  /** The cell of a field, unless it holds nothing or only stands for nothing. */
  said(field: Field): Said | null
  /** A cell with the letters back that a wrong encoding made of them, which is told. */
  mended(cell: FieldCell): FieldCell
  /** What is said of a field that people read, mended: not of addresses and identifiers, which lead where they are written. */
  worded(field: Field): Said | null
  /** What is made of a mended cell; its doubts are told. */
  read<T>(field: Field, how: (raw: string, cell: FieldCell) => Reading<T>): T | null
}

export function openDesk(
  fields: MergedFields,
  contexts: (id: number) => ImportContext | undefined,
  settings: SilverSettings,
): Desk {
  const warnings: CellWarning[] = []
  const tell = (cell: FieldCell, findings: readonly Finding[]) => {
    for (const finding of findings) warnings.push(warningAt(cell, finding))
  }
  const said = (field: Field): Said | null => {
    const cell = fields.get(field)
    if (cell === null) return null
    const raw = textOf(cell)
    if (isBlank(raw)) return null
    if (!isSpreadsheetError(raw)) return { cell, raw }
    tell(cell, doubts('spreadsheet_error', `${quote(raw)} is a failed formula; correct it and export again`).findings)
    return null
  }
  const mended = (cell: FieldCell) => {
    const whole = mendedCell(cell, tell)
    tellLost(whole, tell)
    return whole
  }
  const worded = (field: Field): Said | null => {
    const found = said(field)
    if (found === null) return null
    const cell = mended(found.cell)
    return cell === found.cell ? found : { cell, raw: textOf(cell) }
  }
  return {
    fields,
    contexts,
    settings,
    warnings,
    tell,
    said,
    mended,
    worded,
    read(field, how) {
      const found = worded(field)
      if (found === null) return null
      const { value, findings } = how(found.raw, found.cell)
      if (findings.length > 0) tell(found.cell, findings)
      return value
    },
  }
}

/** Where a program could not read a letter it wrote U+FFFD, and nobody can tell any more which letter it was. */
function tellLost(cell: FieldCell, tell: Desk['tell']) {
  const texts = typeof cell.value === 'string' ? [cell.value] : cell.value
  const lost = texts.find((text) => text.includes('\ufffd'))
  if (lost === undefined) return
  const says = `${quote(lost)} has letters that were lost before it came here (\ufffd); export it anew as UTF-8`
  tell(cell, [{ code: 'letters_lost', says, raw: lost }])
}

/** What Assay writes itself was taken back before it was written, or was not certain. */
function mendedCell(cell: FieldCell, tell: Desk['tell']): FieldCell {
  if (cell.origin.context === 0) return cell
  const mend = (text: string) => {
    const meant = repairMojibake(text)
    if (meant === null) return text
    const says = `${quote(text)} is read as ${quote(meant)}: its UTF-8 was taken for Windows-1252 before it came here; export it anew as UTF-8`
    tell(cell, [{ code: 'mojibake_repaired', says, raw: text }])
    return meant
  }
  if (typeof cell.value === 'string') {
    const value = mend(cell.value)
    return value === cell.value ? cell : { ...cell, value }
  }
  const value = cell.value.map(mend)
  return value.every((text, at) => text === cell.value[at]) ? cell : { ...cell, value }
}
