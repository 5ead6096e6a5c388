/** Opens a file as a table, whatever it is written in: the one shape that every reader gives. */
import { createReadStream } from 'node:fs'
import type { CellValue } from '../../schemas/pipeline.ts'
import { decodeText, detectEncoding, glance } from '../encoding.ts'
import { openDelimited } from './delimited-table.ts'
import { detectDialect } from './dialect.ts'
import { isListName } from './header.ts'
import { openNdjson } from './ndjson.ts'
import { refuseBinary, refuseMarkup } from './not-a-table.ts'

export interface Table {
  readonly kind: 'delimited' | 'ndjson'
  /** How the file was read, for people. */
  readonly notes: readonly string[]
  readonly header: readonly string[]
  /** Reads the file anew at each call, in the same order. */
  rows(): AsyncIterable<TableRow[]>
}

export interface TableRow {
  /** Data record, from 1; records of blank cells only are neither given nor counted. */
  readonly row: number
  /** Physical line where it starts, from 1. */
  readonly line: number
  /** Aligned to the header, exactly as given; '' where absent. */
  readonly cells: readonly CellValue[]
  /** Set where the cells are not to be trusted: the row is rejected, its neighbours are not. */
  readonly fault?: { readonly code: 'ragged' | 'unreadable' | 'header_again'; readonly says: string }
}

export interface OpenOptions {
  /** Detected where absent. */
  readonly kind?: 'csv' | 'ndjson'
  /** Whether the target of a repeated column name takes a list. */
  readonly listColumn?: (name: string) => boolean
}

const sampleBytes = 2 ** 18

/** @throws TableError where the file as a whole cannot be read */
export async function openTable(path: string, options: OpenOptions = {}): Promise<Table> {
  const sample = await firstBytes(path)
  const { encoding, mark } = detectEncoding(sample)
  const start = glance(sample)
  refuseBinary(sample, start)
  if (!options.kind) refuseMarkup(start)

  const open = () => decodeText(createReadStream(path))
  const note = `encoding ${encoding.toUpperCase()}${mark ? ', with mark' : ''}`
  if (options.kind === 'ndjson' || (!options.kind && start.trimStart().startsWith('{'))) {
    const table = await openNdjson(open)
    return { ...table, kind: 'ndjson', notes: [note, ...table.notes] }
  }
  const table = await openDelimited(open, detectDialect(start), options.listColumn ?? isListName)
  return { ...table, kind: 'delimited', notes: [note, ...table.notes] }
}

async function firstBytes(path: string): Promise<Buffer> {
  const chunks: Buffer[] = []
  for await (const chunk of createReadStream(path, { end: sampleBytes - 1 })) chunks.push(chunk)
  return Buffer.concat(chunks)
}
