/** A question about events asked of the store, with how true its answer is. */
import type { z } from 'zod'
import type { Scope } from '../../infra/events/aggregate.ts'
import type { AggregationParams, aggregationResult } from '../../schemas/aggregation.ts'
import { ServiceError } from '../../schemas/errors.ts'
import type { AggregatePorts } from './aggregate.ts'

export type AggregateAnswer = Omit<z.infer<typeof aggregationResult>, 'cache_hit'>

/** @throws ServiceError where it would read too much */
export async function aggregateAnswer(
  { aggregation: { ask, reached, progress, isTooMuch }, now }: Pick<AggregatePorts, 'aggregation' | 'now'>,
  params: AggregationParams,
  scope: Scope,
  signal: AbortSignal,
): Promise<AggregateAnswer> {
  const at = now()
  await reached()
  // Before the question: what comes meanwhile may be counted, what the snapshot names is.
  const { snapshot, lag } = await progress()
  const { rows, rowsRead, previous, watermark } = await ask(params, scope, at, snapshot, signal).catch(
    (cause: unknown) => {
      if (!isTooMuch(cause)) throw cause
      const message = `${cause.message}; ask for fewer days or fewer types`
      throw new ServiceError('INVALID_REQUEST', { message, field: 'time_window_days', cause })
    },
  )
  return {
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
}
