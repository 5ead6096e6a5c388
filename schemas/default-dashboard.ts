/** The dashboard that a brand begins with: what agents did in the last 30 days, and how far they came. */
import { type WidgetDefinition, widgetDefinition } from './widget.ts'

const days = { time_window_days: 30 }
const count = { ...days, aggregation: 'count' }
const counting = (...event_types: string[]) => ({
  type: 'counter',
  question: { ...count, event_types, group_by: 'none' },
})

const widgets: readonly (readonly [title: string, definition: object])[] = [
  ['Feed reads', counting('feed_read')],
  ['Searches', counting('search', 'search_zero_hit')],
  ['Tool calls', counting('tool_call')],
  ['Orders', counting('order')],
  ['Events by day', { type: 'time_series', question: { ...count, event_types: null, group_by: 'day' } }],
  ['Events by type', { type: 'breakdown_bar', question: { ...count, event_types: null, group_by: 'event_type' } }],
  [
    'From view to order',
    {
      type: 'funnel',
      funnel: {
        ...days,
        steps: ['product_view', 'add_to_cart', 'checkout_started', 'order'].map((event_type) => ({ event_type })),
      },
    },
  ],
  [
    'Most viewed products',
    { type: 'top_n', question: { ...count, event_types: ['product_view'], group_by: 'product_id', limit: 10 } },
  ],
  [
    'Searches that found nothing',
    { type: 'table', question: { ...count, event_types: ['search_zero_hit'], group_by: 'metadata.query', limit: 50 } },
  ],
]

export const defaultDashboard: {
  readonly name: string
  readonly widgets: readonly { readonly title: string; readonly definition: WidgetDefinition }[]
} = {
  name: 'Overview',
  widgets: widgets.map(([title, definition]) => ({ title, definition: widgetDefinition.parse(definition) })),
}
