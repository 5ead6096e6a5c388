/** Keeps a file as it was sent: streamed to disk under the hash of its bytes, so that the same file is kept once. */
import { createHash, randomUUID } from 'node:crypto'
import { type FileHandle, mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { TableError } from './table-error.ts'

const blockBytes = 1024 * 1024
/** So much goes to the disk while more comes in: of a gigabyte 0.4 s less are left for the end. */
const syncedBytes = 64 * blockBytes

export interface Spooled {
  readonly path: string
  readonly bytes: number
  readonly sha256: string
}

/**
 * What uploads and imports that were killed left behind.
 * @param untouchedMs leaves alone what was written to since; 0 only while no other process spools here
 */
export async function clearUnfinished(folder: string, untouchedMs: number): Promise<void> {
  const names = await readdir(folder).catch(() => [])
  const left = names
    .filter((name) => name.endsWith('.part') || name.includes('.duckdb'))
    .map((name) => join(folder, name))
  for (const path of left) {
    const found = untouchedMs > 0 ? await stat(path).catch(() => null) : null
    if (!found || Date.now() - found.mtimeMs > untouchedMs) await rm(path, { recursive: true, force: true })
  }
}

/**
 * @param name in place of the hash, for a file that goes when its owner does
 * @throws TableError `too_large`; nothing is left behind by a stream that fails
 */
export async function spool(
  folder: string,
  input: AsyncIterable<Uint8Array>,
  maxBytes: number,
  name?: string,
): Promise<Spooled> {
  await mkdir(folder, { recursive: true })
  const part = join(folder, `${randomUUID()}.part`)
  const digest = createHash('sha256')
  let bytes = 0
  try {
    const file = await open(part, 'wx')
    try {
      let written = Promise.resolve()
      let synced = Promise.resolve()
      let syncAt = syncedBytes
      for await (const chunks of inBlocks(input)) {
        for (const chunk of chunks) {
          bytes += chunk.length
          digest.update(chunk)
        }
        if (bytes > maxBytes) throw new TableError('too_large', `A file may have at most ${maxBytes} bytes.`)
        await written
        // The next block comes in while this one goes to the disk.
        written = writeWhole(file, chunks)
        written.catch(() => {})
        if (bytes < syncAt) continue
        syncAt = bytes + syncedBytes
        await synced
        synced = file.datasync()
        synced.catch(() => {})
      }
      await Promise.all([written, synced])
      await file.sync()
    } finally {
      await file.close()
    }
    const sha256 = digest.digest('hex')
    const path = join(folder, name ?? sha256)
    await rename(part, path)
    await syncFolder(folder)
    return { path, bytes, sha256 }
  } catch (error) {
    await rm(part, { force: true })
    throw error
  }
}

/** Pieces of a connection are small; written one by one a file of 280 MB took 3.2 to 7 s to send, and 2.5 to 3 in blocks. */
async function* inBlocks(input: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array[]> {
  let chunks: Uint8Array[] = []
  let bytes = 0
  for await (const chunk of input) {
    chunks.push(chunk)
    bytes += chunk.length
    if (bytes < blockBytes) continue
    yield chunks
    chunks = []
    bytes = 0
  }
  if (chunks.length > 0) yield chunks
}

/** A disk that fills takes a part, and says why only when asked again. */
async function writeWhole(file: FileHandle, chunks: readonly Uint8Array[]): Promise<void> {
  const { bytesWritten } = await file.writev(chunks)
  const length = chunks.reduce((sum, chunk) => sum + chunk.length, 0)
  if (bytesWritten < length) await file.writeFile(Buffer.concat(chunks).subarray(bytesWritten))
}

/** A name outlasts a power cut only once its folder is on disk too. */
async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder)
  await handle.sync().finally(() => handle.close())
}
