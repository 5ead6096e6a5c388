/** Questions about searches and recommendations. */
import type { AnalyticsPorts } from '../../serving/analytics/analytics-ports.ts'
import { recommendationAnalytics } from '../events/recommendation-analytics.ts'
import { searchAnalytics } from '../events/search-analytics.ts'
import { queriesAfter } from '../events/searched-queries.ts'
import type { System } from '../system.ts'

export const analytics = ({ events }: Pick<System, 'events'>): AnalyticsPorts['analytics'] => ({
  searches: (...asked) => searchAnalytics(events, ...asked),
  queries: (...asked) => queriesAfter(events, ...asked),
  recommendations: (...asked) => recommendationAnalytics(events, ...asked),
})
