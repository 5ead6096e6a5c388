/** Products that grading cannot tell apart, counted together, and what grading would give them if rules were met that are not. */
import { dimensions, feedReadyFrom, rounded, type Weights } from '../../schemas/score.ts'
import type { Fix } from './fixes.ts'
import { subScore } from './grade.ts'
import { isRefusal, refusedBits } from './refusals.ts'
import { rubric } from './rubric.ts'
import { notApplied } from './rule.ts'

export interface Scoring {
  readonly weights: Weights
  /** Bits of the profiles that a feed-ready product must pass. */
  readonly required: number
}

/** Where a pattern stands, or would stand. */
export interface Weighed {
  /** Millionths of a point. */
  weighed: number
  score: number
  ready: boolean
  /** Rules that a platform which counts refuses by. */
  refusals: number
}

/** Fixes are named by their place in the list that the patterns were made for. */
export interface Patterns {
  readonly size: number
  /** @returns false where there is no room left */
  add(points: Uint8Array, valid: number, products: number): boolean
  clear(): void
  products(at: number): number
  /** Whether one rule of the fix, at least, applies and is not met in full. */
  lacks(at: number, fix: number): boolean
  /** As it stands, with what was met since. The same object every time. */
  now(at: number): Readonly<Weighed>
  /** If this fix, which it lacks, were made as well: each of its rules that applies attains 100. The same object every time. */
  then(at: number, fix: number): Readonly<Weighed>
  /** Of fixes that share no rule. */
  meet(at: number, fix: number): void
}

const rules = rubric.length
const dims = dimensions.length
const dimensionOf = rubric.map((rule) => dimensions.indexOf(rule.dimension))
const worth = rubric.map((rule) => rule.points)
const refusing = isRefusal.flatMap((is, place) => (is ? place : []))

interface Part {
  readonly dim: number
  readonly places: readonly number[]
}

const partsOf = ({ places }: Fix): Part[] =>
  dimensions
    .map((_, dim) => ({ dim, places: places.filter((place) => dimensionOf[place] === dim) }))
    .filter((part) => part.places.length > 0)

/** Memory is taken once, some 150 bytes a pattern: with objects the fixes of 200,000 patterns took six times as long. */
export function patternsOf({ weights, required }: Scoring, fixes: readonly Fix[], capacity: number): Patterns {
  const parts = fixes.map(partsOf)
  /** Rules by which a platform may still refuse where the fix is made. */
  const left = fixes.map(({ places }) => refusing.filter((place) => !places.includes(place)))
  const points = new Uint8Array(capacity * rules)
  // Hundredths of a rule's points: a dimension has 100 points, so at most 10,000.
  const attained = new Int16Array(capacity * dims)
  const possible = new Int16Array(capacity * dims)
  const lacked = new Uint8Array(capacity * fixes.length)
  const weighed = new Int32Array(capacity)
  /** Bits of the platforms that refuse by a rule, before any fix. */
  const refusedFirst = new Uint8Array(capacity)
  const valid = new Int32Array(capacity)
  const products = new Float64Array(capacity)
  const present: Weighed = { weighed: 0, score: 0, ready: false, refusals: 0 }
  const next: Weighed = { weighed: 0, score: 0, ready: false, refusals: 0 }
  let size = 0

  function add(given: Uint8Array, validFor: number, count: number): boolean {
    if (size === capacity) return false
    const at = size++
    const [row, from] = [at * rules, at * dims]
    attained.fill(0, from, from + dims)
    possible.fill(0, from, from + dims)
    for (let place = 0; place < rules; place++) {
      const percent = given[place] ?? notApplied
      points[row + place] = percent
      if (percent === notApplied) continue
      const [dim, of] = [from + (dimensionOf[place] as number), worth[place] as number]
      attained[dim] = (attained[dim] as number) + of * percent
      possible[dim] = (possible[dim] as number) + of
    }
    let sum = 0
    for (let dim = 0; dim < dims; dim++)
      sum += (weights[dim] ?? 0) * subScore(attained[from + dim] as number, possible[from + dim] as number)
    for (let fix = 0; fix < fixes.length; fix++)
      lacked[fix * capacity + at] = isLacking(row, (fixes[fix] as Fix).places) ? 1 : 0
    weighed[at] = sum
    refusedFirst[at] = refusedBy(row, refusing)
    valid[at] = validFor
    products[at] = count
    return true
  }

  /** Whether a platform that counts refuses by this rule. */
  const refuses = (row: number, place: number) =>
    ((refusedBits[points[row + place] as number] as number) & required) !== 0

  function isLacking(row: number, places: readonly number[]): boolean {
    for (let i = 0; i < places.length; i++) {
      const place = places[i] as number
      if ((points[row + place] as number) >= 100) continue
      // What weighs nothing is lacking only where it keeps the product out of a feed that counts (KF-22).
      const weighs = (worth[place] as number) * (weights[dimensionOf[place] as number] ?? 0)
      if (weighs > 0 || refuses(row, place)) return true
    }
    return false
  }

  function refusedBy(row: number, places: readonly number[]): number {
    let bits = 0
    for (let i = 0; i < places.length; i++) bits |= refusedBits[points[row + (places[i] as number)] as number] as number
    return bits
  }

  function brokenAmong(row: number, places: readonly number[]): number {
    let broken = 0
    for (let i = 0; i < places.length; i++) if (refuses(row, places[i] as number)) broken++
    return broken
  }

  /** @param open rules that are not met by what is asked */
  function stand(into: Weighed, at: number, sum: number, open: readonly number[]): Weighed {
    // Whom a platform refuses without a rule that says why, nothing here makes it take.
    const taken = (refusedFirst[at] as number) & ~refusedBy(at * rules, open)
    const passes = (valid[at] as number) | taken
    into.weighed = sum
    into.score = rounded(sum)
    into.refusals = brokenAmong(at * rules, open)
    into.ready = into.score >= feedReadyFrom && (passes & required) === required
    return into
  }

  function missed(row: number, places: readonly number[]): number {
    let more = 0
    for (let i = 0; i < places.length; i++) {
      const place = places[i] as number
      const percent = points[row + place] as number
      if (percent < 100) more += (worth[place] as number) * (100 - percent)
    }
    return more
  }

  function then(at: number, fix: number): Weighed {
    const row = at * rules
    const own = parts[fix] as Part[]
    let sum = weighed[at] as number
    for (let i = 0; i < own.length; i++) {
      const { dim, places } = own[i] as Part
      const more = missed(row, places)
      if (more === 0) continue
      const [had, all] = [attained[at * dims + dim] as number, possible[at * dims + dim] as number]
      sum += (weights[dim] ?? 0) * (subScore(had + more, all) - subScore(had, all))
    }
    return stand(next, at, sum, left[fix] as number[])
  }

  function meet(at: number, fix: number): void {
    if (lacked[fix * capacity + at] === 0) return
    weighed[at] = then(at, fix).weighed
    for (const { dim, places } of parts[fix] as Part[]) {
      attained[at * dims + dim] = (attained[at * dims + dim] as number) + missed(at * rules, places)
      for (const place of places) if ((points[at * rules + place] as number) < 100) points[at * rules + place] = 100
    }
    lacked[fix * capacity + at] = 0
  }

  return {
    get size() {
      return size
    },
    add,
    clear: () => {
      size = 0
    },
    products: (at) => products[at] as number,
    lacks: (at, fix) => lacked[fix * capacity + at] === 1,
    now: (at) => stand(present, at, weighed[at] as number, refusing),
    then,
    meet,
  }
}
