/** Finds the fewest fields whose mending brings a catalog most: each next one is chosen by what it adds to those before it. */
import { addTo, type Effect, effectOf, noSums, type Sums } from './effect.ts'
import type { Fix } from './fixes.ts'
import type { Patterns } from './patterns.ts'
import { type Standing, standingBuilder } from './standing.ts'

export const fixGoals = ['points', 'feed_ready', 'band'] as const
export type FixGoal = (typeof fixGoals)[number]

/** What a fix is chosen by; where two bring the same of it, by the next of its measures, then by name. */
const measures: Readonly<Record<FixGoal, readonly (keyof Sums)[]>> = {
  points: ['gained', 'becomeFeedReady'],
  // Where two fields keep products out, neither makes them ready alone: the one that refuses most goes first.
  feed_ready: ['becomeFeedReady', 'lessRefused', 'gained'],
  band: ['changeBand', 'gained'],
}

export interface ChosenFix extends Effect {
  readonly field: string
  /** With this one and all before it. */
  readonly after: Standing
}

/** Patterns between two pauses: a millisecond of work or two. */
const stretch = 10_000

/** As much a sub-score's rounding can move what a fix brings a product, in millionths of a point: a hundredth in each dimension. */
const mostRounding = 10_000

/**
 * Every field that any product lacks comes once, so the last one's `after` is a catalog that lacks nothing.
 * @param fixes by name, those that the patterns were made for
 * @param patterns are changed: what is chosen is met
 * @yields null wherever its caller may let others work
 */
export function* cheapestFixes(
  fixes: readonly Fix[],
  patterns: Patterns,
  goal: FixGoal,
  atMost: number,
): Generator<ChosenFix | null> {
  const known: Sums[] = []
  for (const fix of fixes.keys()) known[fix] = yield* sumsOf(patterns, fix)
  for (let chosen = 0; chosen < atMost; chosen++) {
    const best = yield* bestOf(patterns, known, goal)
    const [fix, sums] = [fixes[best], known[best]]
    if (!fix || !sums) return
    known[best] = noSums()
    yield { field: fix.field, ...effectOf(sums), after: yield* meetIn(patterns, best) }
  }
}

function* sumsOf(patterns: Patterns, fix: number): Generator<null, Sums> {
  const sums = noSums()
  for (let at = 0; at < patterns.size; at++) {
    if (patterns.lacks(at, fix)) addTo(sums, patterns.now(at), patterns.then(at, fix), patterns.products(at))
    if (at % stretch === stretch - 1) yield null
  }
  return sums
}

/**
 * What was met since may change what a fix brings, in bands and readiness without a bound, in points by rounding alone: by
 * points only the few that can still be the best are counted again.
 * @returns -1 where nothing is lacking any more
 */
function* bestOf(patterns: Patterns, known: Sums[], goal: FixGoal): Generator<null, number> {
  const most = ({ gained, products }: Sums) => (goal === 'points' ? gained + mostRounding * products : Infinity)
  const open = [...known.keys()].filter((fix) => (known[fix] as Sums).products > 0)
  open.sort((a, b) => (known[b] as Sums).gained - (known[a] as Sums).gained)
  let best = -1
  for (const fix of open) {
    const other = known[best]
    if (other && most(known[fix] as Sums) < other.gained) continue
    const sums = yield* sumsOf(patterns, fix)
    known[fix] = sums
    if (!other || isMore(sums, other, goal) || (fix < best && !isMore(other, sums, goal))) best = fix
  }
  return best
}

function isMore(a: Sums, b: Sums, goal: FixGoal): boolean {
  for (const name of measures[goal]) if (a[name] !== b[name]) return a[name] > b[name]
  return false
}

/** @returns where the products stand then */
function* meetIn(patterns: Patterns, fix: number): Generator<null, Standing> {
  const standing = standingBuilder()
  for (let at = 0; at < patterns.size; at++) {
    patterns.meet(at, fix)
    const { score, ready } = patterns.now(at)
    standing.add(score, ready, patterns.products(at))
    if (at % stretch === stretch - 1) yield null
  }
  return standing.result()
}
