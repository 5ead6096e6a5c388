/** POST …/datasets/fetch: imports a file that lies at an address. Beside the uploads' route, which must never read a body as JSON; in the body, since such an address may hold a secret, and queries are logged. */
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { z } from 'zod'
import { EgressError } from '../schemas/egress-error.ts'
import { ServiceError } from '../schemas/errors.ts'
import { brandId, catalogId, workspaceId } from '../schemas/ids.ts'
import type { Offer } from './accept.ts'
import type { DatasetPorts } from './dataset-route.ts'
import { encodingNames } from './encoding/names.ts'
import { fileKinds } from './readers/table.ts'
import { TableError } from './table-error.ts'

export interface FetchOffer extends Omit<Offer, 'body' | 'spooled' | 'fileName'> {
  readonly url: URL
}

export interface FetchPorts extends Pick<DatasetPorts, 'target' | 'notify'> {
  /** @returns the job, which fetches first */
  readonly fetch: (offer: FetchOffer) => Promise<string>
  /** @throws EgressError for what is no public https address */
  readonly checkAddress: (address: string) => URL
}

const order = z.strictObject({
  url: z.string(),
  catalog_id: catalogId.optional(),
  brand_id: brandId.optional(),
  source: z.string().optional(),
  /** Told by the bytes where absent. */
  kind: z.enum(fileKinds).optional(),
  /** What text is written in; found out where absent. */
  encoding: z.enum(encodingNames).optional(),
  /** Of a workbook: by name, or by number from 1. */
  sheet: z.string().min(1).max(200).optional(),
  /** `COLUMN=field` */
  map: z.array(z.string()).max(2_000).optional(),
  notify_email: z.boolean().optional(),
})

export const datasetFetch: FastifyPluginAsyncZod<FetchPorts> = async (app, { fetch, target, notify, checkAddress }) => {
  app.post(
    '/datasets/fetch',
    {
      config: { action: 'imports:write' },
      schema: {
        summary: 'Import a file of products from an address',
        description:
          'The job fetches the file over https and then imports it as if it had been sent; its notes say from where it came, with ETag and Last-Modified. Addresses inside a network are refused.',
        tags: ['Imports'],
        errors: ['CATALOG_NOT_FOUND'],
        examples: {
          body: { url: 'https://shop.example/feeds/products.csv', source: 'warehouse' },
          answer: { job: { id: '9e4d3c2b-1a0f-4e8d-9c7b-6a5f4e3d2c43' } },
        },
        params: z.object({ workspaceId }),
        body: order,
        response: { 202: z.object({ job: z.object({ id: z.uuid() }) }) },
      },
    },
    async (request, reply) => {
      const { url, catalog_id, brand_id: _named, source, kind, encoding, sheet, map = [], notify_email } = request.body
      try {
        const checked = checkAddress(url)
        const scope = await target(request, catalog_id)
        const told = await notify(request, notify_email === true)
        const id = await fetch({ ...scope, url: checked, source, kind, encoding, sheet, map, notify: told })
        return await reply.code(202).send({ job: { id } })
      } catch (cause) {
        if (cause instanceof EgressError)
          throw new ServiceError('INVALID_REQUEST', { message: cause.message, field: 'url', cause })
        if (cause instanceof TableError)
          throw new ServiceError('INVALID_REQUEST', { message: cause.says, field: 'map', cause })
        throw cause
      }
    },
  )
}
