/** Opens what a file holds: its own bytes, or those that are packed in it as gzip, zstd or ZIP, told by its first bytes. */
import { randomUUID } from 'node:crypto'
import { createReadStream, createWriteStream } from 'node:fs'
import { open, rm, stat } from 'node:fs/promises'
import { pipeline as pipe } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGunzip } from 'node:zlib'
import { TableError } from '../table-error.ts'
import { type Bounds, bounded } from './bounds.ts'
import { filePieces, pieceBytes } from './file-pieces.ts'
import { zipContent } from './zip-content.ts'
import { zstdFrames } from './zstd-frames.ts'

export interface Content {
  /** How it is packed, for people; null where it is not. */
  readonly note: string | null
  /** Starts reading from the beginning. A piece is good until the next is asked for. */
  open(): AsyncIterable<Uint8Array>
  /** Gives the bytes as a file, for readers that go to and fro in it; what was unpacked for that is gone afterwards. */
  onDisk<T>(look: (path: string) => AsyncIterable<T>): AsyncIterable<T>
}

/** An archive of nothing begins with its end. */
const packings = [
  { name: 'gzip', signatures: ['\x1f\x8b'] },
  { name: 'zstd', signatures: ['\x28\xb5\x2f\xfd', '\x50\x2a\x4d\x18'] },
  { name: 'ZIP', signatures: ['PK\x03\x04', 'PK\x05\x06', 'PK\x07\x08'] },
] as const

const packingOf = (start: string) =>
  packings.find(({ signatures }) => signatures.some((signature) => start.startsWith(signature)))

/** @throws TableError where it is an archive of several files, or of none */
export async function openContent(path: string, bounds: Bounds): Promise<Content> {
  const start = await startOf(path)
  const packing = packingOf(start)
  const plain: Content = { note: null, open: () => filePieces(path), onDisk: (look) => look(path) }
  if (!packing) return plain
  const { size } = await stat(path)
  if (packing.name !== 'ZIP') {
    const inflate = packing.name === 'gzip' ? gunzipped : zstdFrames
    return packed(path, packing.name, `packed with ${packing.name}`, () => bounded(inflate(path), size, bounds))
  }
  const content = await zipContent(path, bounds).catch((error: unknown) => {
    throw damaged('ZIP archive or Excel workbook', error)
  })
  if (!content) return plain
  return packed(path, 'ZIP', content.note, content.open)
}

/** What was in an archive is unpacked no further; a workbook is not known from an archive until it lies on a disk. */
export function refusePacked(start: Uint8Array): void {
  const packing = packingOf(Buffer.from(start.subarray(0, 4)).toString('latin1'))
  if (packing && packing.name !== 'ZIP')
    throw new TableError(
      'not_a_table',
      `What is packed in the file is itself a ${packing.name} archive; unpack it once, and send what is inside`,
    )
}

function packed(path: string, name: string, note: string, inflate: () => AsyncIterable<Uint8Array>): Content {
  const open = async function* () {
    try {
      yield* inflate()
    } catch (error) {
      throw damaged(`${name} archive`, error)
    }
  }
  return {
    note,
    open,
    async *onDisk(look) {
      // So named, it is cleared away at the next start where this process is killed.
      const unpacked = `${path}.${randomUUID()}.part`
      try {
        await pipeline(open, createWriteStream(unpacked))
        yield* look(unpacked)
      } finally {
        await rm(unpacked, { force: true })
      }
    },
  }
}

function gunzipped(path: string): AsyncIterable<Uint8Array> {
  const inflate = createGunzip()
  pipe(createReadStream(path, { highWaterMark: pieceBytes }), inflate, () => {})
  return inflate
}

/** The disk's errors have a name of a system call; what the unpackers say is the file's fault. */
function damaged(what: string, error: unknown): unknown {
  if (error instanceof TableError || (error instanceof Error && 'syscall' in error)) return error
  const fault = new TableError('not_text', `The file is a ${what} that breaks off or is damaged; pack it again`)
  fault.cause = error
  return fault
}

async function startOf(path: string): Promise<string> {
  const handle = await open(path)
  try {
    const { bytesRead, buffer } = await handle.read(Buffer.alloc(4), 0, 4, 0)
    return buffer.subarray(0, bytesRead).toString('latin1')
  } finally {
    await handle.close()
  }
}
