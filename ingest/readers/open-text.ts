/** Opens a file of text as a table: what it is written in is found out first, and then what it is. */
import { detectEncoding } from '../encoding/detect.ts'
import { beginsAsUtf16 } from '../encoding/marks.ts'
import { decodeText } from '../encoding.ts'
import type { Content } from '../packing/open-content.ts'
import { refusingDamage } from './damaged-rows.ts'
import { openDelimited } from './delimited-table.ts'
import { detectDialect } from './dialect.ts'
import { isListName } from './header.ts'
import { chooseProducts } from './json/choose.ts'
import { jsonKind } from './json/is-document.ts'
import { openJson } from './json/open-json.ts'
import { openNdjson } from './ndjson.ts'
import { otherKind, refuseBinary, refuseSignature, unknownEncoding } from './not-a-table.ts'
import type { FileKind, Opened, OpenOptions, Table } from './table.ts'
import { isTextSequence, textSequence } from './text-sequence.ts'
import { declaredEncoding, declaredName, requireDeclared } from './xml/declared-encoding.ts'
import { isXml } from './xml/is-xml.ts'

const textKinds: ReadonlySet<FileKind> = new Set(['csv', 'ndjson', 'json'])

/** @param sample the file's beginning @param whole whether it is all of it */
export async function openText(
  content: Content,
  sample: Buffer,
  whole: boolean,
  { kind, encoding, found: before, listColumn }: OpenOptions,
): Promise<Table> {
  refuseSignature(sample)
  // Before the file is read to its end for what it is written in.
  if (!beginsAsUtf16(sample, encoding)) refuseBinary(sample.toString('latin1'))
  const declared = encoding || (kind && kind !== 'xml') ? null : declaredEncoding(sample)
  const detect = () =>
    encoding
      ? detectEncoding(content.open(), encoding)
      : detectEncoding(content.open(), declaredName(declared), 'its first line', isUtf8ByFormat(sample, whole, kind))
  const found = before ?? (await detect())
  if (!found) throw unknownEncoding()
  const start = await glance(sample, found)
  refuseBinary(start)
  const xml = isXml(start)
  if (kind && !textKinds.has(kind) && !(xml && kind === 'xml')) throw otherKind('text', kind)

  const isSequence = isTextSequence(start) && jsonKind(start, whole) !== null
  const open = () => {
    const text = decodeText(content.open(), found)
    return isSequence ? textSequence(text) : text
  }
  const opened = (is: Table['kind'], table: Opened): Table => ({
    ...(found.whole ? table : refusingDamage(table, found.encoding)),
    kind: is,
    found,
    notes: [found.note, ...table.notes],
  })
  if (kind === 'xml' || (!kind && xml)) {
    requireDeclared(declared, found.encoding)
    return opened('xml', await (await import('./xml/open-xml.ts')).openXml(open))
  }
  const json = kind ? null : jsonKind(start, whole)
  if (kind === 'json' || json === 'document' || json === 'either') {
    const choice = await chooseProducts(open())
    if (json !== 'either' || !choice.plain) return opened('json', await openJson(open, choice))
  }
  if (kind === 'ndjson' || json !== null) return opened('ndjson', await openNdjson(open, listColumn ?? isListName))
  const dialect = detectDialect(start)
  const table = await openDelimited(open, dialect, listColumn ?? isListName)
  return { ...opened('delimited', table), delimiter: dialect.delimiter }
}

/** RFC 8259: "JSON text … MUST be encoded using UTF-8"; XML is that where it does not say otherwise. */
function isUtf8ByFormat(sample: Buffer, whole: boolean, kind: FileKind | undefined): boolean {
  if (kind) return kind !== 'csv'
  const start = sample.toString('latin1')
  return isXml(start) || jsonKind(start, whole) !== null
}

/** The beginning as it is read, for looking only. */
async function glance(sample: Buffer, found: Parameters<typeof decodeText>[1]): Promise<string> {
  let text = ''
  const once = async function* () {
    yield sample
  }
  for await (const piece of decodeText(once(), found)) text += piece
  return text
}
