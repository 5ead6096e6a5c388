/** Finds amounts with units and counts of pieces in a folded title, each in one spelling: 0.5 l and 500 ml are one. */

/** Unit to its base unit and how many of these it is; SI prefixes, and the international inch, ounce, pound and gallon. */
const units: Readonly<Record<string, readonly [base: string, factor: number]>> = {
  ml: ['ml', 1],
  cl: ['ml', 10],
  dl: ['ml', 100],
  l: ['ml', 1_000],
  lt: ['ml', 1_000],
  ltr: ['ml', 1_000],
  liter: ['ml', 1_000],
  litre: ['ml', 1_000],
  liters: ['ml', 1_000],
  litres: ['ml', 1_000],
  litro: ['ml', 1_000],
  litros: ['ml', 1_000],
  мл: ['ml', 1],
  л: ['ml', 1_000],
  mg: ['mg', 1],
  g: ['mg', 1_000],
  gr: ['mg', 1_000],
  gram: ['mg', 1_000],
  grams: ['mg', 1_000],
  gramm: ['mg', 1_000],
  г: ['mg', 1_000],
  kg: ['mg', 1_000_000],
  kilo: ['mg', 1_000_000],
  кг: ['mg', 1_000_000],
  lb: ['mg', 453_592.37],
  lbs: ['mg', 453_592.37],
  oz: ['oz', 1],
  mm: ['mm', 1],
  cm: ['mm', 10],
  m: ['mm', 1_000],
  meter: ['mm', 1_000],
  metre: ['mm', 1_000],
  мм: ['mm', 1],
  см: ['mm', 10],
  м: ['mm', 1_000],
  inch: ['mm', 25.4],
  inches: ['mm', 25.4],
  zoll: ['mm', 25.4],
  pouces: ['mm', 25.4],
  ft: ['mm', 304.8],
  kb: ['kb', 1],
  mb: ['mb', 1],
  gb: ['gb', 1],
  go: ['gb', 1],
  tb: ['gb', 1_000],
  w: ['w', 1],
  watt: ['w', 1],
  watts: ['w', 1],
  kw: ['w', 1_000],
  v: ['v', 1],
  volt: ['v', 1],
  mah: ['mah', 1],
  ah: ['mah', 1_000],
  hz: ['hz', 1],
  khz: ['hz', 1_000],
  lm: ['lm', 1],
  k: ['k', 1],
}
const pieces =
  'packs?|pk|pcs|pc|pieces?|stuck|stk|teile|tlg|teilig|er pack|er set|er packung|set|ct|count|units?|pezzi|piezas|unidades|stuks|delig|szt|sztuk|шт|個|枚|本'

const longestFirst = (a: string, b: string) => b.length - a.length
const number = String.raw`(?<![\p{L}\p{N}.,])(\d+(?:[.,]\d+)?)`
const unit = Object.keys(units).toSorted(longestFirst).join('|')
const counted = new RegExp(`${number} ?(?:${pieces})(?![\\p{L}\\p{N}])`, 'gu')
const countedBefore =
  /(?<![\p{L}\p{N}])(?:pack|set|box|case|pk|satz|lot|paquete|confezione|pack de|lot de) (?:of|de|di|von|mit)? ?(\d+)(?![\p{L}\p{N}.,])/gu
const measured = new RegExp(`${number} ?(${unit})(?![\\p{L}\\p{N}])`, 'gu')
const between = /(\d) ?[x×*] ?(?=\d)/gu

export interface Measured {
  readonly measures: readonly string[]
  /** The title without them; a bar stands in their place, so that what stood apart is not read as one. */
  readonly rest: string
}

const amountOf = (text: string) => Number(text.replace(',', '.'))

export function readMeasures(folded: string): Measured {
  if (!/\d/.test(folded)) return { measures: [], rest: folded }
  const measures: string[] = []
  const count = (_: string, n: string) => {
    measures.push(`${amountOf(n)}pc`)
    return ' | '
  }
  const rest = folded
    .replace(between, '$1 x ')
    .replace(countedBefore, count)
    .replace(counted, count)
    .replace(measured, (whole, n: string, name: string) => {
      const [base, factor] = units[name] ?? []
      if (base === undefined || factor === undefined) return whole
      measures.push(`${Math.round(amountOf(n) * factor * 100) / 100}${base}`)
      return ' | '
    })
  return { measures: measures.sort(), rest }
}
