/** A background job as callers read it: how far it is, when it will be done, what came of it, and where to read more. */
import { z } from 'zod'
import type { JobRow } from '../infra/catalog/job-table.ts'
import { jobId } from '../schemas/ids.ts'
import { jobStatuses } from '../schemas/job.ts'

export const jobResource = z.object({
  id: jobId,
  kind: z.string(),
  status: z.enum(jobStatuses),
  /** Cancelling was asked for; it ends within seconds. */
  cancelling: z.boolean(),
  catalogId: z.uuid().nullable(),
  progress: z.object({
    done: z.int(),
    total: z.int().nullable(),
    /** Items a second since the job began. */
    rate: z.number().nullable(),
  }),
  /** When it will be done at this rate. */
  eta: z.iso.datetime().nullable(),
  result: z.unknown(),
  error: z.object({ code: z.string(), message: z.string() }).nullable(),
  /** Whether its end is told by mail; no_address: asked for, and neither member nor token has one. */
  notifyEmail: z.enum(['off', 'on', 'no_address']),
  /** The failed job that this one repeats. */
  retryOf: jobId.nullable(),
  links: z.object({
    self: z.string(),
    catalog: z.string().nullable(),
    /** The version that it made. */
    version: z.string().nullable(),
  }),
  createdAt: z.iso.datetime(),
  startedAt: z.iso.datetime().nullable(),
  finishedAt: z.iso.datetime().nullable(),
})

export function toJobResource(row: JobRow, now: Date) {
  const end = row.finishedAt ?? now
  const seconds = row.startedAt ? (end.getTime() - row.startedAt.getTime()) / 1_000 : 0
  const rate = seconds > 0.2 && row.done > 0 ? row.done / seconds : null
  const left = row.status === 'active' && rate !== null && row.total !== null ? (row.total - row.done) / rate : null
  const { retry_of: retryOf } = row.input
  return {
    id: row.id,
    kind: row.kind,
    status: row.status,
    cancelling: row.cancelling,
    catalogId: row.catalog,
    progress: { done: row.done, total: row.total, rate: rate === null ? null : Math.round(rate) },
    eta: left === null ? null : new Date(now.getTime() + left * 1_000).toISOString(),
    result: row.result,
    error: row.error,
    notifyEmail: mailOf(row),
    retryOf: typeof retryOf === 'string' ? retryOf : null,
    links: linksOf(row),
    createdAt: row.createdAt.toISOString(),
    startedAt: row.startedAt?.toISOString() ?? null,
    finishedAt: row.finishedAt?.toISOString() ?? null,
  }
}

function mailOf({ notify }: JobRow): 'off' | 'on' | 'no_address' {
  if (!notify) return 'off'
  return notify.to === null ? 'no_address' : 'on'
}

function linksOf({ id, workspace, catalog, kind, result }: JobRow) {
  const at = catalog === null ? null : `/api/workspace/${workspace}/catalogs/${catalog}`
  const version = (result as { version?: unknown } | null)?.version
  const made = kind === 'publish' && at !== null && typeof version === 'number'
  return { self: `/jobs/${id}`, catalog: at, version: made ? `${at}/versions/${version}` : null }
}
