/** Writes the same products as a file of each format that is read, for benchmarks. */
import { createReadStream, createWriteStream } from 'node:fs'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGzip, createZstdCompress } from 'node:zlib'
import { writeArrow } from '../../ingest/arrow-ipc.ts'
import { writeCsv } from '../../ingest/writers/csv.ts'
import { writeNdjson } from '../../ingest/writers/ndjson.ts'
import type { ExportPages } from '../../ingest/writers/pages.ts'
import { writeParquet } from '../../ingest/writers/parquet.ts'
import { writeXlsx } from '../../ingest/writers/xlsx.ts'
import { exportColumns, jsonFields } from '../../transforms/versions/export-row.ts'
import { catalogColumns, catalogRows } from './catalog-file.ts'

type Chunks = AsyncIterable<string | Uint8Array>

/** Our own names of the generator's columns; CSV first, with which the others are compared. */
const renamed: Readonly<Record<string, string>> = { ean: 'gtin', stock: 'quantity', image: 'images' }
const places = catalogColumns.map((name) => exportColumns.indexOf(renamed[name] ?? name))

async function* pagesOf(rows: number): ExportPages {
  for (const page of catalogRows(rows))
    yield page.map((cells) => {
      const row = exportColumns.map(() => '')
      for (const [i, cell] of cells.entries()) {
        const place = places[i] ?? 0
        row[place] = jsonFields.has(exportColumns[place] ?? '') ? JSON.stringify([cell]) : cell
      }
      return row
    })
}

const streamed = (write: (pages: ExportPages) => Chunks) => async (path: string, rows: number) =>
  pipeline(Readable.from(write(pagesOf(rows))), createWriteStream(path))

const packed =
  (from: string, pack: typeof createGzip | typeof createZstdCompress) =>
  async (path: string, _: number, folder: string) =>
    pipeline(createReadStream(join(folder, from)), pack(), createWriteStream(path))

const objectOf = (row: readonly string[]) =>
  Object.fromEntries(exportColumns.flatMap((name, i) => (row[i] ? [[name, row[i]]] : [])))

async function* writeJson(pages: ExportPages): Chunks {
  let between = '{"products":[\n'
  for await (const rows of pages)
    for (const row of rows) {
      yield `${between}${JSON.stringify(objectOf(row))}`
      between = ',\n'
    }
  yield ']}\n'
}

const entity: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' }

async function* writeRss(pages: ExportPages): Chunks {
  yield '<?xml version="1.0" encoding="UTF-8"?>\n<rss version="2.0" xmlns:g="http://base.google.com/ns/1.0"><channel>\n'
  for await (const rows of pages)
    for (const row of rows) {
      const fields = Object.entries(objectOf(row)).map(
        ([name, value]) => `<g:${name}>${value.replace(/[&<>]/g, (one) => entity[one] ?? one)}</g:${name}>`,
      )
      yield `<item>${fields.join('')}</item>\n`
    }
  yield '</channel></rss>\n'
}

/** In this order, since packed ones are made of others. */
export const formats: Readonly<Record<string, (path: string, rows: number, folder: string) => Promise<void>>> = {
  'a.csv': streamed(writeCsv),
  'a.ndjson': streamed(writeNdjson),
  'a.json': streamed(writeJson),
  'a.xml': streamed(writeRss),
  'a.xlsx': (path, rows) => writeXlsx(pagesOf(rows), path),
  'a.parquet': (path, rows) => writeParquet(pagesOf(rows), path),
  'a.arrow': streamed(writeArrow),
  'a.csv.gz': packed('a.csv', createGzip),
  'a.csv.zst': packed('a.csv', createZstdCompress),
}
