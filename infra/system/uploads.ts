/** Uploads in numbered parts: what was answered for is on disk and in its row, whatever is killed when. */
import { randomUUID } from 'node:crypto'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { joinParts, removePart, type WrittenPart, writePart } from '../../ingest/parts.ts'
import { TableError } from '../../ingest/table-error.ts'
import type { CompleteUpload, UploadPorts } from '../../ingest/upload-route.ts'
import { ServiceError } from '../../schemas/errors.ts'
import { retention } from '../../schemas/retention.ts'
import { uploadLimits } from '../../schemas/upload.ts'
import type { Catalog } from '../catalog/postgres.ts'
import {
  beginUpload,
  besidePart,
  endUpload,
  findUpload,
  holdUpload,
  isStale,
  listParts,
  type PartRow,
  putPart,
  staleUploads,
  type UploadRow,
  unclearedUploads,
  uploadsCleared,
} from '../catalog/uploads.ts'
import type { Config } from '../config.ts'
import type { Imports } from './imports.ts'
import { planRoom } from './plan-room.ts'

export interface Uploads extends Pick<UploadPorts, 'begin' | 'put' | 'complete' | 'remove'> {
  /** Ends those that nobody goes on with, and removes what ended ones have left. */
  sweep(): Promise<void>
}

interface Parts {
  readonly config: Config
  readonly catalog: Catalog
  readonly imports: Imports
}

/** So many numbers are told of what is missing. */
const mostTold = 20

export function openUploads({ config, catalog, imports }: Parts): Uploads {
  const pool = catalog.pipeline
  const room = planRoom(pool)
  const folderOf = (id: string) => join(config.dataFolder, 'spool', 'uploads', id)
  const clear = async (ids: readonly string[]) => {
    for (const id of ids) await rm(folderOf(id), { recursive: true, force: true })
  }

  async function write(upload: UploadRow, part: number, body: AsyncIterable<Uint8Array>) {
    const { former, others } = await besidePart(pool, upload.id, part)
    const left = (await room.bytesLeft(upload.workspace)) + (former?.bytes ?? 0)
    const bounds = [
      [uploadLimits.partBytes, `A part may have at most ${uploadLimits.partBytes} bytes`],
      [config.maxUploadBytes - others, `A file may have at most ${config.maxUploadBytes} bytes`],
      [left, `The plan keeps ${Math.max(0, left)} more bytes of files, and this part has more`],
    ] as const
    const [most, says] = bounds.reduce((a, b) => (b[0] < a[0] ? b : a))
    return writePart(folderOf(upload.id), part, body, Math.max(0, most)).catch((cause: unknown) => {
      if (!(cause instanceof TableError)) throw cause
      if (most === left) throw new ServiceError('PLAN_LIMIT', { message: says, cause })
      throw new ServiceError('INVALID_REQUEST', { status: 413, message: says, cause })
    })
  }

  /** @returns the file that stood in its place */
  async function keep(upload: UploadRow, part: number, written: WrittenPart, sha256: string | null) {
    if (written.bytes === 0) throw new ServiceError('INVALID_REQUEST', { message: 'A part has at least one byte' })
    if (sha256 !== null && sha256 !== written.sha256)
      throw new ServiceError('INVALID_REQUEST', {
        message: `The part came with the SHA-256 ${written.sha256}, which is not its Content-Digest; send it again`,
        field: 'content-digest',
      })
    return catalog.inTransaction(pool, async (tx) => {
      await openUpload(tx, upload.id)
      const { former, others } = await besidePart(tx, upload.id, part)
      if (others + written.bytes > config.maxUploadBytes)
        throw new ServiceError('INVALID_REQUEST', {
          status: 413,
          message: `A file may have at most ${config.maxUploadBytes} bytes`,
        })
      await putPart(tx, upload, { part, ...written })
      return former?.file ?? null
    })
  }

  async function importParts(upload: UploadRow, order: CompleteUpload): Promise<string> {
    const parts = await listParts(pool, upload.id)
    const bytes = checkParts(upload, parts, order)
    const job = await imports.accept({
      ...order,
      fileName: upload.fileName,
      body: joinParts(folderOf(upload.id), parts, order.sha256),
      origin: { kind: 'upload', id: upload.id, bytes },
    })
    await clear([upload.id])
    return job
  }

  return {
    async begin(order) {
      const id = randomUUID()
      const upload = await catalog.inTransaction(pool, (tx) => beginUpload(tx, { ...order, id }))
      const begun = upload.id === id
      return { upload, begun, parts: begun ? [] : await listParts(pool, upload.id) }
    },
    async put(upload, part, { body, sha256 }) {
      if (upload.job !== null) throw isComplete(upload.job)
      const written = await write(upload, part, body)
      const folder = folderOf(upload.id)
      const former = await keep(upload, part, written, sha256).catch(async (error: unknown) => {
        // Of a commit that nobody heard of the row may stand, so its file must too.
        if (error instanceof ServiceError) await removePart(folder, written.file)
        throw error
      })
      if (former !== null) await removePart(folder, former)
      return { part, bytes: written.bytes, sha256: written.sha256 }
    },
    async complete(upload, order) {
      try {
        return upload.job ?? (await importParts(upload, order))
      } catch (error) {
        // Another call may have made an import of the parts since, and they are gone: its job is this call's too.
        const job = (await findUpload(pool, upload.id))?.job ?? null
        if (job === null) throw error
        return job
      }
    },
    async remove({ id }) {
      await catalog.inTransaction(pool, async (tx) => {
        await openUpload(tx, id)
        await endUpload(tx, id, null)
      })
      await clear([id])
    },
    async sweep() {
      for (const id of await staleUploads(pool, retention.uploadDays))
        await catalog.inTransaction(pool, async (tx) => {
          if (await isStale(tx, id, retention.uploadDays)) await endUpload(tx, id, null)
        })
      const ended = await unclearedUploads(pool)
      await clear(ended)
      await uploadsCleared(pool, ended)
    },
  }
}

async function openUpload(tx: Parameters<typeof holdUpload>[0], id: string): Promise<void> {
  const held = await holdUpload(tx, id)
  if (held === null) throw new ServiceError('NOT_FOUND', { message: 'Upload not found', field: 'uploadId' })
  if (held.job !== null) throw isComplete(held.job)
}

const isComplete = (job: string) =>
  new ServiceError('CONFLICT', { message: `The upload is complete; job ${job} imports it` })

/** @returns the bytes of the whole */
function checkParts(upload: UploadRow, there: readonly PartRow[], { parts }: Pick<CompleteUpload, 'parts'>): number {
  const numbers = new Set(there.map(({ part }) => part))
  const missing = Array.from({ length: parts }, (_, i) => i + 1).filter((part) => !numbers.has(part))
  if (missing.length > 0)
    throw new ServiceError('CONFLICT', { message: `Not there yet: ${named(missing)}; send them`, field: 'parts' })
  const surplus = [...numbers].filter((part) => part > parts)
  if (surplus.length > 0)
    throw new ServiceError('CONFLICT', {
      message: `Of ${parts} parts there are also ${named(surplus)}; say how many there are, or begin another upload`,
      field: 'parts',
    })
  const bytes = there.reduce((sum, part) => sum + part.bytes, 0)
  if (upload.size !== null && upload.size !== bytes)
    throw new ServiceError('CONFLICT', {
      message: `The parts have ${bytes} bytes together, and the upload was begun for ${upload.size}`,
      field: 'size',
    })
  return bytes
}

function named(parts: readonly number[]): string {
  const told = parts.slice(0, mostTold).join(', ')
  const more = parts.length - mostTold
  return `${parts.length === 1 ? 'part' : 'parts'} ${told}${more > 0 ? ` and ${more} more` : ''}`
}
