/** A notification as its recipient reads it. */
import { z } from 'zod'
import type { NotificationRow } from '../../infra/catalog/notifications.ts'
import { brandId, jobId } from '../../schemas/ids.ts'

export const notificationResource = z.object({
  id: z.uuid(),
  brandId,
  /** job.completed or job.failed. */
  kind: z.string(),
  jobId: jobId.nullable(),
  title: z.string(),
  text: z.string(),
  createdAt: z.iso.datetime(),
  readAt: z.iso.datetime().nullable(),
})

export const toNotification = ({ id, brand, kind, job, title, text, createdAt, readAt }: NotificationRow) => ({
  id,
  brandId: brand,
  kind,
  jobId: job,
  title,
  text,
  createdAt: createdAt.toISOString(),
  readAt: readAt?.toISOString() ?? null,
})
