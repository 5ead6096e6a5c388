/** The SHA-256 of every file of a backup, in the form that `sha256sum --check` reads; written last, it is what makes a folder a backup. */
import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { type FileHandle, open, rename, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { pieceBytesFor } from './piece-bytes.ts'
import { syncFolder } from './sync-folder.ts'

export interface Checksum {
  readonly sha256: string
  /** In the backup, with slashes. */
  readonly name: string
}

export const checksumList = 'SHA256SUMS'
const line = /^([0-9a-f]{64}) {2}([A-Za-z0-9._/=-]+)$/

export interface ChecksumWriter {
  add(checksum: Checksum): Promise<void>
  /** From now on the folder is a backup. */
  finish(): Promise<void>
  /** Leaves it as it is. */
  close(): Promise<void>
}

export async function writeChecksums(folder: string): Promise<ChecksumWriter> {
  const draft = join(folder, `${checksumList}.draft`)
  const file: FileHandle = await open(draft, 'wx', 0o600)
  return {
    add: async ({ sha256, name }) => void (await file.write(`${sha256}  ${name}\n`)),
    async finish() {
      await file.sync()
      await file.close()
      await rename(draft, join(folder, checksumList))
      await syncFolder(folder)
    },
    close: () => file.close(),
  }
}

/** @returns null where the folder has none: it is no backup, or one that was not finished */
export async function readChecksums(folder: string): Promise<AsyncGenerator<Checksum> | null> {
  const file = await open(join(folder, checksumList)).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT' && error.code !== 'ENOTDIR') throw error
    return null
  })
  return file && lines(file)
}

async function* lines(file: FileHandle): AsyncGenerator<Checksum> {
  for await (const text of createInterface({ input: file.createReadStream(), crlfDelay: Number.POSITIVE_INFINITY })) {
    const [, sha256, name] = line.exec(text) ?? []
    if (sha256 === undefined || name === undefined || name.split('/').includes('..'))
      throw new BackupDamaged(`The backup is damaged: ${checksumList} has a line that is no checksum`)
    yield { sha256, name }
  }
}

/** @param onBytes told of each piece @throws ENOENT */
export async function sha256Of(path: string, onBytes: (bytes: number) => void = () => {}): Promise<string> {
  const digest = createHash('sha256')
  const { size } = await stat(path)
  for await (const chunk of createReadStream(path, { highWaterMark: pieceBytesFor(size) })) {
    digest.update(chunk)
    onBytes(chunk.length)
  }
  return digest.digest('hex')
}

/** Its message says which file is not what was written. */
export class BackupDamaged extends Error {
  override readonly name = 'BackupDamaged'
}
