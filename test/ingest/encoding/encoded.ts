/** Writes text in an encoding that is only read here: each character as the bytes that are read as it. */
import { lenientDecoder } from '../../../ingest/encoding/lenient-decoder.ts'
import type { EncodingName } from '../../../ingest/encoding/names.ts'

const tables = new Map<EncodingName, Map<string, number[]>>()

function tableOf(encoding: EncodingName): Map<string, number[]> {
  const table = new Map<string, number[]>()
  const decode = lenientDecoder(encoding)
  const add = (...bytes: number[]) => {
    const text = decode(Uint8Array.from(bytes))
    if ([...text].length === 1 && text !== '\ufffd' && !table.has(text)) table.set(text, bytes)
  }
  for (let byte = 0; byte < 256; byte++) add(byte)
  for (let lead = 0x81; lead < 0xff; lead++) for (let trail = 0x40; trail < 0xff; trail++) add(lead, trail)
  return table
}

/** @throws where the encoding does not have a character of the text */
export function encoded(text: string, encoding: EncodingName): Buffer {
  const table = tables.get(encoding) ?? tableOf(encoding)
  tables.set(encoding, table)
  return Buffer.from(
    [...text].flatMap((character) => {
      const bytes = table.get(character)
      if (!bytes) throw new Error(`${encoding} has no ${character}`)
      return bytes
    }),
  )
}
