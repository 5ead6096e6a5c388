/** Prints a verdict as tables: what the scores would do, which bands and gaps, why, and the products that move most. */
import { type Hole, saysHoles } from '../../schemas/log-incomplete.ts'
import { grouped } from './progress.ts'
import { table } from './table.ts'

interface Standing {
  readonly avgScore: number
  readonly scoreDistribution: Readonly<Record<(typeof bands)[number], number>>
  readonly feedReady: number
}

export interface PrintedVerdict {
  readonly compared: number
  readonly up: number
  readonly down: number
  readonly unchanged: number
  readonly unscored: number
  readonly scoreAppeared: number
  readonly scoreGone: number
  readonly before: Standing
  readonly after: Standing
  readonly bandUp: number
  readonly bandDown: number
  readonly feedReady: { readonly gained: number; readonly lost: number }
  readonly gaps: readonly { readonly field: string; readonly appeared: number; readonly gone: number }[]
  readonly dimensions: readonly {
    readonly dimension: string
    readonly up: number
    readonly down: number
    readonly points: number
  }[]
  readonly differing: Readonly<Record<string, number>>
  readonly examples: readonly {
    readonly productId: string
    readonly sku: string | null
    readonly before: number | null
    readonly after: number | null
    readonly step: string
    readonly place: string | null
  }[]
  readonly moved: number
  readonly leftOut: number
  readonly unsure: number
  readonly holes: readonly Hole[]
}

const bands = ['excellent', 'good', 'warning', 'poor'] as const
/** --json and --out have what the verdict has. */
const shown = 10

export function printVerdict(verdict: PrintedVerdict, print: (line: string) => void): void {
  const { before, after, feedReady, gaps, examples } = verdict
  print(`${grouped(verdict.compared)} products compared`)
  const counts = [
    'up',
    'down',
    'unchanged',
    'unscored',
    'scoreAppeared',
    'scoreGone',
    'moved',
    'leftOut',
    'unsure',
  ] as const
  print(table(counts.filter((name) => verdict[name] > 0).map((name) => [words[name], verdict[name]])))
  if (verdict.holes.length > 0) print(`${saysHoles(verdict.holes)}; what stood there is part of nothing above`)
  print(
    table([
      ['', 'before', 'after'],
      ['mean score', before.avgScore, after.avgScore],
      ...bands.map((band) => [band, before.scoreDistribution[band], after.scoreDistribution[band]]),
      ['feed-ready', before.feedReady, after.feedReady],
    ]),
  )
  print(`${grouped(verdict.bandUp)} into a better band, ${grouped(verdict.bandDown)} into a worse one`)
  print(`${grouped(feedReady.gained)} become feed-ready, ${grouped(feedReady.lost)} no longer are`)
  const causes = verdict.dimensions.filter(({ up, down }) => up > 0 || down > 0)
  if (causes.length > 0)
    print(
      table([
        ['dimension', 'up', 'down', 'points of the mean'],
        ...causes.map(({ dimension, up, down, points }) => [dimension, up, down, points / 100]),
      ]),
    )
  if (gaps.length > 0)
    print(
      table([
        ['gap', 'appeared', 'gone'],
        ...gaps.slice(0, shown).map(({ field, appeared, gone }) => [field, appeared, gone]),
      ]),
    )
  const steps = Object.entries(verdict.differing).filter(([, n]) => n > 0)
  if (steps.length > 0) print(table([['differ by', 'products'], ...steps]))
  if (examples.length === 0) return
  const rows = examples.slice(0, shown).map(({ productId, sku, before: was, after: becomes, step, place }) => {
    return [productId, sku ?? '-', was ?? '-', becomes ?? '-', step, place ?? '']
  })
  print(table([['product', 'sku', 'before', 'after', 'step', 'at'], ...rows]))
}

const words = {
  up: 'up',
  down: 'down',
  unchanged: 'unchanged',
  unscored: 'without a score',
  scoreAppeared: 'scored for the first time',
  scoreGone: 'scored no longer',
  moved: 'changed meanwhile',
  leftOut: 'left out',
  unsure: 'of these, records may be lost',
} as const
