/** Writes an export as an Excel workbook of one sheet, every cell as text: no identifier becomes a number and no digit is lost. */
import { createWriteStream } from 'node:fs'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import yazl from 'yazl'
import { exportColumns } from '../../transforms/versions/export-row.ts'
import { guardFormula } from '../formula-guard.ts'
import { TableError } from '../table-error.ts'
import type { ExportPages } from './pages.ts'

/** Excel's own limits. */
const mostRows = 1_048_576
const longestText = 32_767

const declaration = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'
const main = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main'
const packages = 'http://schemas.openxmlformats.org/package/2006'
const documents = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
const types = 'application/vnd.openxmlformats-officedocument.spreadsheetml'

/** Format 49 is Excel's own for text, also for what people type into the columns later. */
const parts: Readonly<Record<string, string>> = {
  '[Content_Types].xml': `<Types xmlns="${packages}/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/><Override PartName="/xl/workbook.xml" ContentType="${types}.sheet.main+xml"/><Override PartName="/xl/worksheets/sheet1.xml" ContentType="${types}.worksheet+xml"/><Override PartName="/xl/styles.xml" ContentType="${types}.styles+xml"/></Types>`,
  '_rels/.rels': `<Relationships xmlns="${packages}/relationships"><Relationship Id="rId1" Type="${documents}/officeDocument" Target="xl/workbook.xml"/></Relationships>`,
  'xl/workbook.xml': `<workbook xmlns="${main}" xmlns:r="${documents}"><sheets><sheet name="Products" sheetId="1" r:id="rId1"/></sheets></workbook>`,
  'xl/_rels/workbook.xml.rels': `<Relationships xmlns="${packages}/relationships"><Relationship Id="rId1" Type="${documents}/worksheet" Target="worksheets/sheet1.xml"/><Relationship Id="rId2" Type="${documents}/styles" Target="styles.xml"/></Relationships>`,
  'xl/styles.xml': `<styleSheet xmlns="${main}"><fonts count="1"><font/></fonts><fills count="2"><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill></fills><borders count="1"><border/></borders><cellStyleXfs count="1"><xf/></cellStyleXfs><cellXfs count="2"><xf/><xf numFmtId="49" applyNumberFormat="1"/></cellXfs></styleSheet>`,
}

/**
 * @param path where the file goes
 * @throws TableError `too_large` where the products are more than a sheet takes, or a text is longer than a cell takes
 */
export async function writeXlsx(pages: ExportPages, path: string): Promise<void> {
  const zip = new yazl.ZipFile()
  for (const [name, text] of Object.entries(parts)) zip.addBuffer(Buffer.from(declaration + text), name)
  const sheet = Readable.from(sheetXml(pages), { objectMode: false })
  zip.addReadStream(sheet, 'xl/worksheets/sheet1.xml')
  zip.end()
  const output = zip.outputStream as Readable
  // The archive listens to neither its own faults nor to those of what it is made of.
  for (const one of [zip, sheet]) one.on('error', (error: Error) => output.destroy(error))
  try {
    await pipeline(output, createWriteStream(path))
  } finally {
    sheet.destroy()
  }
}

async function* sheetXml(pages: ExportPages): AsyncGenerator<string> {
  yield `${declaration}<worksheet xmlns="${main}"><sheetViews><sheetView workbookViewId="0"><pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/></sheetView></sheetViews><cols><col min="1" max="${exportColumns.length}" width="18" style="1"/></cols><sheetData>`
  let number = 1
  yield rowXml(exportColumns, number)
  for await (const rows of pages) {
    let text = ''
    for (const row of rows) {
      if (++number > mostRows) {
        const says = `A sheet of Excel takes ${mostRows - 1} products and these are more; ask for csv, ndjson, parquet or arrow`
        throw new TableError('too_large', says)
      }
      text += rowXml(row, number)
    }
    if (text !== '') yield text
  }
  yield '</sheetData></worksheet>'
}

const letters = exportColumns.map(
  (_, i) => (i < 26 ? '' : String.fromCharCode(64 + Math.floor(i / 26))) + String.fromCharCode(65 + (i % 26)),
)

function rowXml(cells: readonly string[], number: number): string {
  let text = `<row r="${number}">`
  for (const [i, cell] of cells.entries()) {
    if (cell === '') continue
    const inert = guardFormula(cell)
    if (inert.length > longestText) {
      const says = `The ${exportColumns[i]} of product ${cells[0]} has ${inert.length} characters and a cell of Excel takes ${longestText}; ask for csv, ndjson, parquet or arrow`
      throw new TableError('too_large', says)
    }
    text += `<c r="${letters[i]}${number}" s="1" t="inlineStr"><is><t xml:space="preserve">${xmlText(inert)}</t></is></c>`
  }
  return `${text}</row>`
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: XML takes no control characters, and a parser may turn CR into LF
const unwritable = /[\0-\x08\x0b-\x1f\ufffe\uffff]|_(?=x[0-9a-f]{4}_)/gi
const markup: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' }

/** Excel writes what XML cannot hold as `_xHHHH_`, and so also the underscore of a text that looks like that. */
const xmlText = (text: string) =>
  text
    .replace(unwritable, (one) => `_x${one.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}_`)
    .replace(/[&<>]/g, (one) => markup[one] ?? one)
