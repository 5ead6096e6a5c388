/** What agents ask for, as events say it in their metadata: all of it optional, and read only where it is there. */

export const demandKeys = {
  /** What was searched for, in words. */
  query: 'query',
  /** `filter_material`: what was filtered by; its value says for what. */
  filter: 'filter_',
  /** `arg_material`: an argument of the tool that was called. */
  argument: 'arg_',
  /** How many products were found; 0 as `search_zero_hit` says it. */
  results: 'results',
  /** Why an order was cancelled, in words. */
  reason: 'reason',
} as const

/** How it was asked for. */
export const demandKinds = ['filter', 'argument', 'query', 'cancelled'] as const
export type DemandKind = (typeof demandKinds)[number]
