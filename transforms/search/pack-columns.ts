/** Columns of a segment as bytes: arrays of numbers and lists of texts, one behind the other, read without copying each. */

const kinds = [Uint8Array, Uint16Array, Uint32Array, Int32Array, Float64Array] as const
export type Column = Uint8Array | Uint16Array | Uint32Array | Int32Array | Float64Array

/** Every array begins where its widest elements may. */
const aligned = (bytes: number) => (bytes + 7) & ~7
const headBytes = 8

/** @param columns arrays, or lists of texts */
export function packColumns(columns: readonly (Column | readonly string[])[]): Uint8Array {
  const parts = columns.map((column) => {
    const kind = kinds.findIndex((of) => column instanceof of)
    const bytes = kind < 0 ? new TextEncoder().encode(JSON.stringify(column)) : bytesOf(column as Column)
    return { kind: kind < 0 ? kinds.length : kind, bytes }
  })
  const all = new Uint8Array(parts.reduce((sum, { bytes }) => sum + headBytes + aligned(bytes.length), 0))
  const words = new Uint32Array(all.buffer)
  let at = 0
  for (const { kind, bytes } of parts) {
    words[at / 4] = kind
    words[at / 4 + 1] = bytes.length
    all.set(bytes, at + headBytes)
    at += headBytes + aligned(bytes.length)
  }
  return all
}

const bytesOf = (column: Column) => new Uint8Array(column.buffer, column.byteOffset, column.byteLength)

/** @returns what was packed, in the same order */
export function unpackColumns(packed: Uint8Array): (Column | string[])[] {
  // Bytes of a larger buffer may begin anywhere.
  const all = packed.byteOffset % 8 === 0 && packed.buffer instanceof ArrayBuffer ? packed : Uint8Array.from(packed)
  const found: (Column | string[])[] = []
  for (let at = 0; at < all.length; ) {
    const [kind = 0, length = 0] = new Uint32Array(all.buffer, all.byteOffset + at, 2)
    const start = all.byteOffset + at + headBytes
    const of = kinds[kind]
    found.push(
      of === undefined
        ? (JSON.parse(new TextDecoder().decode(new Uint8Array(all.buffer, start, length))) as string[])
        : new of(all.buffer as ArrayBuffer, start, length / of.BYTES_PER_ELEMENT),
    )
    at += headBytes + aligned(length)
  }
  return found
}
