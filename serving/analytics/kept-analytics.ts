/** Answers an analytics question of one snapshot of the events, says how true that is, and gives it again for an hour. */
import type { FastifyReply } from 'fastify'
import type { z } from 'zod'
import type { AnalyticsScope, AskedAnalytics } from '../../infra/events/analytics-scope.ts'
import { ServiceError } from '../../schemas/errors.ts'
import type { truth } from '../../schemas/truth.ts'
import { answersKept } from '../workspace/answers-kept.ts'
import { untilGone } from '../workspace/until-gone.ts'
import type { AnalyticsPorts } from './analytics-ports.ts'
import type { Tenant } from './analytics-scope.ts'

/** The contract's, of search and personalization analytics. */
const keptMs = 3_600_000
/** Of all tenants, some 250 kB each at most. */
const mostKept = 200

type Truth = z.infer<typeof truth>

interface Question<Answer> {
  readonly tenant: Tenant
  /** With the tenant, all that the answer depends on (KF-35). */
  readonly asked: AskedAnalytics
  readonly isFresh: boolean
  /** When the answer is of; left out: now. */
  readonly at?: Date
  readonly make: (
    scope: AnalyticsScope,
    at: Date,
    signal: AbortSignal,
  ) => Promise<Answer & { readonly rowsRead: number }>
}

export function keptAnalytics<Answer extends object>({ aggregation, analytics, tiles, now }: AnalyticsPorts) {
  const kept = answersKept<Answer & Omit<Truth, 'cache_hit'>>(keptMs, () => now().getTime(), mostKept)

  async function answer({ tenant, asked, at = now(), make }: Question<Answer>, signal: AbortSignal) {
    const generated = now()
    await aggregation.reached()
    const { text, upTo, lag } = await tiles.snapshot()
    const scope = { ...tenant, upTo }
    const { rowsRead, ...told } = await make(scope, at, signal).catch((cause: unknown) => {
      if (!aggregation.isTooMuch(cause)) throw cause
      const message = `${cause.message}; ask for fewer days, or for one channel, agent or catalog`
      throw new ServiceError('INVALID_REQUEST', { message, field: 'time_window_days', cause })
    })
    const watermark = await tiles.newest(scope, signal)
    return {
      ...(told as unknown as Answer),
      from: analytics.begins(asked, at).toISOString(),
      generated_at: generated.toISOString(),
      watermark: watermark?.toISOString() ?? null,
      ...{ lag, snapshot: text, rows_read: rowsRead },
    }
  }

  return async (reply: FastifyReply, question: Question<Answer>): Promise<Answer & Truth> => {
    const { tenant, asked, isFresh } = question
    const present = isFresh ? await aggregation.progress() : null
    const { value, hit } = await kept(
      JSON.stringify([tenant.workspace, tenant, asked, question.at?.getTime()]),
      (signal) => answer(question, signal),
      ({ snapshot }) => !present || snapshot === present.snapshot,
      () => untilGone(reply),
      aggregation.isAway,
    )
    return { ...value, ...(hit && present && { lag: present.lag }), cache_hit: hit }
  }
}
