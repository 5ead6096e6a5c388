/** …/dead-letters: what no step of the pipeline could read, why, what was tried since; and redriving it after a fix. */
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { z } from 'zod'
import { brandNamed } from '../../infra/catalog/brands.ts'
import {
  countDeadKinds,
  type DeadFilter,
  findDeadLetter,
  listAttempts,
  listDeadLetters,
} from '../../infra/catalog/dead-letters.ts'
import type { Notify } from '../../infra/catalog/job-table.ts'
import type { Catalog } from '../../infra/catalog/postgres.ts'
import { findCatalog } from '../../infra/catalog/tenants.ts'
import { type DeadPlace, deadKindNames, deadStates } from '../../schemas/dead-letter.ts'
import { ServiceError } from '../../schemas/errors.ts'
import { brandId, catalogId, importId, jobId, workspaceId } from '../../schemas/ids.ts'
import { instant } from '../../schemas/instant.ts'
import { listQuery, nextTextCursor, readTextCursor } from '../cursor.ts'
import { type Bearer, bearerOf, principalOf } from '../plugins/access.ts'
import { deadAttempt, deadLetter, letterId, placeOfLetter, toAttempt, toDeadLetter } from './dead-letter-resource.ts'
import { exampleDeadLetter, exampleIds } from './examples.ts'
import { notifyOf } from './notify-of.ts'

export interface DeadLetterPorts {
  readonly catalog: Pick<Catalog, 'withTenant'>
  /** The record's bytes, or why they are not to be had. */
  readonly readLetter: (place: DeadPlace) => Promise<{ readonly value: Uint8Array } | { readonly missing: string }>
  readonly redrive: (order: {
    workspace: string
    brand: string
    brands: readonly string[] | null
    filter: DeadFilter
    rate: number
    dryRun: boolean
    by: string
    requestId: string
    notify: Notify | null
  }) => Promise<string>
}

/** Letters a second, unless said. */
const usualRate = 500
/** Of a record that is no JSON, so many bytes are shown. */
const shownBytes = 65_536

const filter = {
  catalog_id: catalogId.optional(),
  import_id: importId.optional(),
  kind: z.enum(deadKindNames).optional(),
  topic: z.string().max(100).optional(),
  since: instant.optional(),
  until: instant.optional(),
}

const toFilter = (
  said: {
    [K in keyof typeof filter]?: string | undefined
  } & { kind?: DeadFilter['kind'] },
): DeadFilter => {
  const { catalog_id: catalog, import_id: of, kind, topic, since, until } = said
  return { catalog, import: of, kind, topic, since, until }
}

const redriveBody = z
  .strictObject({
    ids: z.array(letterId).min(1).max(1_000).optional(),
    ...filter,
    /** Said where no ids and no filter are: every dead letter that the caller may see. */
    all: z.literal(true).optional(),
    /** Letters a second. */
    rate: z.int().min(1).max(10_000).optional(),
    dry_run: z.boolean().optional(),
    notify_email: z.boolean().optional(),
    brand_id: brandId.optional(),
  })
  .superRefine((body, context) => {
    const named = Object.keys(filter).filter((name) => body[name as keyof typeof filter] !== undefined)
    const ways = [body.ids !== undefined, body.all !== undefined, named.length > 0].filter(Boolean).length
    if (ways === 1) return
    const message = 'say which: ids, a filter (catalog_id, import_id, kind, topic, since, until), or "all": true'
    context.addIssue({ code: 'custom', message, path: [body.ids === undefined ? 'all' : 'ids'] })
  })

const row = /^\d{1,15}$/
const kindCount = z.object({
  kind: z.enum(deadKindNames),
  says: z.string(),
  count: z.int(),
  /** The newest of them. */
  sample: deadLetter,
})

export const deadLetters: FastifyPluginAsyncZod<DeadLetterPorts> = async (app, { catalog, readLetter, redrive }) => {
  app.get(
    '/dead-letters',
    {
      config: { action: 'catalogs:read' },
      schema: {
        summary: 'List dead letters',
        description:
          'Records that no step could read, newest first, with the reason; `kinds` counts those that the filters leave, by why they died. ' +
          'A letter of no known brand is shown to those who have all brands.',
        tags: ['Dead letters'],
        examples: {
          query: { state: 'dead', kind: 'failed', limit: 20 },
          answer: {
            deadLetters: [exampleDeadLetter],
            kinds: [{ kind: 'failed', says: exampleDeadLetter.says, count: 1, sample: exampleDeadLetter }],
            next: null,
          },
        },
        params: z.object({ workspaceId }),
        querystring: listQuery.extend({ ...filter, state: z.enum(deadStates).optional() }),
        response: {
          200: z.object({ deadLetters: z.array(deadLetter), kinds: z.array(kindCount), next: z.string().nullable() }),
        },
      },
    },
    async (request) => {
      const { after, limit, state, ...said } = request.query
      const wanted = { ...toFilter(said), state }
      const from = readTextCursor(after, row)
      const { rows, kinds } = await catalog.withTenant(principalOf(bearerOf(request)), async (tx) => ({
        rows: await listDeadLetters(tx, wanted, from === null ? null : Number(from), limit + 1),
        kinds: await countDeadKinds(tx, wanted),
      }))
      return {
        deadLetters: rows.slice(0, limit).map(toDeadLetter),
        kinds: kinds.map(({ kind, count, sample }) => {
          const shown = toDeadLetter(sample)
          return { kind, says: shown.says, count, sample: shown }
        }),
        next: nextTextCursor(
          rows.map(({ id }) => String(id)),
          limit,
        ),
      }
    },
  )

  app.get(
    '/dead-letters/:letterId',
    {
      config: { action: 'catalogs:read' },
      schema: {
        summary: 'Read a dead letter',
        description:
          'With every attempt, and the record: `record` where its bytes are JSON, else `bytes` in base64 (64 KB at most); both null where it is not to be had, and `missing` says why: the log no longer has it, its brokers are not named, it cannot be read.',
        tags: ['Dead letters'],
        errors: ['NOT_FOUND'],
        examples: {
          answer: {
            deadLetter: exampleDeadLetter,
            attempts: [
              {
                ...{ attempt: 1, at: exampleDeadLetter.diedAt, jobId: null, by: null, result: 'dead' },
                ...{ kind: 'failed', reason: exampleDeadLetter.reason },
              },
            ],
            record: { v: 1, op: 'put', source: 'file:autumn', cells: { SKU: 'MUG-1', Title: 'Enamel mug' } },
            bytes: null,
            missing: null,
          },
        },
        params: z.object({ workspaceId, letterId }),
        response: {
          200: z.object({
            deadLetter,
            attempts: z.array(deadAttempt),
            record: z.record(z.string(), z.unknown()).nullable(),
            bytes: z.string().nullable(),
            /** Why there is neither. */
            missing: z.string().nullable(),
          }),
        },
      },
    },
    async (request) => {
      const place = placeOfLetter(request.params.letterId)
      const { found, attempts } = await catalog.withTenant(principalOf(bearerOf(request)), async (tx) => ({
        found: await findDeadLetter(tx, place),
        attempts: await listAttempts(tx, place),
      }))
      if (!found) throw new ServiceError('NOT_FOUND', { field: 'letterId' })
      const read = await readLetter(place)
      const value = 'value' in read ? read.value : null
      const record = value && objectIn(value)
      const bytes = value && !record ? Buffer.from(value).subarray(0, shownBytes).toString('base64') : null
      return {
        deadLetter: toDeadLetter(found),
        attempts: attempts.map(toAttempt),
        record,
        bytes,
        missing: 'missing' in read ? read.missing : null,
      }
    },
  )

  /** The brand that the job is of, and rows in place of ids. */
  async function scopeOf(bearer: Bearer, ids: readonly string[] | undefined, catalogId: string | undefined) {
    return catalog.withTenant(principalOf(bearer), async (tx) => {
      const named = catalogId === undefined ? null : await findCatalog(tx, catalogId)
      if (catalogId !== undefined && !named) throw new ServiceError('CATALOG_NOT_FOUND', { field: 'catalog_id' })
      const rows: number[] = []
      for (const id of ids ?? []) {
        const found = await findDeadLetter(tx, placeOfLetter(id))
        if (!found) throw new ServiceError('NOT_FOUND', { message: `There is no dead letter ${id}`, field: 'ids' })
        rows.push(found.id)
      }
      const own = bearer.brands === '*' ? null : bearer.brands
      const brand = named?.brandId ?? bearer.brand ?? own?.[0] ?? (await brandNamed(tx, bearer.workspace, 'main'))
      if (!brand)
        throw new ServiceError('INVALID_REQUEST', { message: 'Say which brand with brand_id', field: 'brand_id' })
      return { brand, rows: ids && rows }
    })
  }

  app.post(
    '/dead-letters/redrive',
    {
      config: { action: 'catalogs:write' },
      schema: {
        summary: 'Redrive dead letters',
        description:
          'As a job, after what killed them is mended: each is read again and counts at its original position, so an old value never beats a newer one; ' +
          'its row of an import moves from rejected to its new result. What still cannot be read stays dead, with another attempt. ' +
          'Redriving twice changes nothing. A message of an inbound topic counts between the records that were there when it died and those that came after. With `dry_run` the job tells what it would do, and does nothing.',
        tags: ['Dead letters'],
        errors: ['NOT_FOUND', 'CATALOG_NOT_FOUND'],
        examples: { body: { kind: 'unknown_context', dry_run: true }, answer: { job: { id: exampleIds.jobId } } },
        params: z.object({ workspaceId }),
        body: redriveBody,
        response: { 202: z.object({ job: z.object({ id: jobId }) }) },
      },
    },
    async (request, reply) => {
      const bearer = bearerOf(request)
      const { ids, all: _, rate = usualRate, dry_run: dryRun = false, notify_email, brand_id, ...said } = request.body
      const { brand, rows } = await scopeOf(bearer, ids, said.catalog_id)
      const brands = brand_id === undefined ? (bearer.brands === '*' ? null : bearer.brands) : [brand_id]
      const id = await redrive({
        ...{ workspace: bearer.workspace, brand, brands, filter: { ...toFilter(said), ids: rows }, rate, dryRun },
        ...{ by: bearer.subject, requestId: request.id, notify: await notifyOf(catalog, bearer, notify_email) },
      })
      return reply.code(202).send({ job: { id } })
    },
  )
}

function objectIn(bytes: Uint8Array): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes))
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : null
  } catch {
    return null
  }
}
