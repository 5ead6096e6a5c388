/** What is counted of any set of searches, in the event store's words and as it is told. */
import { lastPosition } from '../../schemas/search-event.ts'

/** Over rows of `judgedSql`; all of them can be added up. */
const sums = {
  n: 'count()',
  zeros: 'countIf(nothing)',
  clicked: 'countIf(not nothing and opened > 0)',
  missed: 'countIf(not nothing and opened = 0)',
  clicks: 'sum(opened)',
  place_sum: 'sum(places)',
  place_n: 'sum(placed)',
  found_sum: 'sum(found)',
  found_n: 'count(found)',
} as const
type Sum = keyof typeof sums

/** @param prefix where a statement adds them up again */
export const figuresSql = (prefix = ''): string =>
  Object.entries(sums)
    .map(([name, sql]) => `${sql} as ${prefix}${name}`)
    .join(', ')

export const addedSql = (prefix: string): string =>
  Object.keys(sums)
    .map((name) => `sum(${prefix}${name}) as ${name}`)
    .join(', ')

export type ToldFigures = Readonly<Record<Sum, string | number | null>>

export interface SearchFigures {
  readonly searches: number
  readonly zero_hits: number
  /** That found something, and something of it was opened. */
  readonly clicked: number
  /** That found something, and nothing of it was opened. */
  readonly unclicked: number
  /** Products that were opened; one that was opened again of the same search is one. */
  readonly clicks: number
  /** `clicked` as a share of the searches that found something. */
  readonly click_through: number | null
  /** Of searches that say how many they found. */
  readonly mean_results: number | null
  /** Of opened products whose place is known; 1 is the first. */
  readonly mean_position: number | null
}

export function toFigures(told: ToldFigures | undefined): SearchFigures {
  const of = (name: Sum) => Number(told?.[name] ?? 0)
  return {
    ...{ searches: of('n'), zero_hits: of('zeros'), clicked: of('clicked'), unclicked: of('missed') },
    clicks: of('clicks'),
    click_through: shareOf(of('clicked'), of('n') - of('zeros')),
    mean_results: shareOf(of('found_sum'), of('found_n')),
    mean_position: shareOf(of('place_sum'), of('place_n')),
  }
}

/** A share of nothing, and a mean of nothing, is not known. */
export const shareOf = (part: number, whole: number): number | null => (whole === 0 ? null : part / whole)

interface Placed {
  readonly position: number | null
}

/** What is not known comes last. */
export const byPosition = (a: Placed, b: Placed): number =>
  (a.position ?? lastPosition + 2) - (b.position ?? lastPosition + 2)
