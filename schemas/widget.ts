/** What a widget shows: six types, each with the questions that it can draw. */
import { z } from 'zod'
import { type AggregationParams, aggregationParams, withoutIgnored } from './aggregation.ts'
import { displayName } from './display-name.ts'
import { funnelParams } from './funnel.ts'

export const widgetTypes = ['counter', 'time_series', 'breakdown_bar', 'funnel', 'table', 'top_n'] as const
export type WidgetType = (typeof widgetTypes)[number]

/** What the question of a type may group by, in words and as a check. */
const draws: Readonly<
  Record<Exclude<WidgetType, 'funnel'>, { readonly says: string; readonly fits: (group: string) => boolean }>
> = {
  counter: { says: 'is none: a counter shows one number', fits: (group) => group === 'none' },
  time_series: {
    says: 'is day or hour: a series goes along time',
    fits: (group) => group === 'day' || group === 'hour',
  },
  breakdown_bar: { says: 'is neither none, day nor hour: bars stand side by side', fits: isCategory },
  top_n: { says: 'is neither none, day nor hour: it ranks', fits: isCategory },
  table: { says: '', fits: () => true },
}

function isCategory(group: string): boolean {
  return !['none', 'day', 'hour'].includes(group)
}

const mostOfRanking = 100

function asking<T extends Exclude<WidgetType, 'funnel'>>(type: T) {
  const { says, fits } = draws[type]
  const question = aggregationParams
    .refine(({ group_by }: AggregationParams) => fits(group_by), { error: says, path: ['group_by'] })
    .refine(({ limit }: AggregationParams) => type !== 'top_n' || limit <= mostOfRanking, {
      error: `is at most ${mostOfRanking} in a ranking`,
      path: ['limit'],
    })
  return z.strictObject({ type: z.literal(type), question })
}

export const widgetDefinition = z.discriminatedUnion('type', [
  asking('counter'),
  asking('time_series'),
  asking('breakdown_bar'),
  asking('top_n'),
  asking('table'),
  z.strictObject({ type: z.literal('funnel'), funnel: funnelParams }),
])
export type WidgetDefinition = z.output<typeof widgetDefinition>

/** As it is sent: what its question need not say is not looked at. */
export const askedDefinition = z.preprocess(
  (sent) =>
    typeof sent === 'object' && sent !== null && 'question' in sent
      ? { ...sent, question: withoutIgnored(sent.question) }
      : sent,
  widgetDefinition,
)

export const newWidget = z.strictObject({ title: displayName, definition: askedDefinition })

export const mostWidgets = 50
export const mostDashboards = 100
