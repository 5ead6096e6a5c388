/** GET …/catalogs/{catalogId}/changes: what publishes changed behind a position, for whoever missed something of it. */
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import type { PoolClient } from 'pg'
import { z } from 'zod'
import { type DeltaRow, deltaPage, followsKept, toldVersion, versionAfter } from '../../infra/catalog/delta-changes.ts'
import type { Catalog } from '../../infra/catalog/postgres.ts'
import { type CatalogRow, findCatalog } from '../../infra/catalog/tenants.ts'
import { ServiceError } from '../../schemas/errors.ts'
import { catalogId, productId, workspaceId } from '../../schemas/ids.ts'
import { type ChangePosition, endOfVersion, lastProduct, readChange, showChange } from '../../schemas/position.ts'
import { bearerOf, principalOf } from '../plugins/access.ts'
import { wholeNumber } from '../whole-number.ts'
import { exampleIds } from './examples.ts'
import { toVersionProduct, versionProduct } from './version-resource.ts'

const change = z.object({
  productId,
  version: z.int(),
  change: z.enum(['added', 'modified', 'removed']),
  /** As it is in that version; null where it was removed. */
  product: versionProduct.nullable(),
  position: z.string(),
})
type Change = z.infer<typeof change>

interface Page {
  readonly changes: Change[]
  readonly position: string
  readonly more: boolean
}

const gone = () =>
  new ServiceError('NOT_FOUND', {
    ...{ status: 410, field: 'after' },
    message:
      'What this position goes on from is no longer kept; read anew without after, and drop products that do not come',
  })

/** A version that wrote many products which are as they were has none to show: so many of its rows are passed by in one answer. */
const mostRows = 5_000

export const catalogChanges: FastifyPluginAsyncZod<{ catalog: Pick<Catalog, 'withTenant'> }> = async (
  app,
  { catalog },
) => {
  app.get(
    '/catalogs/:catalogId/changes',
    {
      config: { action: 'products:read', keptPlaces: true },
      schema: {
        summary: 'Read what publishes changed behind a position',
        description:
          'In order of version and product, under the positions that webhooks of the catalog, jobs and the topic `catalog.changes` have. Without `after`: all that is published now, as added. Ask on with `after={position}` while there is `more`; behind that it is where to go on after the next publish. 410: what the position goes on from is no longer kept.',
        tags: ['Versions'],
        errors: ['CATALOG_NOT_FOUND', { code: 'NOT_FOUND', status: 410 }],
        examples: {
          query: { after: endOfVersion(6), limit: 20 },
          answer: {
            changes: [
              {
                ...{ productId: exampleIds.productId, version: 7, change: 'removed', product: null },
                position: showChange({ mode: 't', version: 7, product: exampleIds.productId }),
              },
            ],
            position: endOfVersion(7),
            more: false,
          },
        },
        params: z.object({ workspaceId, catalogId }),
        querystring: z.object({ after: z.string().max(100).optional(), limit: wholeNumber(1, 200).default(20) }),
        response: { 200: z.object({ changes: z.array(change), position: z.string(), more: z.boolean() }) },
      },
    },
    async (request) => {
      const { after, limit } = request.query
      const from = readPlace(after)
      return catalog.withTenant(principalOf(bearerOf(request)), async (tx) => {
        const row = await findCatalog(tx, request.params.catalogId)
        if (!row) throw new ServiceError('CATALOG_NOT_FOUND', { field: 'catalogId' })
        return pageBehind(tx, row, await keptPlace(tx, row, from), limit)
      })
    },
  )
}

/** @throws 400 where it is no position */
function readPlace(after: string | undefined): ChangePosition | null {
  const place = after === undefined ? null : readChange(after)
  if (after === undefined || place) return place
  throw new ServiceError('INVALID_REQUEST', { field: 'after', message: 'after is no position of a catalog' })
}

/** @throws 410 where nothing can be gone on with from it */
async function keptPlace(
  tx: PoolClient,
  row: CatalogRow,
  place: ChangePosition | null,
): Promise<ChangePosition | null> {
  if (place === null || place.version === 0) return place
  if (place.version > row.publishedVersion || !(await toldVersion(tx, row.id, place.version))?.kept) throw gone()
  return place
}

interface Reading {
  readonly version: number
  readonly full: boolean
  readonly after: string | null
}

/** What is read next behind a place; null where there is nothing. */
async function readingBehind(tx: PoolClient, row: CatalogRow, place: ChangePosition | null): Promise<Reading | null> {
  if (place === null)
    return row.publishedVersion === 0 ? null : { version: row.publishedVersion, full: true, after: null }
  const { mode, version, product } = place
  if (mode === 's') return { version, full: true, after: product }
  if (product !== lastProduct) {
    if (!(await followsKept(tx, row.id, version))) throw gone()
    return { version, full: false, after: product }
  }
  const next = await versionAfter(tx, row.id, version)
  if (!next || next.version > row.publishedVersion) return null
  if (!next.kept) throw gone()
  return { version: next.version, full: false, after: null }
}

async function pageBehind(tx: PoolClient, row: CatalogRow, from: ChangePosition | null, limit: number): Promise<Page> {
  const changes: Change[] = []
  let place = from
  for (let rows = 0; changes.length < limit && rows < mostRows; ) {
    const reading = await readingBehind(tx, row, place)
    if (reading === null) return { changes, position: place ? showChange(place) : endOfVersion(0), more: false }
    const wanted = limit - changes.length
    const page = await deltaPage(tx, { catalog: row.id, ...reading }, [reading.after, null], wanted)
    for (const one of page) if (one.change !== null) changes.push(toChange(one, one.change, reading, row))
    rows += page.length + 1
    const last = page.at(-1)?.id
    place =
      page.length < wanted || last === undefined
        ? { mode: 't', version: reading.version, product: lastProduct }
        : { mode: reading.full ? 's' : 't', version: reading.version, product: last }
  }
  return {
    changes,
    position: place ? showChange(place) : endOfVersion(0),
    more: (await readingBehind(tx, row, place)) !== null,
  }
}

function toChange(
  { id, content }: DeltaRow,
  what: Change['change'],
  { version, full }: Reading,
  row: CatalogRow,
): Change {
  const product = what === 'removed' ? null : toVersionProduct({ id, content }, { ...row, catalogId: row.id })
  const position = showChange({ mode: full ? 's' : 't', version, product: id })
  return { productId: id, version, change: what, product, position }
}
