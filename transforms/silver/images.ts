/** Reads image addresses from one cell or several, each once, in order. */
import type { CellValue } from '../../schemas/pipeline.ts'
import { readAddress } from './address.ts'
import type { Finding, Reading } from './reading.ts'

export const readLink = (raw: string): Reading<string> => readAddress(raw, 'link')

/** A single address in its simplest form, which is what most cells hold. */
const single = /^https?:\/\/[!#$%&-+./:=?@-Z_a-z~0-9-]+$/
/** The look behind keeps long runs of marks from being tried at each of their characters. */
const beforeAddress = /(?<![\s,;|])[\s,;|]+(?=https?:\/\/)/i
const trailing = /(?<![\s,;|])[\s,;|]+$/
const imageFile = /\.(?:jpe?g|png|gif|webp|avif|bmp|tiff?|svg)$/i
const pathLike = /^(?:\/[^\s]|[^\s,|]+\.(?:jpe?g|png|gif|webp|avif|bmp|tiff?|svg)$)/i

/** A comma or bar may belong to an address; it parts a list before another address, or between what all looks like paths. */
function partsOf(cell: string): readonly string[] {
  if (single.test(cell)) return [cell]
  const text = cell.trim()
  if (/^[[{]/.test(text)) {
    const list = fromJson(text)
    if (list) return list
  }
  return text.split(beforeAddress).flatMap((part) => {
    for (const mark of [',', '|', ';']) {
      const pieces = part.split(mark).map((piece) => piece.trim())
      const rest = pieces.filter((piece) => piece !== '')
      if (pieces.length > 1 && rest.slice(1).every((piece) => pathLike.test(piece)) && startsList(rest[0])) return rest
    }
    return [part.replace(trailing, '')]
  })
}

/** An address that a comma cuts short of its file name goes on behind it. */
function startsList(first: string | undefined): boolean {
  if (first === undefined) return false
  return /^https?:/i.test(first) ? imageFile.test(first.replace(/[?#].*$/s, '')) : pathLike.test(first)
}

function fromJson(text: string): string[] | null {
  try {
    const list: unknown = JSON.parse(text)
    return (Array.isArray(list) ? list : [list]).flatMap(addressIn)
  } catch {
    return null
  }
}

/** What an object calls the address of its picture. */
const mostKeys = 4
const naming = ['url', 'uri', 'src', 'href', 'link', 'imageUrl', 'image_url']

/** Of an object without one its keys stand for it, which are told to be no address. */
function addressIn(item: unknown): string[] {
  if (typeof item === 'string' || typeof item === 'number') return [String(item)]
  if (typeof item !== 'object' || item === null) return []
  const members = new Map(Object.entries(item))
  const address = naming.map((name) => members.get(name)).find((value) => typeof value === 'string' && value !== '')
  if (typeof address === 'string') return [address]
  return members.size === 0 ? [] : [`{${[...members.keys()].slice(0, mostKeys).join(', ')}}`]
}

/** What cannot be an address is left out and reported; `value` is never null. */
export function readImages(values: CellValue): Reading<readonly string[]> & { readonly value: readonly string[] } {
  const found = new Set<string>()
  const findings: Finding[] = []
  for (const cell of typeof values === 'string' ? [values] : values) {
    for (const part of partsOf(cell)) {
      if (part.trim() === '') continue
      const reading = readAddress(part, 'image')
      if (reading.value !== null) found.add(reading.value)
      for (const finding of reading.findings) findings.push({ ...finding, raw: part })
    }
  }
  return { value: [...found], findings }
}
