/** Opens a ZIP archive and reads single entries of it as streams. */
import { type Entry, openPromise } from 'yauzl'
import { TableError } from '../table-error.ts'
import { type Bounds, bounded, defaultBounds } from './bounds.ts'

export interface ZipEntries {
  /** As they stand in the archive, in its order. */
  readonly names: readonly string[]
  has(name: string): boolean
  /** @throws Error where the archive has no such entry, or what it holds is not as long as it says */
  read(name: string, bounds?: Bounds): AsyncGenerator<Uint8Array>
  close(): void
}

/** A workbook has a few dozen parts. */
const mostEntries = 10_000
/** "4.4.5 compression method", of which these two are read. */
const stored = 0
const deflated = 8

export async function openZip(path: string): Promise<ZipEntries> {
  const zip = await openPromise(path, { lazyEntries: true, autoClose: false })
  const entries = new Map<string, Entry>()
  const names: string[] = []
  try {
    if (zip.entryCount > mostEntries) throw new Error(`the archive has ${zip.entryCount} entries`)
    await new Promise<void>((resolve, reject) => {
      zip.on('entry', (entry: Entry) => {
        entries.set(nameOf(entry.fileName), entry)
        names.push(entry.fileName)
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
      refuseUnreadable(entry)
      yield* bounded(await zip.openReadStreamPromise(entry), entry.compressedSize, bounds)
    },
    close: () => zip.close(),
  }
}

function refuseUnreadable({ fileName, generalPurposeBitFlag, compressionMethod }: Entry) {
  const name = JSON.stringify(fileName)
  if (generalPurposeBitFlag & 1)
    throw new TableError('not_text', `${name} in the archive is encrypted; send it without a password`)
  if (compressionMethod === stored || compressionMethod === deflated) return
  const says = `${name} is packed by method ${compressionMethod}, which is not read; pack it with ordinary ZIP compression (deflate), or send it unpacked`
  throw new TableError('not_text', says)
}

/** Some writers put a slash before the names of parts, and Office takes no notice of case. */
const nameOf = (name: string) => name.replace(/^\//, '').toLowerCase()
