/** Tells by its first bytes what a file is: neither its name nor what its host calls it counts (KF-19). */

export interface FileType {
  readonly type: string
  readonly image: boolean
  /** For people, as in "It is an HTML page". */
  readonly says: string
}

/** So many bytes are enough to tell. */
export const headBytes = 1_024

type Sees = (head: Buffer) => boolean
const startsWith =
  (...signatures: readonly string[]): Sees =>
  (head) =>
    signatures.some((signature) => head.subarray(0, signature.length).toString('latin1') === signature)
const isAt =
  (at: number, ...words: readonly string[]): Sees =>
  (head) =>
    words.includes(head.subarray(at, at + 4).toString('latin1'))
/** The container of MP4, of which AVIF and HEIC are kinds. */
const brand =
  (...brands: readonly string[]): Sees =>
  (head) =>
    isAt(4, 'ftyp')(head) && isAt(8, ...brands)(head)
const zeros = (head: Buffer, from: number, to: number) => head.subarray(from, to).every((byte) => byte === 0)

/** The first that fits; signatures as in the specifications of the formats. */
const binary: readonly (readonly [type: string, image: boolean, says: string, sees: Sees])[] = [
  ['jpeg', true, 'a JPEG', startsWith('\xff\xd8\xff')],
  ['png', true, 'a PNG', startsWith('\x89PNG\r\n\x1a\n')],
  ['gif', true, 'a GIF', startsWith('GIF87a', 'GIF89a')],
  ['webp', true, 'a WebP', (head) => startsWith('RIFF')(head) && isAt(8, 'WEBP')(head)],
  ['bmp', true, 'a BMP', (head) => startsWith('BM')(head) && head.length >= 26 && zeros(head, 6, 10)],
  ['tiff', true, 'a TIFF', startsWith('II*\0', 'MM\0*')],
  ['avif', true, 'an AVIF', brand('avif', 'avis')],
  ['heic', true, 'an HEIC', brand('heic', 'heix', 'hevc', 'mif1', 'msf1')],
  ['jxl', true, 'a JPEG XL', startsWith('\xff\x0a', '\0\0\0\x0cJXL ')],
  ['ico', true, 'an icon', startsWith('\0\0\x01\0')],
  ['psd', true, 'a Photoshop file', startsWith('8BPS')],
  ['mp4', false, 'a video', isAt(4, 'ftyp')],
  ['webm', false, 'a video', startsWith('\x1aE\xdf\xa3')],
  ['pdf', false, 'a PDF', startsWith('%PDF')],
  ['zip', false, 'an archive', startsWith('PK\x03\x04')],
  ['gzip', false, 'an archive', startsWith('\x1f\x8b')],
]

const document = /<!doctype html|<html[\s>]|<head[\s>]|<body[\s>]/i
// biome-ignore lint/suspicious/noControlCharactersInRegex: what has control characters is no text
const control = /[\0-\x08\x0e-\x1f]/

/** @param head the beginning of the file, `headBytes` of it or all */
export function fileType(head: Buffer): FileType {
  if (head.length === 0) return { type: 'empty', image: false, says: 'an empty file' }
  const found = binary.find(([, , , sees]) => sees(head))
  if (found) return { type: found[0], image: found[1], says: found[2] }
  const text = head.toString('latin1').replace(/^\xef\xbb\xbf/, '')
  if (control.test(text)) return { type: 'unknown', image: false, says: 'a file of a kind that is not known' }
  if (document.test(text)) return { type: 'html', image: false, says: 'an HTML page' }
  // An image, if one that no platform takes.
  if (/<svg[\s>]/i.test(text)) return { type: 'svg', image: true, says: 'an SVG' }
  if (/^\s*</.test(text)) return { type: 'xml', image: false, says: 'an XML document' }
  if (/^\s*[{[]/.test(text)) return { type: 'json', image: false, says: 'a JSON document' }
  return { type: 'text', image: false, says: 'a text' }
}

/** A BMP says its size in its head: in 16 bits a side where that is of the first kind, which has 12 bytes. */
export function bmpSize(head: Buffer): { width: number; height: number } {
  if (head.readUInt32LE(14) === 12) return { width: head.readUInt16LE(18), height: head.readUInt16LE(20) }
  // A negative height means rows from the top down.
  return { width: Math.abs(head.readInt32LE(18)), height: Math.abs(head.readInt32LE(22)) }
}
