/** …/notifications: what the bearer is told, and nobody else; marking it as read. */
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { z } from 'zod'
import { listNotifications, readAllNotifications, readNotification } from '../../infra/catalog/notifications.ts'
import type { Catalog } from '../../infra/catalog/postgres.ts'
import { ServiceError } from '../../schemas/errors.ts'
import { brandId, workspaceId } from '../../schemas/ids.ts'
import { listQuery, nextCursor, readCursor } from '../cursor.ts'
import { bearerOf, principalOf } from '../plugins/access.ts'
import { exampleNotification } from './examples.ts'
import { notificationResource, toNotification } from './notification-resource.ts'

export const notifications: FastifyPluginAsyncZod<{ catalog: Pick<Catalog, 'withTenant'> }> = async (
  app,
  { catalog },
) => {
  const tags = ['Notifications']
  const config = { action: 'jobs:read' } as const
  const params = z.object({ workspaceId })
  const body = z.strictObject({ brand_id: brandId.optional() }).nullish()

  app.get(
    '/notifications',
    {
      config,
      schema: {
        summary: 'What you are told, newest first',
        description: 'Only who started a job is told of its end: a person, or whoever holds the key that started it.',
        tags,
        examples: {
          query: { limit: 20, unread: 'true' },
          answer: { notifications: [exampleNotification], next: null },
        },
        params,
        querystring: listQuery.extend({
          brand_id: z.union([brandId, z.literal('all')]).optional(),
          unread: z.enum(['true', 'false']).optional(),
        }),
        response: {
          200: z.object({ notifications: z.array(notificationResource), next: z.string().nullable() }),
        },
      },
    },
    async (request) => {
      const bearer = bearerOf(request)
      const { after, limit, unread } = request.query
      const place = { unread: unread === 'true', after: readCursor(after) }
      const rows = await catalog.withTenant(principalOf(bearer), (tx) =>
        listNotifications(tx, bearer.subject, place, limit + 1),
      )
      return { notifications: rows.slice(0, limit).map(toNotification), next: nextCursor(rows, limit) }
    },
  )

  app.post(
    '/notifications/:notificationId/read',
    {
      config,
      schema: {
        summary: 'Mark a notification as read',
        tags,
        errors: ['NOT_FOUND'],
        examples: {
          body: {},
          answer: { notification: { ...exampleNotification, readAt: exampleNotification.createdAt } },
        },
        params: params.extend({ notificationId: z.uuid().toLowerCase() }),
        body,
        response: { 200: z.object({ notification: notificationResource }) },
      },
    },
    async (request) => {
      const bearer = bearerOf(request)
      const row = await catalog.withTenant(principalOf(bearer), (tx) =>
        readNotification(tx, bearer.subject, request.params.notificationId),
      )
      if (!row) throw new ServiceError('NOT_FOUND', { message: 'Notification not found', field: 'notificationId' })
      return { notification: toNotification(row) }
    },
  )

  app.post(
    '/notifications/read-all',
    {
      config,
      schema: {
        summary: 'Mark all notifications as read',
        tags,
        examples: { body: {}, answer: { read: 3 } },
        params,
        body,
        response: { 200: z.object({ read: z.int() }) },
      },
    },
    async (request) => {
      const bearer = bearerOf(request)
      const read = await catalog.withTenant(principalOf(bearer), (tx) => readAllNotifications(tx, bearer.subject))
      return { read }
    },
  )
}
