/** Workbooks as other programs write them, from the XML of their parts. */
import yazl from 'yazl'

const main = 'xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"'
const office = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'

interface Sheet {
  readonly name: string
  readonly state?: 'hidden' | 'veryHidden'
  /** What stands in `sheetData`. */
  readonly rows: string
}

export async function workbook(
  sheets: readonly Sheet[],
  {
    shared,
    formats = '',
    xfs = '',
    date1904 = false,
    uncalculated = false,
  }: { shared?: string; formats?: string; xfs?: string; date1904?: boolean; uncalculated?: boolean } = {},
): Promise<Buffer> {
  const zip = new yazl.ZipFile()
  const put = (name: string, xml: string) =>
    zip.addBuffer(Buffer.from(`<?xml version="1.0" encoding="UTF-8"?>\n${xml}`), name)
  const relation = (id: string, type: string, target: string) =>
    `<Relationship Id="${id}" Type="${office}/${type}" Target="${target}"/>`
  put(
    'xl/_rels/workbook.xml.rels',
    `<Relationships>${sheets.map((_, i) => relation(`r${i}`, 'worksheet', `worksheets/sheet${i}.xml`)).join('')}${relation('t', 'sharedStrings', 'sharedStrings.xml')}${relation('s', 'styles', '/xl/styles.xml')}</Relationships>`,
  )
  put(
    'xl/workbook.xml',
    `<workbook ${main} xmlns:r="${office}"><workbookPr date1904="${date1904 ? 1 : 0}"/><sheets>${sheets.map(({ name, state }, i) => `<sheet name="${name}" sheetId="${i + 1}"${state ? ` state="${state}"` : ''} r:id="r${i}"/>`).join('')}</sheets>${uncalculated ? '<calcPr calcId="1" fullCalcOnLoad="1"/>' : ''}</workbook>`,
  )
  if (shared !== undefined) put('xl/sharedStrings.xml', `<sst ${main}>${shared}</sst>`)
  put(
    'xl/styles.xml',
    `<styleSheet ${main}><numFmts>${formats}</numFmts><cellStyleXfs><xf numFmtId="14"/></cellStyleXfs><cellXfs><xf numFmtId="0"/>${xfs}</cellXfs></styleSheet>`,
  )
  for (const [i, { rows }] of sheets.entries())
    put(`xl/worksheets/sheet${i}.xml`, `<worksheet ${main}><sheetData>${rows}</sheetData></worksheet>`)
  zip.end()
  const chunks: Buffer[] = []
  for await (const chunk of zip.outputStream) chunks.push(Buffer.from(chunk))
  return Buffer.concat(chunks)
}
