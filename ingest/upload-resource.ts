/** An upload as its caller reads it: what is there of it, what it may have, and until when. */
import { z } from 'zod'
import type { PartRow, UploadRow } from '../infra/catalog/uploads.ts'
import { retention } from '../schemas/retention.ts'
import { uploadLimits } from '../schemas/upload.ts'

export const partResource = z.object({ part: z.int(), bytes: z.int(), sha256: z.string() })

export const uploadResource = z.object({
  id: z.uuid(),
  fileName: z.string(),
  size: z.int().nullable(),
  sha256: z.string().nullable(),
  status: z.enum(['open', 'complete']),
  parts: z.array(partResource),
  /** Bytes of the parts that are there. */
  received: z.int(),
  limits: z.object({ parts: z.int(), partBytes: z.int() }),
  /** That imports it, once it is complete. */
  jobId: z.uuid().nullable(),
  createdAt: z.iso.datetime(),
  /** When it is gone unless another part comes; null once it is complete. */
  expiresAt: z.iso.datetime().nullable(),
})

export const examplePart = {
  part: 1,
  bytes: 16_777_216,
  sha256: '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
}

export const exampleUpload = {
  id: '6f708192-a3b4-45c6-9d7e-8f9011223344',
  fileName: 'autumn.csv',
  size: 52_428_800,
  sha256: 'b94d27b9934d3e08a52e52d7da7dabfac484efe37a5380ee9088f7ace2efcde9',
  status: 'open',
  parts: [examplePart],
  received: examplePart.bytes,
  limits: uploadLimits,
  jobId: null,
  createdAt: '2026-11-28T09:30:00.000Z',
  expiresAt: '2026-12-05T09:30:00.000Z',
}

const dayMs = 86_400_000

export function toUpload(row: UploadRow, parts: readonly PartRow[]): z.infer<typeof uploadResource> {
  const { id, fileName, size, sha256, job, createdAt, touchedAt } = row
  return {
    id,
    fileName,
    size,
    sha256,
    status: job === null ? 'open' : 'complete',
    parts: parts.map(({ part, bytes, sha256 }) => ({ part, bytes, sha256 })),
    received: parts.reduce((sum, { bytes }) => sum + bytes, 0),
    limits: uploadLimits,
    jobId: job,
    createdAt: createdAt.toISOString(),
    expiresAt: job === null ? new Date(touchedAt.getTime() + retention.uploadDays * dayMs).toISOString() : null,
  }
}
