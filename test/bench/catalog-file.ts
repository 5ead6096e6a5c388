/** Writes a supplier's file of any length for benchmarks: flat rows of about 1.1 kB in twelve columns, the same for the same seed. */
import { createWriteStream } from 'node:fs'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'

const nouns = [
  'mug',
  'stool',
  'lamp',
  'kettle',
  'basket',
  'blanket',
  'tray',
  'planter',
  'clock',
  'mirror',
  'shelf',
  'vase',
]
const makes = [
  'enamel',
  'oak',
  'linen',
  'steel',
  'rattan',
  'wool',
  'bamboo',
  'clay',
  'walnut',
  'glass',
  'cork',
  'brass',
]
const tones = ['white', 'black', 'sage', 'sand', 'navy', 'rust', 'ochre', 'slate', 'cream', 'plum']
const phrases = [
  'made to be used every day and to look better for it',
  'finished by hand, so that no two pieces are quite the same',
  'easy to clean with warm water and a soft cloth',
  'packed without plastic and sent from our own warehouse',
  'tested for stability, wear and safe contact with food',
  'designed together with people who repair what they own',
  'small enough for a studio and sturdy enough for a café',
  'with spare parts that can be ordered for at least ten years',
]

/** Numbers in the unit interval from a seed (mulberry32). */
export function random(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let t = Math.imul(state ^ (state >>> 15), 1 | state)
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296
  }
}

/** EAN-13 under the GS1 demonstration prefix 952. */
function ean(n: number): string {
  const body = `952${String(n).padStart(9, '0')}`
  let sum = 0
  for (let i = 0; i < 12; i++) sum += Number(body[i]) * (i % 2 === 0 ? 1 : 3)
  return `${body}${(10 - (sum % 10)) % 10}`
}

export const catalogColumns = [
  'sku',
  'ean',
  'title',
  'description',
  'brand',
  'category',
  'price',
  'currency',
  'stock',
  'image',
  'link',
  'color',
] as const

function cellsOf(n: number, next: () => number): string[] {
  const pick = <T>(list: readonly T[]) => list[Math.floor(next() * list.length)] as T
  const [make, noun, tone] = [pick(makes), pick(nouns), pick(tones)]
  let description = `The ${tone} ${make} ${noun} number ${n} is`
  while (description.length < 690) description += ` ${pick(phrases)};`
  const price = `${5 + Math.floor(next() * 400)}.${String(Math.floor(next() * 100)).padStart(2, '0')}`
  const name = `${make[0]?.toUpperCase()}${make.slice(1)} ${noun} in ${tone}, model ${n}`
  const at = `${make}-${noun}-${n}`
  return [
    `SKU-${String(n).padStart(8, '0')}`,
    ean(n),
    name,
    description,
    `${pick(makes)} & ${pick(nouns)}`,
    `Home > ${noun} > ${make}`,
    price,
    'EUR',
    String(Math.floor(next() * 90)),
    `https://cdn.example.test/images/${at}.jpg`,
    `https://shop.example.test/products/${at}`,
    tone,
  ]
}

/** A thousand at a time. */
export function* catalogRows(rows: number, seed = 7): Generator<string[][]> {
  const next = random(seed)
  for (let n = 0; n < rows; ) {
    const page: string[][] = []
    for (; page.length < 1_000 && n < rows; n++) page.push(cellsOf(n, next))
    yield page
  }
}

/** Title and description have commas. */
const quoted: ReadonlySet<number> = new Set([2, 3])
const line = (cells: readonly string[]) => `${cells.map((cell, i) => (quoted.has(i) ? `"${cell}"` : cell)).join(',')}\n`

export async function writeCatalogFile(path: string, rows: number, seed = 7): Promise<void> {
  function* lines() {
    yield `${catalogColumns.join(',')}\n`
    for (const page of catalogRows(rows, seed)) yield page.map(line).join('')
  }
  await pipeline(Readable.from(lines()), createWriteStream(path))
}
