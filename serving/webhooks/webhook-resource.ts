/** Webhooks, deliveries and attempts as callers see them; a secret is in none of them. */
import { z } from 'zod'
import type { AttemptRow, DeliveryRow } from '../../infra/catalog/webhook-deliveries.ts'
import type { WebhookRow } from '../../infra/catalog/webhooks.ts'
import { deltaTargets } from '../../schemas/delta.ts'
import { ServiceError } from '../../schemas/errors.ts'
import { brandId, catalogId, deliveryId, webhookId, workspaceId } from '../../schemas/ids.ts'
import { deliveryStates, inactiveReasons, webhookStates } from '../../schemas/webhook.ts'
import { exampleIds } from '../workspace/examples.ts'

const time = z.iso.datetime()
const told = (at: Date | null) => at?.toISOString() ?? null

export const webhookResource = z.object({
  id: webhookId,
  workspaceId,
  brandId,
  platform: z.string().nullable(),
  /** Of one that is sent what each publish of a catalog changes. */
  catalogId: catalogId.nullable(),
  target: z.enum(deltaTargets).nullable(),
  options: z.record(z.string(), z.unknown()).nullable(),
  /** Behind the changes that it has acknowledged; null also before the first part of a full push. */
  position: z.string().nullable(),
  url: z.string(),
  events: z.array(z.string()),
  state: z.enum(webhookStates),
  /** Why it is inactive: its retries failed, its receiver answered 410, a person paused it, or what it missed is no longer kept. */
  reason: z.enum(inactiveReasons).nullable(),
  inactiveAt: time.nullable(),
  createdBy: z.string(),
  createdAt: time,
  updatedAt: time,
})

const failure = z.object({ code: z.string(), message: z.string() }).nullable()

export const deliveryResource = z.object({
  id: deliveryId,
  webhookId,
  /** Counts the events of one webhook, without gap; null: a ping. */
  sequence: z.int().nullable(),
  event: z.string(),
  position: z.string().nullable(),
  state: z.enum(deliveryStates),
  attempts: z.int(),
  nextAttemptAt: time.nullable(),
  /** Of the last attempt. */
  status: z.int().nullable(),
  error: failure,
  createdAt: time,
  endedAt: time.nullable(),
})

const headers = z.record(z.string(), z.string())

export const deliveryLog = z.object({
  delivery: deliveryResource.extend({
    /** As it was signed and sent; null where it is made of versions that are no longer kept. */
    body: z.string().nullable(),
    log: z.array(
      z.object({
        attempt: z.int(),
        at: time,
        ms: z.int(),
        status: z.int().nullable(),
        error: failure,
        requestHeaders: headers,
        answerHeaders: headers.nullable(),
        /** Its first kilobyte. */
        answer: z.string().nullable(),
      }),
    ),
  }),
})

export const webhookOf = ({ rev: _rev, ...row }: WebhookRow) => ({
  ...row,
  options: row.options && { ...row.options },
  events: [...row.events],
  inactiveAt: told(row.inactiveAt),
  createdAt: row.createdAt.toISOString(),
  updatedAt: row.updatedAt.toISOString(),
})

export const deliveryOf = ({ micros: _micros, ...row }: DeliveryRow) => ({
  ...row,
  nextAttemptAt: told(row.nextAttemptAt),
  createdAt: row.createdAt.toISOString(),
  endedAt: told(row.endedAt),
})

export const attemptOf = (row: AttemptRow) => ({
  ...row,
  at: row.at.toISOString(),
  requestHeaders: { ...row.requestHeaders },
  answerHeaders: row.answerHeaders && { ...row.answerHeaders },
})

/** What the audit log says of one. */
export const saidOfWebhook = ({ platform, catalogId, target, url, events, state }: WebhookRow) => ({
  platform,
  ...(catalogId === null ? {} : { catalogId, target }),
  url,
  events,
  state,
})

export const webhookNotFound = () => new ServiceError('NOT_FOUND', { message: 'Webhook not found', field: 'webhookId' })
export const deliveryNotFound = () =>
  new ServiceError('NOT_FOUND', { message: 'Delivery not found', field: 'deliveryId' })

const at = '2026-11-29T09:30:00.000Z'

export const exampleWebhook = {
  id: exampleIds.webhookId,
  workspaceId: exampleIds.workspaceId,
  brandId: exampleIds.brandId,
  platform: null,
  catalogId: null,
  target: null,
  options: null,
  position: null,
  url: 'https://shop.example/hooks/assay',
  events: ['job.completed', 'job.failed'],
  state: 'active' as const,
  reason: null,
  inactiveAt: null,
  createdBy: exampleIds.subject,
  createdAt: at,
  updatedAt: at,
}

export const exampleDelivery = {
  id: exampleIds.deliveryId,
  webhookId: exampleIds.webhookId,
  sequence: 17,
  event: 'job.completed',
  position: null,
  state: 'delivered' as const,
  attempts: 1,
  nextAttemptAt: null,
  status: 204,
  error: null,
  createdAt: at,
  endedAt: at,
}

export const exampleLog = {
  delivery: {
    ...exampleDelivery,
    body: '{"type":"job.completed","timestamp":"2026-11-29T09:30:00.000Z","workspace_id":"ws_demo"}',
    log: [
      {
        attempt: 1,
        at,
        ms: 41,
        status: 204,
        error: null,
        requestHeaders: { 'content-type': 'application/json', 'webhook-id': exampleIds.deliveryId },
        answerHeaders: { server: 'shop' },
        answer: '',
      },
    ],
  },
}
