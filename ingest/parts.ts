/** The bytes of an upload's parts on disk: each under a name of its own, so that no two writers ever meet in one file. */
import { createHash, randomUUID } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { ServiceError } from '../schemas/errors.ts'
import { type Spooled, spool } from './spool.ts'

export interface WrittenPart extends Omit<Spooled, 'path'> {
  readonly file: string
}

/** @throws TableError `too_large` */
export async function writePart(
  folder: string,
  part: number,
  body: AsyncIterable<Uint8Array>,
  maxBytes: number,
): Promise<WrittenPart> {
  const file = `${part}-${randomUUID()}`
  const { bytes, sha256 } = await spool(folder, body, maxBytes, file)
  return { file, bytes, sha256 }
}

export const removePart = (folder: string, file: string): Promise<void> => rm(join(folder, file), { force: true })

/**
 * @param sha256 of the whole, lowercase hex
 * @throws ServiceError behind the last byte where they are not that file, and where a part was sent anew meanwhile
 */
export async function* joinParts(
  folder: string,
  parts: readonly { readonly part: number; readonly file: string }[],
  sha256: string,
): AsyncGenerator<Uint8Array> {
  const digest = createHash('sha256')
  for (const { part, file } of parts) {
    try {
      for await (const chunk of createReadStream(join(folder, file), { highWaterMark: 2 ** 20 })) {
        digest.update(chunk)
        yield chunk
      }
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
      throw new ServiceError('CONFLICT', {
        message: `Part ${part} was sent anew meanwhile; complete the upload again, and send the part again if that says the same`,
      })
    }
  }
  const found = digest.digest('hex')
  if (found === sha256) return
  throw new ServiceError('INVALID_REQUEST', {
    status: 422,
    field: 'sha256',
    message: `The parts together have the SHA-256 ${found}; compare the hash of each part, which the upload has, with your file's, and send again those that differ`,
  })
}
