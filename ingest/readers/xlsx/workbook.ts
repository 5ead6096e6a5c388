/** Finds a workbook's sheets, and what their cells refer to: shared texts, and formats that show dates. */
import { posix } from 'node:path'
import type { ZipEntries } from '../../packing/zip-entries.ts'
import { TableError } from '../../table-error.ts'
import { namingPart } from './damaged-part.ts'
import { isDateFormat } from './excel-date.ts'
import { excelText } from './excel-text.ts'
import { readXml, type XmlListener } from './xml.ts'

export interface Sheet {
  readonly name: string
  readonly visible: boolean
  readonly part: string
}

export interface Workbook {
  /** In the order of their tabs; charts are none. */
  readonly sheets: readonly Sheet[]
  /** Days are counted from 1904, as old Macs did. */
  readonly from1904: boolean
  /** Whoever opens it is to calculate its formulas: a program that cannot has written it, and 0 for each result. */
  readonly uncalculated: boolean
  readonly shared: readonly string[]
  /** By number of a cell's style: whether its number is shown as a date or time. */
  readonly dateStyles: readonly boolean[]
}

/** Characters of shared texts that are held: they are looked up in any order. An empty one costs as much as a few. */
const mostSharedCharacters = 2 ** 26
const charactersOfEach = 16
/** A workbook's own lists, all but of its cells, are short. */
const mostListed = 2 ** 17

export async function openWorkbook(zip: ZipEntries): Promise<Workbook> {
  const sheets: { name: string; id: string; visible: boolean }[] = []
  let from1904 = false
  let uncalculated = false
  await each(zip, 'xl/workbook.xml', (name, attributes) => {
    if (name === 'workbookPr') from1904 = /^(1|true)$/.test(attributes.date1904 ?? '')
    if (name === 'calcPr') uncalculated = /^(1|true)$/.test(attributes.fullCalcOnLoad ?? '')
    if (name !== 'sheet') return
    const id = Object.entries(attributes).find(([key]) => key === 'id' || key.endsWith(':id'))?.[1] ?? ''
    sheets.push({ name: attributes.name ?? '', id, visible: (attributes.state ?? 'visible') === 'visible' })
  })
  const targets = new Map<string, { target: string; type: string }>()
  await each(zip, 'xl/_rels/workbook.xml.rels', (name, { Id = '', Target = '', Type = '' }) => {
    if (name === 'Relationship') targets.set(Id, { target: posix.resolve('/xl', Target).slice(1), type: Type })
  })
  const byType = (type: string) => [...targets.values()].find((one) => one.type.endsWith(type))?.target ?? ''
  return {
    sheets: sheets.flatMap(({ name, id, visible }) => {
      const found = targets.get(id)
      return found?.type.endsWith('/worksheet') ? [{ name, visible, part: found.target }] : []
    }),
    from1904,
    uncalculated,
    shared: await readShared(zip, byType('/sharedStrings')),
    dateStyles: await readDateStyles(zip, byType('/styles')),
  }
}

type Opens = XmlListener['opens']

async function each(zip: ZipEntries, part: string, opens: Opens, rest: Partial<XmlListener> = {}): Promise<void> {
  const listener = { text() {}, closes() {}, ...rest, opens }
  for await (const _ of namingPart(`The part ${part}`, readXml(zip.read(part), listener)));
}

async function readShared(zip: ZipEntries, part: string): Promise<string[]> {
  const shared: string[] = []
  if (part === '' || !zip.has(part)) return shared
  let held = 0
  let text = ''
  let inText = false
  let phonetic = false
  await each(
    zip,
    part,
    (name) => {
      if (name === 'si') text = ''
      if (name === 'rPh') phonetic = true
      inText = name === 't' && !phonetic
    },
    {
      text(piece) {
        if (inText) text += piece
      },
      closes(name) {
        if (name === 't') inText = false
        if (name === 'rPh') phonetic = false
        if (name !== 'si') return
        held += text.length + charactersOfEach
        if (held > mostSharedCharacters)
          throw new TableError(
            'too_large',
            'The workbook holds too much text to be looked up; save the sheet as CSV in UTF-8',
          )
        shared.push(excelText(text))
      },
    },
  )
  return shared
}

async function readDateStyles(zip: ZipEntries, part: string): Promise<boolean[]> {
  const styles: boolean[] = []
  if (part === '' || !zip.has(part)) return styles
  const formats = new Map<number, string>()
  let inCells = false
  await each(
    zip,
    part,
    (name, { numFmtId = '0', formatCode = '' }) => {
      if (name === 'cellXfs') inCells = true
      if (styles.length > mostListed || formats.size > mostListed)
        throw new TableError(
          'too_large',
          'The workbook has too many formats to be read; save the sheet as CSV in UTF-8',
        )
      if (name === 'numFmt') formats.set(Number(numFmtId), formatCode)
      if (name === 'xf' && inCells) styles.push(isDateFormat(Number(numFmtId), formats.get(Number(numFmtId))))
    },
    {
      closes(name) {
        if (name === 'cellXfs') inCells = false
      },
    },
  )
  return styles
}
