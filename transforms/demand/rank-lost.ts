/** Ranks fields by the demand that is lost for want of them. */
import { type DemandKind, demandKinds } from '../../schemas/demand.ts'
import type { AskedField } from './asked-field.ts'
import type { Want } from './wants.ts'

export interface Lacking {
  /** Products that were meant, and how many of them have nothing there. */
  readonly matching: number
  readonly lacking: number
  /** Some that lack it, by id. */
  readonly examples: readonly string[]
}

export interface LostDemand {
  readonly asked: AskedField
  readonly times: number
  readonly by: Readonly<Record<DemandKind, number>>
  /** Times that it was asked for, each weighed by the share of the products meant that lack it. */
  readonly lost: number
  /** 0 to 1. */
  readonly share: number
  /** Of what was asked most often and lost most of. */
  readonly most: Want & Lacking
}

/** A name that no product has is an argument of the tool's own, such as a page; a filter by it is one that nobody can meet. */
const isOurs = (want: Want, { matching, lacking }: Lacking) =>
  want.kind !== 'argument' || want.asked.path !== null || lacking < matching

/**
 * lost demand = the sum, over what was asked beside it, of times × products that lack it ÷ products that match. Each event counts
 * once for a field, whatever it is; what no product matches is not lost for want of this field.
 */
export function rankLost(wants: readonly (Want & Lacking)[]): LostDemand[] {
  const ours = wants.filter((want) => isOurs(want, want))
  return [...Map.groupBy(ours, ({ asked }) => asked.name).values()]
    .flatMap((of) => {
      const lostOf = ({ times, matching, lacking }: Want & Lacking) =>
        matching === 0 ? 0 : (times * lacking) / matching
      const [most] = of.toSorted((a, b) => lostOf(b) - lostOf(a))
      const times = of.reduce((sum, one) => sum + one.times, 0)
      const lost = of.reduce((sum, one) => sum + lostOf(one), 0)
      if (!most || lost === 0) return []
      const by = Object.fromEntries(
        demandKinds.map((kind) => [kind, of.reduce((sum, one) => sum + (one.kind === kind ? one.times : 0), 0)]),
      ) as Record<DemandKind, number>
      return [{ asked: most.asked, times, by, lost, share: lost / times, most }]
    })
    .sort((a, b) => b.lost - a.lost || (a.asked.name < b.asked.name ? -1 : 1))
}

const counted = new Intl.NumberFormat('en-US')
const said: Readonly<Record<DemandKind, (name: string, times: string) => string>> = {
  filter: (name, times) => `filtered by ${name} ${times} times`,
  argument: (name, times) => `called for with ${name} ${times} times`,
  query: (name, times) => `searched for by ${name} ${times} times and not found`,
  cancelled: (name, times) => `cancelled over ${name} ${times} times`,
}

export function lostSentence({ asked, by, share }: Pick<LostDemand, 'asked' | 'by' | 'share'>): string {
  const name = asked.name.replaceAll('_', ' ')
  const parts = demandKinds.flatMap((kind) => (by[kind] > 0 ? [said[kind](name, counted.format(by[kind]))] : []))
  const text = parts.join(', ')
  const percent = share > 0 && share < 0.01 ? 'less than 1' : String(Math.round(share * 100))
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}; ${percent} % of matching products lack it`
}
