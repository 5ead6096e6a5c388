/** POST …/dashboards/aggregate: counts, sums and averages over what agents did, of one brand. */
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { z } from 'zod'
import type { Aggregate, Scope } from '../../infra/events/aggregate.ts'
import { type AggregationParams, aggregationParams, aggregationResult } from '../../schemas/aggregation.ts'
import { ServiceError } from '../../schemas/errors.ts'
import { workspaceId } from '../../schemas/ids.ts'
import { tileTable } from '../../transforms/events/tile-table.ts'
import { type Bearer, bearerOf } from '../plugins/access.ts'
import { answersKept } from './answers-kept.ts'
import { askedFormat } from './asked-format.ts'
import { sendTable, type TablePorts, tableFormat, tableMedia, tableSays } from './send-table.ts'
import { untilGone } from './until-gone.ts'

export interface AggregatePorts {
  readonly aggregation: {
    /** May be some seconds old, as who the bearer is may be. @throws ServiceError */
    readonly scopeOf: (bearer: Bearer) => Promise<Scope>
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
    /** How far the event store has come. */
    readonly progress: () => Promise<{ readonly snapshot: string; readonly lag: number }>
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
  snapshot: '1:120.98.131.77',
  rows_read: 4210,
}

interface KeptAnswer {
  readonly value: Omit<z.infer<typeof aggregationResult>, 'cache_hit'>
  /** As it is given again: to write a thousand rows anew for each asker costs more than all else that is done for them. */
  text: string | null
}

export const aggregates: FastifyPluginAsyncZod<AggregatePorts & TablePorts> = async (
  app,
  { aggregation, now, writeTable },
) => {
  const { scopeOf, ask, progress, isTooMuch, isAway } = aggregation
  const kept = answersKept<KeptAnswer>(keptMs, () => now().getTime())

  async function answer(params: AggregationParams, scope: Scope, signal: AbortSignal): Promise<KeptAnswer> {
    const at = now()
    // Before the question: what comes meanwhile may be counted, what the snapshot names is.
    const { snapshot, lag } = await progress()
    const { rows, rowsRead, previous, watermark } = await ask(params, scope, at, snapshot, signal).catch(
      (cause: unknown) => {
        if (!isTooMuch(cause)) throw cause
        throw new ServiceError('INVALID_REQUEST', {
          message: `${cause.message}; ask for fewer days or fewer types`,
          field: 'time_window_days',
          cause,
        })
      },
    )
    const value = {
      rows: [...rows],
      generated_at: at.toISOString(),
      watermark: watermark?.toISOString() ?? null,
      lag,
      snapshot,
      rows_read: rowsRead,
      ...(previous && {
        compared_with: { from: new Date(previous.from).toISOString(), to: new Date(previous.to).toISOString() },
      }),
    }
    return { value, text: null }
  }

  app.post(
    '/dashboards/aggregate',
    {
      config: { action: 'dashboards:read' },
      schema: {
        summary: 'Count, sum or average events',
        description: `Over what agents did, of the brand that \`X-Active-Brand\` or \`brand_id\` names (without either, the catalog’s, else \`main\`), narrowed to a catalog by \`X-Active-Catalog\`. Days are of UTC, or of \`time_zone\`. The same question is answered from what is kept for 60 seconds; \`fresh=true\` asks anew where events came since, and has the kept answer with the present \`lag\` while the event store is away. \`secondary\` is the number of events beside a sum or an average. \`filters\`, \`time_zone\`, \`compare\` and \`step\` are additions: without them the answer is as if they were not there. ${tableSays}`,
        tags: ['Dashboards'],
        errors: ['CATALOG_NOT_FOUND'],
        examples: { body: example },
        params: z.object({ workspaceId }),
        querystring: z.object({ fresh: z.enum(['true', 'false']).optional(), format: tableFormat.optional() }),
        body: aggregationParams,
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
        (signal) => answer(params, scope, signal),
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
      return reply.type('application/json; charset=utf-8').send(found.text as never)
    },
  )
}
