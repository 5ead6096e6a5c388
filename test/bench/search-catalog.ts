/** A catalog as search benchmarks want it: a million products in five languages, with words as frequent as words are, and questions about them. */
import type { Availability, RefinedProduct } from '../../schemas/product.ts'
import { unrefined } from '../../schemas/product.ts'
import { stopWords } from '../../transforms/silver/stop-words.ts'

/** The same numbers every time. */
export function random(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let t = Math.imul(state ^ (state >>> 15), state | 1)
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61)
    return ((t ^ (t >>> 14)) >>> 0) / 0x1_0000_0000
  }
}

const syllables: Readonly<Record<string, string>> = {
  en: 'ban der lor min ton wick sha per ling stone ful ware lock brim tan hol ven crest pel dor',
  de: 'schi ber lan gen stuhl wer kel dorf mün zel rau hof brück stein tau pfer dich lei mann zug',
  fr: 'bon jar din che vau mai son lou pier tré lai gou bou teil lan ver mou choi ran pé',
  es: 'ca ra dor mue ble sol ven ta man za ro lla gar cía cor tez pla no fue go',
  pl: 'sto łek wia dro krze sło pół ka szy ba dom ek gar nek lam pa świe ca żar ów',
}
const shares = [
  ['en', 0.5],
  ['de', 0.65],
  ['fr', 0.8],
  ['es', 0.9],
  ['pl', 1],
] as const
const colors = ['black', 'white', 'red', 'blue', 'green', 'grey', 'brown', 'silver']
const states: readonly Availability[] = ['in_stock', 'in_stock', 'in_stock', 'out_of_stock', 'preorder']

function wordsOf(language: string, n: number): string[] {
  const parts = (syllables[language] ?? '').split(' ')
  return Array.from({ length: n }, (_, i) => {
    let [word, left] = ['', i + parts.length]
    for (; left > 0; left = Math.floor(left / parts.length)) word += parts[left % parts.length]
    return word
  })
}

interface Language {
  readonly code: string
  /** What a product is: some hundreds of kinds, the first of them in one of ten titles. */
  readonly kinds: readonly string[]
  readonly traits: readonly string[]
  readonly words: readonly string[]
  readonly small: readonly string[]
}

export function searchCatalog(seed: number) {
  const next = random(seed)
  const languages = Object.keys(syllables).map((code): Language => {
    const words = wordsOf(code, 24_000)
    const small = (stopWords[code]?.words ?? '').split(' ')
    return { code, kinds: words.slice(0, 1_500), traits: words.slice(1_500, 4_000), words, small }
  })
  const brands = wordsOf('en', 9_000)
    .slice(6_000)
    .map((word) => word[0]?.toUpperCase() + word.slice(1))
  /** The nth is 1/n as frequent as the first, but for the first few, which no catalog is full of. */
  const frequent = <T>(from: readonly T[]): T =>
    from[Math.min(from.length - 1, Math.floor((from.length + 8) ** next()) - 1)] as T
  const evenly = <T>(from: readonly T[]): T => from[Math.floor(next() * from.length)] as T
  const languageOf = () => {
    const at = next()
    return languages.find((_, i) => at < (shares[i]?.[1] ?? 1)) ?? (languages[0] as Language)
  }
  const text = ({ words, small }: Language, n: number) =>
    Array.from({ length: n }, () => (next() < 0.35 ? evenly(small) : frequent(words))).join(' ')
  const typo = (word: string) => {
    const at = 1 + Math.floor(next() * (word.length - 2))
    return next() < 0.5
      ? word.slice(0, at) + word.slice(at + 1)
      : word.slice(0, at) + word[at + 1] + word[at] + word.slice(at + 2)
  }

  function product(i: number): RefinedProduct {
    const of = languageOf()
    const kind = frequent(of.kinds)
    const brand = frequent(brands)
    const color = evenly(colors)
    const title = [
      brand,
      frequent(of.traits),
      kind,
      next() < 0.4 ? frequent(of.traits) : '',
      color,
      next() < 0.2 ? `${5 + Math.floor(next() * 60)} cm` : '',
      `${kind.slice(0, 2).toUpperCase()}-${i}`,
    ]
    return {
      ...unrefined,
      sku: `S${i}`,
      gtin: String(4_000_000_000_000 + i),
      brand,
      title: title.filter(Boolean).join(' '),
      description: text(of, 45),
      categoryPath: [evenly(of.kinds.slice(0, 12)), kind],
      price: (1 + next() * 400).toFixed(2),
      currency: 'EUR',
      availability: evenly(states),
      condition: 'new',
      color,
      size: evenly(['S', 'M', 'L', 'XL']),
      link: `https://shop.test/${i}`,
      images: [`https://cdn.test/${i}.jpg`],
      attributes: { power: `${10 * Math.floor(next() * 30)} W` },
    }
  }

  /** Address parameters of a question; no two in a row are alike. */
  function question(size: number): { readonly kind: string; readonly query: Record<string, string> } {
    const of = languageOf()
    const at = next()
    const kind = frequent(of.kinds)
    if (at < 0.2) return { kind: 'one word', query: { q: kind } }
    if (at < 0.4) return { kind: 'two words', query: { q: `${frequent(of.traits)} ${kind}` } }
    if (at < 0.55) return { kind: 'brand and word', query: { q: `${frequent(brands)} ${kind}` } }
    if (at < 0.65) return { kind: 'color and word', query: { q: `${evenly(colors)} ${kind}` } }
    if (at < 0.72) return { kind: 'text', query: { q: text(of, 3) } }
    if (at < 0.8) return { kind: 'code', query: { q: `S${Math.floor(next() * size)}` } }
    if (at < 0.88) return { kind: 'typo', query: { q: `${evenly(colors)} ${typo(kind)}` } }
    return {
      kind: 'filter',
      query: { q: kind, price_max: '15000', availability: 'in_stock', attributes: `color:${evenly(colors)}` },
    }
  }
  return { product, question, languages }
}
