/** POST …/customers/erase: makes a customer's events nobody's. */
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { z } from 'zod'
import type { Catalog } from '../../infra/catalog/postgres.ts'
import { workspaceId } from '../../schemas/ids.ts'
import { requireAllBrands } from '../access/all-brands.ts'
import { bearerOf, principalOf } from '../plugins/access.ts'
import { recordChange } from './record-change.ts'

export interface CustomerPorts {
  readonly catalog: Pick<Catalog, 'withTenant'>
  readonly eraseCustomer: (workspace: string, customer: string) => Promise<boolean>
}

export const customers: FastifyPluginAsyncZod<CustomerPorts> = async (app, { catalog, eraseCustomer }) => {
  app.post(
    '/customers/erase',
    {
      config: { action: 'workspace:write' },
      schema: {
        summary: 'Erase a customer',
        description:
          'Events know a customer by a hash with a salt of their own. Without the salt, which this erases, nobody can tell any more whose events those were: in the log, the archive, backups that are made from now on, and the tables. Counts stay as they were. Events that come later under the same id are of another person.',
        tags: ['Events'],
        examples: { body: { customer_id: 'c-1041' }, answer: { erased: true } },
        params: z.object({ workspaceId }),
        body: z.strictObject({ customer_id: z.string().min(1).max(200) }),
        response: { 200: z.object({ erased: z.boolean() }) },
      },
    },
    async (request) => {
      const bearer = bearerOf(request)
      requireAllBrands(bearer)
      const erased = await eraseCustomer(bearer.workspace, request.body.customer_id)
      if (erased)
        await catalog.withTenant(principalOf(bearer), (tx) =>
          // Not whom: that would keep what was to go.
          recordChange(tx, request, {
            brand: null,
            action: 'customer.erase',
            target: 'customer',
            before: null,
            after: null,
          }),
        )
      return { erased }
    },
  )
}
