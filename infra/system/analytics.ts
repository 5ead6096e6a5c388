/** Questions about searches and recommendations. */
import type { AnalyticsPorts } from '../../serving/analytics/analytics-ports.ts'
import { windowOf } from '../events/analytics-scope.ts'
import { recommendationAnalytics } from '../events/recommendation-analytics.ts'
import { searchAnalytics } from '../events/search-analytics.ts'
import { queriesAfter } from '../events/searched-queries.ts'
import type { System } from '../system.ts'

export const analytics = ({ events }: Pick<System, 'events'>): AnalyticsPorts['analytics'] => ({
  begins: (asked, at) => new Date(windowOf(asked, at).asked.from),
  searches: (...asked) => searchAnalytics(events, ...asked),
  queries: (...asked) => queriesAfter(events, ...asked),
  recommendations: (...asked) => recommendationAnalytics(events, ...asked),
})
