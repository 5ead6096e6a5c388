/** Keeps a file as it was sent: streamed to disk under the hash of its bytes, so that the same file is kept once. */
import { createHash, randomUUID } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { TableError } from './table-error.ts'

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
  const measure = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      bytes += chunk.length
      digest.update(chunk)
      done(bytes > maxBytes ? new TableError('too_large', `A file may have at most ${maxBytes} bytes.`) : null, chunk)
    },
  })
  try {
    await pipeline(input, measure, createWriteStream(part, { flush: true }))
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

/** A name outlasts a power cut only once its folder is on disk too. */
async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder)
  await handle.sync().finally(() => handle.close())
}
