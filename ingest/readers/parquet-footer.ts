/** Changes the schema in a Parquet file's footer, no byte longer, so that its texts are read as bytes: what is no UTF-8 is then one row's fault. */

/** "Thrift compact protocol": numbers of its types. */
const types = {
  yes: 1,
  no: 2,
  byte: 3,
  i16: 4,
  i32: 5,
  i64: 6,
  double: 7,
  binary: 8,
  list: 9,
  set: 10,
  map: 11,
  struct: 12,
}
/** "struct FileMetaData" and "struct SchemaElement" of parquet.thrift: numbers of their fields, and of a type. */
const schema = 2
const element = { type: 1, name: 4, convertedType: 6, logicalType: 10 }
const byteArray = 6

/** A field's header: where it stands, and whose number it has. */
interface Found {
  readonly at: number
  readonly id: number
  /** Index of its value. */
  readonly value: number
}

/**
 * What says that bytes are text stands in two fields. Each is given the number that follows its own: `scale`, which says nothing of bytes,
 * and one that nobody has, which readers pass over.
 * @returns null where the footer is written in a way that has no room for it
 */
export function textsAsBytes(footer: Buffer): Buffer | null {
  const changed = Buffer.from(footer)
  try {
    const { fields } = fieldsOf(footer, 0)
    const list = fields.find(({ id }) => id === schema)
    if (!list) return null
    let [at, left] = listAt(footer, list.value)
    for (; left > 0; left--) {
      const { fields, end } = fieldsOf(footer, at)
      if (!renumber(footer, changed, fields)) return null
      at = end
    }
    return changed
  } catch (error) {
    if (error instanceof RangeError) return null
    throw error
  }
}

/** Names of all columns and of what is in them, as they stand there. */
export function namesInFooter(footer: Buffer): Buffer[] {
  try {
    const list = fieldsOf(footer, 0).fields.find(({ id }) => id === schema)
    if (!list) return []
    const names: Buffer[] = []
    let [at, left] = listAt(footer, list.value)
    for (; left > 0; left--) {
      const { fields, end } = fieldsOf(footer, at)
      const name = fields.find(({ id }) => id === element.name)
      if (name) {
        const [length, start] = numberAt(footer, name.value)
        names.push(footer.subarray(start, start + length))
      }
      at = end
    }
    return names
  } catch (error) {
    if (error instanceof RangeError) return []
    throw error
  }
}

const renumbered = (id: number) => (id === element.convertedType || id === element.logicalType ? id + 1 : id)

function renumber(footer: Buffer, changed: Buffer, fields: readonly Found[]): boolean {
  const type = fields.find(({ id }) => id === element.type)
  if (!type || numberAt(footer, type.value)[0] >>> 1 !== byteArray) return true
  let before = 0
  for (const { at, id } of fields) {
    const distance = renumbered(id) - before
    // Written in the header's upper half; 0 says that the number follows it.
    if (distance < 1 || distance > 15 || footer.readUInt8(at) < 0x10) return false
    changed[at] = (distance << 4) | (footer.readUInt8(at) & 15)
    before = renumbered(id)
  }
  return true
}

function fieldsOf(bytes: Buffer, start: number): { fields: Found[]; end: number } {
  const fields: Found[] = []
  let at = start
  let id = 0
  for (let header = bytes.readUInt8(at); header !== 0; header = bytes.readUInt8(at)) {
    const [own, value] = header >> 4 === 0 ? numberAt(bytes, at + 1) : [0, at + 1]
    id = header >> 4 === 0 ? own >>> 1 : id + (header >> 4)
    fields.push({ at, id, value })
    at = endOf(bytes, value, header & 15, false)
  }
  return { fields, end: at + 1 }
}

/** @returns index after the value */
function endOf(bytes: Buffer, at: number, type: number, listed: boolean): number {
  switch (type) {
    case types.yes:
    case types.no:
      // Of a field the header says it.
      return listed ? at + 1 : at
    case types.byte:
      return at + 1
    case types.i16:
    case types.i32:
    case types.i64:
      return numberAt(bytes, at)[1]
    case types.double:
      return at + 8
    case types.binary: {
      const [length, start] = numberAt(bytes, at)
      return start + length
    }
    case types.list:
    case types.set: {
      let [next, left] = listAt(bytes, at)
      const inner = bytes.readUInt8(at) & 15
      for (; left > 0; left--) next = endOf(bytes, next, inner, true)
      return next
    }
    case types.struct:
      return fieldsOf(bytes, at).end
    default:
      throw new RangeError(`the footer has a value of type ${type}`)
  }
}

/** @returns index of its first item, and how many there are */
function listAt(bytes: Buffer, at: number): [first: number, length: number] {
  const short = bytes.readUInt8(at) >> 4
  if (short < 15) return [at + 1, short]
  const [length, first] = numberAt(bytes, at + 1)
  return [first, length]
}

/** A varint; of long ones only the end is right. */
function numberAt(bytes: Buffer, start: number): [value: number, end: number] {
  let value = 0
  let at = start
  for (let shift = 0; ; shift += 7) {
    const byte = bytes.readUInt8(at++)
    if (shift < 28) value |= (byte & 0x7f) << shift
    if (byte < 0x80) return [value, at]
  }
}
