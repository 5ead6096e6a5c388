/** What a file was before it became an import: its preview or its upload ends in the transaction that starts the import, once. */
import type { PoolClient } from 'pg'
import type { Origin } from '../../ingest/accept.ts'
import { ServiceError } from '../../schemas/errors.ts'
import { holdPreview, previewImported } from '../catalog/previews.ts'
import { endUpload, holdUpload } from '../catalog/uploads.ts'

interface Kind {
  readonly hold: (tx: PoolClient, id: string) => Promise<{ job: string | null } | null>
  readonly imported: (tx: PoolClient, id: string, job: string) => Promise<void>
  readonly gone: string
}

const kinds: Readonly<Record<Origin['kind'], Kind>> = {
  preview: { hold: holdPreview, imported: previewImported, gone: 'The preview is kept no longer; send the file again' },
  upload: { hold: holdUpload, imported: endUpload, gone: 'Upload not found' },
}

/** @returns the job that imports it already */
export async function holdOrigin(tx: PoolClient, { kind, id }: Origin): Promise<string | null> {
  const found = await kinds[kind].hold(tx, id)
  if (found === null) throw new ServiceError('NOT_FOUND', { message: kinds[kind].gone })
  return found.job
}

export const originImported = (tx: PoolClient, { kind, id }: Origin, job: string): Promise<void> =>
  kinds[kind].imported(tx, id, job)
