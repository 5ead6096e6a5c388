/** A catalog made from a seed in which it is known which products are one: messy twins, and siblings that only look like them. */
import { type RefinedProduct, unrefined } from '../../../schemas/product.ts'
import { mulberry32 } from '../../faults/mulberry.ts'

export interface Labelled {
  readonly id: string
  /** Products of one thing have one. */
  readonly thing: number
  readonly product: RefinedProduct
}

/** Written as shops write; nothing here is read from the comparison's own tables. */
const brands = [
  'Brennwald',
  'Kestrel & Co',
  'Maison Aubert',
  'Nordlys',
  'Tavola',
  'Ōtsuka',
  'Grünfeld',
  'Pippin Home',
  'Veloce',
  'Atlas Tools',
]
const things = [
  ['Cordless Drill', 'drill', 89],
  ['Chef Knife', 'knife', 49],
  ['Enamel Teapot', 'teapot', 39],
  ['Wool Blanket', 'blanket', 75],
  ['Desk Lamp', 'lamp', 59],
  ['Hand Soap', 'soap', 6],
  ['Espresso Beans', 'coffee', 13],
  ['Running Shoes', 'shoe', 110],
  ['Trekking Backpack', 'pack', 140],
  ['Vacuum Flask', 'flask', 29],
  ['Cast Iron Skillet', 'pan', 55],
  ['Linen Bedding', 'bedding', 119],
  ['Bluetooth Speaker', 'speaker', 79],
  ['Garden Hose', 'hose', 35],
  ['Watering Can', 'can', 24],
  ['Notebook Ruled', 'paper', 12],
] as const
const lines = [
  'Heritage',
  'Aurora',
  'Fjord',
  'Solstice',
  'Monarch',
  'Quarry',
  'Harvest',
  'Meridian',
  'Cascade',
  'Tundra',
  'Ember',
  'Lagoon',
  'Sierra',
  'Orchard',
  'Pavilion',
  'Zephyr',
  'Cobalt Line',
  'Old Mill',
]
const colors = [
  ['black', 'schwarz', 'noir', 'negro'],
  ['white', 'weiß', 'blanc', 'blanco'],
  ['red', 'rot', 'rouge', 'rojo'],
  ['blue', 'blau', 'bleu', 'azul'],
  ['green', 'grün', 'vert', 'verde'],
  ['grey', 'grau', 'gris', 'gris'],
  ['yellow', 'gelb', 'jaune', 'amarillo'],
  ['brown', 'braun', 'marron', 'marrón'],
] as const
/** An amount in the spellings that it is met in. */
const amounts = [
  ['500 ml', '500ml', '0.5 l', '0,5 L'],
  ['250 ml', '250ml', '0.25 L', '0,25l'],
  ['1 l', '1L', '1000 ml', '1,0 l'],
  ['1 kg', '1kg', '1000 g', '1000g'],
  ['250 g', '250g', '0.25 kg', '250 gr'],
  ['24 cm', '24cm', '240 mm', '24 cm'],
  ['28 cm', '28cm', '280 mm', '28 cm'],
  ['18 V', '18V', '18v', '18 Volt'],
  ['6 pack', 'pack of 6', '6 pcs', '6-Pack'],
  ['12 pack', 'pack of 12', '12 pcs', '12-Pack'],
] as const
const praise = ['NEW', 'Free Shipping', 'Best', 'Sale', '- Top']

type Random = () => number
const pick = <T>(random: Random, from: readonly T[]): T => from[Math.floor(random() * from.length)] as T

interface Thing {
  readonly brand: string
  readonly line: string
  readonly noun: string
  readonly model: string | null
  readonly amount: number | null
  readonly color: number | null
  readonly price: number
  readonly gtin: string | null
  readonly mpn: string | null
}

function checkDigit(digits: string): string {
  const sum = [...digits].reverse().reduce((all, digit, i) => all + Number(digit) * (i % 2 === 0 ? 3 : 1), 0)
  return `${digits}${(10 - (sum % 10)) % 10}`
}

function newThing(random: Random, n: number): Thing {
  const [noun, , price] = things[n % things.length] ?? things[0]
  const model = random() < 0.5 ? `${pick(random, ['TX', 'B', 'GS', 'K'])}${random() < 0.5 ? '-' : ''}${100 + n}` : null
  return {
    // Line, noun and brand together belong to one thing and its siblings.
    brand: brands[Math.floor(n / (things.length * lines.length)) % brands.length] ?? '',
    line: lines[Math.floor(n / things.length) % lines.length] ?? '',
    noun,
    model,
    amount: random() < 0.6 ? Math.floor(random() * amounts.length) : null,
    color: random() < 0.6 ? Math.floor(random() * colors.length) : null,
    price: Math.round(price * (0.8 + random() * 0.5) * 100) / 100,
    gtin: random() < 0.5 ? checkDigit(`40${String(1_000_000_000 + n * 7).slice(0, 10)}`) : null,
    mpn: random() < 0.3 ? `${pick(random, ['A', 'ZR', 'QM'])}-${40_000 + n * 3}` : null,
  }
}

/** Another thing that shares all but one of its features; nothing where it has none of them. */
function siblingOf(random: Random, thing: Thing, n: number): Thing | null {
  const own = {
    gtin: thing.gtin && checkDigit(`50${String(2_000_000_000 + n * 7).slice(0, 10)}`),
    mpn: thing.mpn && `${thing.mpn}B`,
  }
  const kinds: (() => Thing | null)[] = [
    () =>
      thing.color === null
        ? null
        : { ...thing, ...own, color: (thing.color + 1 + Math.floor(random() * 6)) % colors.length },
    () =>
      thing.amount === null
        ? null
        : { ...thing, ...own, amount: (thing.amount + 1 + Math.floor(random() * 8)) % amounts.length },
    () => (thing.model === null ? null : { ...thing, ...own, model: `${thing.model}${pick(random, ['1', '5', 'E'])}` }),
    () => ({
      ...thing,
      ...own,
      line: `${thing.line} ${pick(random, ['Pro', 'Mini', 'Junior', 'Lavender', 'Walnut'])}`,
    }),
  ]
  return pick(random, kinds)()
}

function slip(random: Random, text: string): string {
  const places = [...text].flatMap((char, i) => (/\p{L}/u.test(char) && /\p{L}{4}$/u.test(text.slice(0, i)) ? [i] : []))
  if (places.length === 0) return text
  const at = pick(random, places)
  const kind = random()
  if (kind < 0.4) return text.slice(0, at) + text.slice(at + 1)
  if (kind < 0.7) return text.slice(0, at) + (text[at] ?? '') + text.slice(at)
  return text.slice(0, at - 1) + (text[at] ?? '') + (text[at - 1] ?? '') + text.slice(at + 1)
}

/** @param messy how far from the plain way of writing it is */
function written(random: Random, thing: Thing, messy: boolean): RefinedProduct {
  const chance = (share: number) => messy && random() < share
  const spelling = messy ? Math.floor(random() * 4) : 0
  const parts = [
    `${thing.line} ${thing.noun}`,
    thing.model === null ? '' : chance(0.4) ? thing.model.replace('-', ' ') : thing.model,
    thing.amount === null ? '' : (amounts[thing.amount]?.[spelling] ?? ''),
    thing.color === null ? '' : (colors[thing.color]?.[messy ? Math.floor(random() * 4) : 0] ?? ''),
  ].filter(Boolean)
  if (chance(0.3)) parts.reverse()
  if (random() < 0.5) parts.unshift(thing.brand)
  if (chance(0.15)) parts.push(pick(random, praise))
  let title = parts.join(chance(0.3) ? ', ' : ' ')
  if (chance(0.35)) title = slip(random, title)
  if (chance(0.15)) title = title.toUpperCase()
  const gtin = chance(0.5) ? null : thing.gtin
  return {
    ...unrefined,
    title,
    brand: chance(0.1) ? null : chance(0.1) ? `${thing.brand} Ltd` : thing.brand,
    gtin: gtin !== null && chance(0.3) ? gtin.padStart(14, '0') : gtin,
    mpn: chance(0.4) ? null : thing.mpn && chance(0.4) ? thing.mpn.replace('-', '') : thing.mpn,
    price: (thing.price * (messy ? 0.96 + random() * 0.08 : 1)).toFixed(2),
    currency: 'EUR',
  }
}

/** @param size things that have no sibling among themselves; products are some two and a half times as many */
export function labelled(seed: number, size: number): Labelled[] {
  const random = mulberry32(seed)
  const all: Labelled[] = []
  let thing = 0
  const add = (which: number, product: RefinedProduct) =>
    all.push({ id: `00000000-0000-8000-8000-${String(all.length).padStart(12, '0')}`, thing: which, product })
  for (let n = 0; n < size; n++) {
    const one = newThing(random, n)
    add(++thing, written(random, one, false))
    if (random() < 0.6) add(thing, written(random, one, true))
    if (random() < 0.15) add(thing, written(random, one, true))
    const sibling = siblingOf(random, one, n)
    if (sibling === null) continue
    add(++thing, written(random, sibling, random() < 0.5))
    if (random() < 0.3) add(thing, written(random, sibling, true))
  }
  return all
}
