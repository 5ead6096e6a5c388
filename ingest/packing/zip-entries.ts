/** Opens a ZIP archive and reads single entries of it as streams. */
import { crc32 } from 'node:zlib'
import { type Entry, getFileNameLowLevel, openPromise } from 'yauzl'
import { TableError } from '../table-error.ts'
import { type Bounds, bounded, defaultBounds } from './bounds.ts'

export interface ZipEntries {
  /** As they stand in the archive, in its order. */
  readonly names: readonly string[]
  has(name: string): boolean
  /** @throws Error where the archive has no such entry, or what it holds is not what it says, be it behind the last byte */
  read(name: string, bounds?: Bounds): AsyncGenerator<Uint8Array>
  close(): void
}

/** A workbook has a few dozen parts. */
const mostEntries = 10_000
/** "4.4.5 compression method", of which these two are read. */
const stored = 0
const deflated = 8

export async function openZip(path: string): Promise<ZipEntries> {
  // Names are read here: no file is ever written under one, so that an odd path, which the reader would refuse, does no harm.
  const zip = await openPromise(path, { lazyEntries: true, autoClose: false, decodeStrings: false })
  const entries = new Map<string, Entry>()
  const names: string[] = []
  try {
    if (zip.entryCount > mostEntries) throw new Error(`the archive has ${zip.entryCount} entries`)
    await new Promise<void>((resolve, reject) => {
      zip.on('entry', (entry: Entry) => {
        const { generalPurposeBitFlag, fileNameRaw, extraFields } = entry
        const name = getFileNameLowLevel(generalPurposeBitFlag, fileNameRaw, extraFields, false)
        entries.set(nameOf(name), entry)
        names.push(name)
        zip.readEntry()
      })
      zip.on('end', resolve)
      zip.on('error', reject)
      zip.readEntry()
    })
  } catch (error) {
    zip.close()
    throw error
  }
  return {
    names,
    has: (name) => entries.has(nameOf(name)),
    async *read(name, bounds = defaultBounds) {
      const entry = entries.get(nameOf(name))
      if (!entry) throw new Error(`the archive has no ${name}`)
      refuseUnreadable(name, entry)
      // "4.4.7 CRC-32": a stored entry with a changed byte, and many a deflated one, looks as if nothing were wrong.
      let crc = 0
      for await (const chunk of bounded(await zip.openReadStreamPromise(entry), entry.compressedSize, bounds)) {
        crc = crc32(chunk, crc)
        yield chunk
      }
      if (crc !== entry.crc32) throw damagedEntry(name)
    },
    close: () => zip.close(),
  }
}

const damagedEntry = (name: string) =>
  new TableError(
    'not_text',
    `${JSON.stringify(name)} in the archive is not what was packed, it is damaged; pack it again`,
  )

function refuseUnreadable(asked: string, { generalPurposeBitFlag, compressionMethod }: Entry) {
  const name = JSON.stringify(asked)
  if (generalPurposeBitFlag & 1)
    throw new TableError('not_text', `${name} in the archive is encrypted; send it without a password`)
  if (compressionMethod === stored || compressionMethod === deflated) return
  const says = `${name} is packed by method ${compressionMethod}, which is not read; pack it with ordinary ZIP compression (deflate), or send it unpacked`
  throw new TableError('not_text', says)
}

/** Some writers put a slash before the names of parts, and Office takes no notice of case. */
const nameOf = (name: string) => name.replace(/^\//, '').toLowerCase()
