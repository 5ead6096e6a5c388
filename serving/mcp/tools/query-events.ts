/** query_events: counts, sums and averages over what agents did. */
import { z } from 'zod'
import { aggregationParams, withoutIgnored } from '../../../schemas/aggregation.ts'
import { aggregateAnswer } from '../../workspace/aggregate-answer.ts'
import { defineTool } from '../tool.ts'

const { event_types, group_by, aggregation, value_field, time_window_days, limit } = aggregationParams.shape

export const queryEvents = defineTool({
  name: 'query_events',
  title: 'Query events',
  description: 'Counts, sums or averages over what agents did with the brand, by type, day, product or metadata.<key>.',
  category: 'events',
  needs: null,
  input: z.preprocess(
    withoutIgnored,
    z
      .strictObject({
        event_types: event_types.default(null),
        ...{ group_by, aggregation, value_field, time_window_days, limit },
      })
      .superRefine((asked, { addIssue }) => {
        // What one field asks of another is said where the question is.
        for (const { path, message } of aggregationParams.safeParse(asked).error?.issues ?? [])
          addIssue({ code: 'custom', path: [...path], message })
      }),
  ),
  output: z.object({
    rows: z.array(z.looseObject({ key: z.string().nullable(), value: z.number() })),
    generated_at: z.string(),
    lag: z.int(),
  }),
  async run(asked, { bearer, ports, signal, tell }) {
    const params = aggregationParams.parse(asked)
    const scope = await ports.aggregation.scopeOf(bearer)
    tell({ brand: scope.brand })
    const { rows, generated_at, lag } = await aggregateAnswer(ports, params, scope, signal)
    return { rows, generated_at, lag }
  },
})
