/** What answers questions about searches and recommendations. */
import type { Catalog } from '../../infra/catalog/postgres.ts'
import type { AnalyticsScope, AskedAnalytics } from '../../infra/events/analytics-scope.ts'
import type { RecommendationAnalytics } from '../../infra/events/recommendation-analytics.ts'
import type { AskedRecommendations } from '../../infra/events/recommendation-sql.ts'
import type { SearchAnalytics } from '../../infra/events/search-analytics.ts'
import type { AskedSearches } from '../../infra/events/search-sql.ts'
import type { QueryPlace, SearchedQuery } from '../../infra/events/searched-queries.ts'
import type { QueryOrder } from '../../schemas/search-analytics.ts'
import type { AggregatePorts } from '../workspace/aggregate.ts'
import type { TilePorts } from '../workspace/tile-ports.ts'

/** @throws TooMuch */
type Ask<Asked, Answer> = (asked: Asked, scope: AnalyticsScope, at: Date, signal: AbortSignal) => Promise<Answer>

export interface AnalyticsPorts extends Pick<AggregatePorts, 'aggregation' | 'now'> {
  readonly catalog: Pick<Catalog, 'withTenant'>
  readonly tiles: Pick<TilePorts['tiles'], 'snapshot' | 'newest'>
  readonly analytics: {
    /** The first moment of the time that is asked about. */
    readonly begins: (asked: AskedAnalytics, at: Date) => Date
    readonly searches: Ask<AskedSearches, SearchAnalytics>
    readonly queries: Ask<
      AskedSearches & { readonly order: QueryOrder; readonly after: QueryPlace | null },
      { readonly queries: readonly SearchedQuery[]; readonly next: QueryPlace | null; readonly rowsRead: number }
    >
    readonly recommendations: Ask<AskedRecommendations, RecommendationAnalytics>
  }
}
