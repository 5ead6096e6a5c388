/** Opens a ZIP archive and reads single entries of it as streams. */
import { type Entry, openPromise } from 'yauzl'

export interface ZipEntries {
  has(name: string): boolean
  /** @throws Error where the archive has no such entry, or what it holds is not as long as it says */
  read(name: string): AsyncGenerator<Uint8Array>
  close(): void
}

/** A workbook has a few dozen parts. */
const mostEntries = 10_000

export async function openZip(path: string): Promise<ZipEntries> {
  const zip = await openPromise(path, { lazyEntries: true, autoClose: false })
  const entries = new Map<string, Entry>()
  try {
    if (zip.entryCount > mostEntries) throw new Error(`the archive has ${zip.entryCount} entries`)
    await new Promise<void>((resolve, reject) => {
      zip.on('entry', (entry: Entry) => {
        entries.set(nameOf(entry.fileName), entry)
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
    has: (name) => entries.has(nameOf(name)),
    async *read(name) {
      const entry = entries.get(nameOf(name))
      if (!entry) throw new Error(`the archive has no ${name}`)
      yield* await zip.openReadStreamPromise(entry)
    },
    close: () => zip.close(),
  }
}

/** Some writers put a slash before the names of parts, and Office takes no notice of case. */
const nameOf = (name: string) => name.replace(/^\//, '').toLowerCase()
