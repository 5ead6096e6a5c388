/** POST …/dashboards/aggregate: counts, sums and averages over what agents did, of one brand. */
import type { FastifyRequest } from 'fastify'
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { z } from 'zod'
import type { Aggregate, Scope } from '../../infra/events/aggregate.ts'
import { type AggregationParams, aggregationResult, askedAggregation } from '../../schemas/aggregation.ts'
import { workspaceId } from '../../schemas/ids.ts'
import { tileTable } from '../../transforms/events/tile-table.ts'
import type { MaybePromise } from '../access/at-once.ts'
import { type Bearer, bearerOf } from '../plugins/access.ts'
import { type AggregateAnswer, aggregateAnswer } from './aggregate-answer.ts'
import { answersKept } from './answers-kept.ts'
import { askedFormat } from './asked-format.ts'
import { sendTable, type TablePorts, tableFormat, tableMedia, tableSays } from './send-table.ts'
import { untilGone } from './until-gone.ts'

export interface AggregatePorts {
  readonly aggregation: {
    /** May be some seconds old, as who the bearer is may be. @throws ServiceError */
    readonly scopeOf: (bearer: Bearer) => MaybePromise<Scope>
    /** @throws TooMuch */
    readonly ask: (
      params: AggregationParams,
      scope: Scope,
      now: Date,
      /** Told before it; the watermark is that of the snapshot. */
      snapshot: string,
      /** Whoever waits for it has gone. */
      signal: AbortSignal,
    ) => Promise<Aggregate & { readonly watermark: Date | null }>
    /** The store is there, and its progress is known; before it is, what `progress` tells may be that of one that was lost. Throws where it is away. */
    readonly reached: () => Promise<void>
    /** How far the event store has come. */
    readonly progress: () => Promise<{ readonly snapshot: string; readonly lag: number }>
    /** A catalog was deleted: on this node nobody is answered about it any more. */
    readonly forgetScopes: () => void
    readonly isTooMuch: (error: unknown) => error is Error
    readonly isAway: (error: unknown) => boolean
  }
  readonly now: () => Date
}

const keptMs = 60_000

const example = {
  event_types: ['order'],
  group_by: 'day',
  aggregation: 'sum',
  value_field: 'amount',
  time_window_days: 7,
}
const exampleAnswer = {
  rows: [{ key: '2026-11-27', value: 1249.5, secondary: 31 }],
  generated_at: '2026-11-27T10:00:00.000Z',
  cache_hit: false,
  watermark: '2026-11-27T09:59:58.120Z',
  lag: 0,
  snapshot: 'kQ2vX0c9mB7tLr4eZp1wYA',
  rows_read: 4210,
}

interface KeptAnswer {
  readonly value: AggregateAnswer
  /** As it is given again: to write a thousand rows anew for each asker costs more than all else that is done for them. */
  text: string | null
}

export const aggregates: FastifyPluginAsyncZod<AggregatePorts & TablePorts> = async (app, ports) => {
  const { aggregation, now, writeTable } = ports
  const { scopeOf, progress, isAway } = aggregation
  const kept = answersKept<KeptAnswer>(keptMs, () => now().getTime())

  /** By how it was asked, what it was read as: that is the same each time, and to read it costs more than all else that is done for a kept answer. */
  const readAs = new Map<string, string>()
  /** As they came, before the question was read. */
  const askedAs = new WeakMap<FastifyRequest, string>()

  /** Who asks, and for whom, was judged before; null where this is for the handler. */
  function keptText(request: FastifyRequest): string | null {
    if (!asksPlainly(request)) return null
    const scope = scopeOf(bearerOf(request))
    if (scope instanceof Promise) return null
    const { workspace, brand, catalog } = scope
    const text = `${workspace} ${brand} ${catalog} ${JSON.stringify(request.body)}`
    const key = readAs.get(text)
    const found = key === undefined ? null : (kept.now(key)?.text ?? null)
    if (found === null) askedAs.set(request, text)
    return found
  }

  app.post(
    '/dashboards/aggregate',
    {
      preValidation: (request, reply, done) => {
        const text = keptText(request)
        if (text === null) done()
        else reply.type(json).send(text as never)
      },
      config: { action: 'dashboards:read' },
      schema: {
        summary: 'Count, sum or average events',
        description: `Over what agents did, of the brand that \`X-Active-Brand\` or \`brand_id\` names (without either, the catalog’s, else \`main\`), narrowed to a catalog by \`X-Active-Catalog\`; one that was deleted is gone at once on the node that was told, within five seconds on others. Days are of UTC, or of \`time_zone\`. The same question is answered from what is kept for 60 seconds; \`fresh=true\` asks anew where events came since, and has the kept answer with the present \`lag\` while the event store is away. \`secondary\` is the number of events beside a sum or an average. \`filters\`, \`time_zone\`, \`compare\` and \`step\` are additions: without them the answer is as if they were not there. ${tableSays}`,
        tags: ['Dashboards'],
        errors: ['CATALOG_NOT_FOUND'],
        examples: { body: example },
        params: z.object({ workspaceId }),
        querystring: z.strictObject({
          brand_id: z.string().optional(),
          fresh: z.enum(['true', 'false']).optional(),
          format: tableFormat.optional(),
        }),
        body: askedAggregation,
        response: { 200: aggregationResult },
        answers: {
          200: [{ type: 'application/json', schema: aggregationResult, example: exampleAnswer }, ...tableMedia],
        },
      },
    },
    async (request, reply) => {
      const scope = await scopeOf(bearerOf(request))
      const params = request.body
      const types = [...new Set(params.event_types ?? [])].sort()
      const key = JSON.stringify([scope, { ...params, event_types: types }])
      const asked = request.query.fresh === 'true' ? await progress() : null
      const { value: found, hit } = await kept(
        key,
        async (signal): Promise<KeptAnswer> => ({
          value: await aggregateAnswer(ports, params, scope, signal),
          text: null,
        }),
        ({ value }) => !asked || value.snapshot === asked.snapshot,
        () => untilGone(reply),
        isAway,
      )
      // What came since is not in it, and the caller asked for how true it is now.
      const told = { ...found.value, ...(hit && asked && { lag: asked.lag }), cache_hit: hit }
      const format = askedFormat(request.query.format, request.headers.accept)
      if (format !== null) {
        const name = `${params.aggregation} by ${params.group_by}`
        const table = tileTable({ rows: found.value.rows })
        return sendTable(reply, { writeTable }, { name, format, table, label: told })
      }
      if (!hit || asked) return reply.send(told)
      found.text ??= JSON.stringify(told)
      const text = askedAs.get(request)
      if (text !== undefined) {
        if (readAs.size >= mostRead) readAs.clear()
        readAs.set(text, key)
      }
      return reply.type(json).send(found.text as never)
    },
  )
}

const json = 'application/json; charset=utf-8'
const mostRead = 1_000

/** For JSON, and nothing beside the question but its brand. */
function asksPlainly({ query, headers }: FastifyRequest): boolean {
  const { accept = '*/*' } = headers
  if (accept !== '*/*' && accept !== 'application/json') return false
  for (const name in query as object) if (name !== 'brand_id') return false
  return true
}
