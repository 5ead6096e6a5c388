/** Writes the same products as a file of each format that is read, as other programs write them, for benchmarks. */
import { createReadStream, createWriteStream } from 'node:fs'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGzip, createZstdCompress } from 'node:zlib'
import {
  Field,
  makeData,
  RecordBatch,
  RecordBatchStreamWriter,
  Schema,
  Struct,
  Utf8,
  vectorFromArray,
} from 'apache-arrow'
import yazl from 'yazl'
import { openScratch } from '../../ingest/scratch.ts'
import { catalogColumns, catalogRows, writeCatalogFile } from './catalog-file.ts'

type Pages = Iterable<readonly (readonly string[])[]>

const streamed = (write: (pages: Pages) => Iterable<string | Uint8Array>) => async (path: string, rows: number) =>
  pipeline(Readable.from(write(catalogRows(rows))), createWriteStream(path))

const packed =
  (pack: typeof createGzip | typeof createZstdCompress) => async (path: string, _: number, folder: string) =>
    pipeline(createReadStream(join(folder, 'a.csv')), pack(), createWriteStream(path))

const objectOf = (cells: readonly string[]) => Object.fromEntries(catalogColumns.map((name, i) => [name, cells[i]]))

function* ndjson(pages: Pages) {
  for (const page of pages) yield page.map((cells) => `${JSON.stringify(objectOf(cells))}\n`).join('')
}

function* json(pages: Pages) {
  let between = '{"products":[\n'
  for (const page of pages) {
    yield between + page.map((cells) => JSON.stringify(objectOf(cells))).join(',\n')
    between = ',\n'
  }
  yield ']}\n'
}

const entity: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' }
const xmlText = (text: string) => text.replace(/[&<>]/g, (one) => entity[one] ?? one)

function* rss(pages: Pages) {
  yield '<?xml version="1.0" encoding="UTF-8"?>\n<rss version="2.0" xmlns:g="http://base.google.com/ns/1.0"><channel>\n'
  const field = (cell: string, i: number) => `<g:${catalogColumns[i]}>${xmlText(cell)}</g:${catalogColumns[i]}>`
  for (const page of pages) yield page.map((cells) => `<item>${cells.map(field).join('')}</item>\n`).join('')
  yield '</channel></rss>\n'
}

function* sheetRows(pages: Pages) {
  let number = 0
  const row = (cells: readonly string[]) => {
    number++
    const place = (i: number) => `${String.fromCharCode(65 + i)}${number}`
    return `<row r="${number}">${cells.map((cell, i) => `<c r="${place(i)}" t="inlineStr"><is><t>${xmlText(cell)}</t></is></c>`).join('')}</row>`
  }
  yield row(catalogColumns)
  for (const page of pages) yield page.map(row).join('')
}

const main = 'xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"'
const office = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
const relation = (type: string, target: string) =>
  `<Relationships><Relationship Id="r1" Type="${office}/${type}" Target="${target}"/></Relationships>`

async function xlsx(path: string, rows: number): Promise<void> {
  const zip = new yazl.ZipFile()
  const put = (name: string, xml: string) => zip.addBuffer(Buffer.from(xml), name)
  put('_rels/.rels', relation('officeDocument', 'xl/workbook.xml'))
  put('xl/_rels/workbook.xml.rels', relation('worksheet', 'worksheets/sheet1.xml'))
  const sheet = '<sheet name="Products" sheetId="1" r:id="r1"/>'
  put('xl/workbook.xml', `<workbook ${main} xmlns:r="${office}"><sheets>${sheet}</sheets></workbook>`)
  function* sheetXml() {
    yield `<worksheet ${main}><sheetData>`
    yield* sheetRows(catalogRows(rows))
    yield '</sheetData></worksheet>'
  }
  zip.addReadStream(Readable.from(sheetXml(), { objectMode: false }), 'xl/worksheets/sheet1.xml')
  zip.end()
  await pipeline(zip.outputStream, createWriteStream(path))
}

const schema = new Schema(catalogColumns.map((name) => new Field(name, new Utf8(), true)))

async function arrow(path: string, rows: number): Promise<void> {
  const batches = function* () {
    for (const page of catalogRows(rows)) {
      const children = catalogColumns.flatMap(
        (_, i) =>
          vectorFromArray(
            page.map((cells) => cells[i]),
            new Utf8(),
          ).data,
      )
      yield new RecordBatch(schema, makeData({ type: new Struct(schema.fields), length: page.length, children }))
    }
  }
  await pipeline(RecordBatchStreamWriter.writeAll(batches()).toNodeStream(), createWriteStream(path))
}

async function parquet(path: string, _: number, folder: string): Promise<void> {
  const scratch = openScratch(`${path}.duckdb`, 512)
  try {
    const from = `read_csv('${join(folder, 'a.csv')}', all_varchar = true, header = true)`
    await scratch.run(`copy (from ${from}) to '${path}' (format parquet, compression zstd, row_group_size 20480)`)
  } finally {
    await scratch.close()
  }
}

/** CSV first, of which the packed ones are made, and with which all are compared. */
export const formats: Readonly<Record<string, (path: string, rows: number, folder: string) => Promise<void>>> = {
  'a.csv': (path, rows) => writeCatalogFile(path, rows),
  'a.ndjson': streamed(ndjson),
  'a.json': streamed(json),
  'a.xml': streamed(rss),
  'a.xlsx': xlsx,
  'a.parquet': parquet,
  'a.arrow': arrow,
  'a.csv.gz': packed(createGzip),
  'a.csv.zst': packed(createZstdCompress),
}
