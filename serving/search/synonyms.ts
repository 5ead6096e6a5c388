/** Synonyms of a brand: list, write, delete, write many from a file, and see what they would change. */
import { isUtf8 } from 'node:buffer'
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { z } from 'zod'
import type { Catalog } from '../../infra/catalog/postgres.ts'
import {
  countSynonyms,
  deleteSynonym,
  findSynonyms,
  listSynonyms,
  type NewSynonym,
  writeSynonyms,
} from '../../infra/catalog/synonym-queries.ts'
import { ServiceError } from '../../schemas/errors.ts'
import { brandId, catalogId, workspaceId } from '../../schemas/ids.ts'
import { readSynonymFile, type SynonymFault } from '../../transforms/search/synonym-file.ts'
import { listQuery, nextCursor, readCursor } from '../cursor.ts'
import { bearerOf } from '../plugins/access.ts'
import { exampleIds } from '../workspace/examples.ts'
import { recordChange } from '../workspace/record-change.ts'
import { previewSynonyms } from './preview-synonyms.ts'
import type { SearchPorts } from './run-search.ts'
import { faultOf, newSynonym, synonymBody, synonymResource, toResource } from './synonym-resource.ts'
import { tellingScope } from './telling-scope.ts'

export interface SynonymPorts {
  readonly catalog: Pick<Catalog, 'withTenant'>
  readonly search: SearchPorts
  readonly now: () => Date
}

/** Each is found by one look-up, however many there are; so many a person could still look through. */
const mostSynonyms = 50_000
const mostFileBytes = 8 * 1024 * 1024
const mostAtOnce = 1_000
/** Of those that are written together; the others are counted. */
const mostAudited = 20

const tags = ['Search']
const example = {
  ...{
    id: exampleIds.synonymId,
    brandId: exampleIds.brandId,
    term: null,
    words: ['trainers', 'sneakers'],
    locale: null,
  },
  ...{ createdAt: '2026-11-27T10:00:00.000Z', updatedAt: '2026-11-27T10:00:00.000Z' },
}
const changed = z.object({
  q: z.string(),
  before: z.int(),
  after: z.int(),
  /** Of the first ten, those that come in and those that go. */
  added: z.array(z.uuid()),
  removed: z.array(z.uuid()),
})

export const synonyms: FastifyPluginAsyncZod<SynonymPorts> = async (app, ports) => {
  const { catalog } = ports
  const params = z.object({ workspaceId })
  const one = params.extend({ synonymId: z.uuid().toLowerCase() })
  const ofBrand = z.object({ brand_id: z.string().optional() })
  app.addContentTypeParser<Buffer>(
    'text/csv',
    { parseAs: 'buffer', bodyLimit: mostFileBytes },
    (_request, body, done) => (isUtf8(body) ? done(null, body.toString()) : done(notUtf8())),
  )

  app.get(
    '/synonyms',
    {
      config: { action: 'search:read' },
      schema: {
        summary: 'Synonyms of a brand',
        tags,
        params,
        querystring: listQuery.extend(ofBrand.shape),
        examples: { answer: { synonyms: [example], next: null } },
        response: { 200: z.object({ synonyms: z.array(synonymResource), next: z.string().nullable() }) },
      },
    },
    async (request) => {
      const { after, limit } = request.query
      const { brand, within } = await tellingScope(bearerOf(request), catalog)
      const rows = await within((tx) => listSynonyms(tx, brand, readCursor(after), limit + 1))
      return { synonyms: rows.slice(0, limit).map(toResource), next: nextCursor(rows, limit) }
    },
  )

  app.post(
    '/synonyms',
    {
      config: { action: 'search:write' },
      schema: {
        summary: 'Writes synonyms',
        description:
          'Without `term` each of the words means all the others; with it the term means the words, and they do not mean it. Of the same words (or the same term) it is the same synonym: one that is there is written over. They count from the next search on.',
        tags,
        params,
        body: z.strictObject({ brand_id: brandId.optional(), synonyms: z.array(synonymBody).min(1).max(mostAtOnce) }),
        examples: { body: { synonyms: [{ words: ['trainers', 'sneakers'] }] }, answer: { synonyms: [example] } },
        response: { 201: z.object({ synonyms: z.array(synonymResource) }) },
      },
    },
    async (request, reply) => {
      const { brand, within, place } = await tellingScope(bearerOf(request), catalog)
      request.body.synonyms.forEach((body, i) => {
        const fault = faultOf(body)
        if (fault)
          throw new ServiceError('INVALID_REQUEST', { message: `synonyms.${i}: ${fault}`, field: `synonyms.${i}` })
      })
      const all = request.body.synonyms.map((body) => newSynonym(brand, body))
      const rows = await within(async (tx) => {
        await writeSynonyms(tx, place, lastOfEach(all))
        if ((await countSynonyms(tx, brand)) > mostSynonyms) throw tooMany()
        const first = all.slice(0, mostAudited).map(({ id, term, words, locale }) => ({ id, term, words, locale }))
        const change = { target: brand, brand, before: null, after: { written: all.length, synonyms: first } }
        await recordChange(tx, request, { action: 'synonyms.write', ...change })
        const ids = all.map(({ id }) => id)
        return findSynonyms(tx, brand, ids)
      })
      return reply.code(201).send({ synonyms: rows.map(toResource) })
    },
  )

  app.delete(
    '/synonyms/:synonymId',
    {
      config: { action: 'search:write' },
      schema: {
        summary: 'Deletes a synonym',
        tags,
        params: one,
        querystring: ofBrand,
        examples: { answer: { synonym: example } },
        response: { 200: z.object({ synonym: synonymResource }) },
      },
    },
    async (request) => {
      const { brand, within, place } = await tellingScope(bearerOf(request), catalog)
      const row = await within(async (tx) => {
        const gone = await deleteSynonym(tx, place, request.params.synonymId)
        if (!gone) throw new ServiceError('NOT_FOUND', { message: 'Synonym not found', field: 'synonymId' })
        const { id, term, words, locale } = gone
        await recordChange(tx, request, {
          action: 'synonyms.delete',
          target: id,
          brand,
          before: { term, words, locale },
          after: null,
        })
        return gone
      })
      return { synonym: toResource(row) }
    },
  )

  app.post(
    '/synonyms/file',
    {
      config: { action: 'search:write' },
      bodyLimit: mostFileBytes,
      schema: {
        summary: 'Writes synonyms from a CSV',
        description:
          'Columns `term` (blank where the words mean each other), `words` with `|` between them, and `locale`. `dry_run=1` says what would be written, and writes nothing; lines that are no synonyms are told either way, and left out.',
        tags,
        params,
        querystring: ofBrand.extend({ dry_run: z.enum(['0', '1']).default('0') }),
        bodies: [{ type: 'text/csv', schema: z.string(), example: 'term,words,locale\n,trainers|sneakers,\n' }],
        examples: { answer: { read: 1, written: 1, faults: [] } },
        response: {
          200: z.object({
            read: z.int(),
            written: z.int(),
            faults: z.array(z.object({ line: z.int(), says: z.string() })),
          }),
        },
      },
    },
    async (request) => {
      if (typeof request.body !== 'string')
        throw new ServiceError('INVALID_REQUEST', { message: 'Send a CSV as text/csv', status: 415 })
      const { brand, within, place } = await tellingScope(bearerOf(request), catalog)
      const { lines, faults } = readSynonymFile(request.body)
      const found: SynonymFault[] = [...faults]
      const good: NewSynonym[] = []
      for (const { line, ...body } of lines) {
        const says = faultOf({ ...body, words: [...body.words] })
        if (says) found.push({ line, says })
        else good.push(newSynonym(brand, { ...body, words: [...body.words] }))
      }
      const all = lastOfEach(good)
      if (request.query.dry_run === '0')
        await within(async (tx) => {
          for (let from = 0; from < all.length; from += mostAtOnce)
            await writeSynonyms(tx, place, all.slice(from, from + mostAtOnce))
          if ((await countSynonyms(tx, brand)) > mostSynonyms) throw tooMany()
          await recordChange(tx, request, {
            action: 'synonyms.file',
            target: brand,
            brand,
            before: null,
            after: { written: all.length },
          })
        })
      return {
        read: lines.length + faults.length,
        written: all.length,
        faults: found.sort((a, b) => a.line - b.line).slice(0, 100),
      }
    },
  )

  app.post(
    '/synonyms/preview',
    {
      config: { action: 'search:read' },
      schema: {
        summary: 'Which queries synonyms would change',
        description:
          'Runs each query as it is and with the given synonyms beside those that are in force; writes nothing. Without `queries`, their own words.',
        tags,
        params,
        body: z.strictObject({
          brand_id: brandId.optional(),
          catalog_id: catalogId.optional(),
          synonyms: z.array(synonymBody).min(1).max(100),
          queries: z.array(z.string().trim().min(1).max(512)).max(50).optional(),
        }),
        errors: ['DATA_002'],
        examples: {
          body: { synonyms: [{ words: ['trainers', 'sneakers'] }], queries: ['trainers'] },
          answer: { queries: [{ q: 'trainers', before: 2, after: 5, added: [exampleIds.productId], removed: [] }] },
        },
        response: { 200: z.object({ queries: z.array(changed) }) },
      },
    },
    async (request) => {
      const { principal, brand } = await tellingScope(bearerOf(request), catalog)
      const { synonyms: given, queries, catalog_id } = request.body
      const asked =
        queries ?? [...new Set(given.flatMap(({ term, words }) => (term === null ? words : [term])))].slice(0, 50)
      const scope = { principal, brand, catalog: catalog_id ?? null, nowMs: ports.now().getTime() }
      return { queries: await previewSynonyms(ports.search, scope, given, asked) }
    },
  )
}

/** Of one file or body, the same synonym twice is its last. */
const lastOfEach = (all: readonly NewSynonym[]): NewSynonym[] => [...new Map(all.map((one) => [one.id, one])).values()]

const tooMany = () =>
  new ServiceError('CONFLICT', { message: `A brand has at most ${mostSynonyms} synonyms; delete some first` })

/** Read all the same, `Straße` of another encoding would be a word that nobody types. */
const notUtf8 = () => new ServiceError('INVALID_REQUEST', { message: 'The file is not UTF-8; save it as CSV UTF-8' })
