/** Knows an event that is as plain as nearly all are: of such the schema, which is asked about all others, would say nothing else and take five times as long. */
import { type eventInput, largestEventCharacters, numberFields } from '../../schemas/event.ts'
import { utcInstant } from '../../schemas/instant.ts'

export type EventInput = ReturnType<typeof eventInput.parse>

/** How many characters it has, names and texts; -1 where it is not plain. */
type Measure = (value: unknown) => number

const notPlain = -1
const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[1-8][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/
const word = /^[a-z][a-z0-9_]{1,62}$/
const key = /^[a-z_][a-z0-9_]{0,62}$/
const amount = /^-?\d{1,15}(\.\d{1,9})?$/
const currency = /^[A-Z]{3}$/
/** Of all of them together, so that none need be written out to be measured. */
const most = { texts: 200, products: 200, keys: 50, value: 1_000, characters: largestEventCharacters / 8 }

const like =
  (form: RegExp): Measure =>
  (value) =>
    typeof value === 'string' && form.test(value) ? value.length : notPlain
/** The character U+0000 and halves of surrogate pairs are no text. */
const isText = (value: string) => value.isWellFormed() && !value.includes('\0')
const text: Measure = (value) =>
  typeof value === 'string' && value.length <= most.texts && isText(value) ? value.length : notPlain

function number(value: unknown): number {
  if (typeof value === 'number') return Math.abs(value) < 1e15 ? 0 : notPlain
  return typeof value === 'string' && amount.test(value) ? value.length : notPlain
}

function products(value: unknown): number {
  if (!Array.isArray(value) || value.length > most.products) return notPlain
  let characters = 0
  for (const one of value) {
    const own = text(one)
    if (own === notPlain) return notPlain
    characters += own
  }
  return characters
}

const isPlainValue = (value: unknown) => value === null || typeof value === 'boolean' || Number.isSafeInteger(value)

function metadata(value: unknown): number {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return notPlain
  let [characters, keys] = [0, 0]
  for (const name of Object.keys(value)) {
    const one = (value as Record<string, unknown>)[name]
    if (++keys > most.keys || name === '__proto__' || !key.test(name)) return notPlain
    if (typeof one !== 'string' || one.length > most.value || !isText(one)) {
      if (!isPlainValue(one)) return notPlain
      characters += name.length
    } else characters += name.length + one.length
  }
  return characters
}

const measured =
  (of: ReadonlyMap<string, Measure>): Measure =>
  (value) => {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return notPlain
    let characters = 0
    for (const name of Object.keys(value)) {
      const own = of.get(name)?.((value as Record<string, unknown>)[name]) ?? notPlain
      if (own === notPlain) return notPlain
      characters += name.length + own
    }
    return characters
  }

const event = measured(
  new Map<string, Measure>([
    ['id', like(uuid)],
    ['type', like(word)],
    ['time', like(utcInstant)],
    ['brand_id', like(uuid)],
    ['catalog_id', like(uuid)],
    ['product_id', text],
    ['product_ids', products],
    ['session_id', text],
    ['agent_id', text],
    ['agent', measured(new Map([['name', text] as const, ['version', text] as const]))],
    ['customer_id', text],
    ...numberFields.map((name) => [name, number] as const),
    ['currency', like(currency)],
    ['metadata', metadata],
  ]),
)

/** @returns whether it is what the schema would make of it, and far from the largest */
export function isPlainEvent(value: unknown): value is EventInput {
  const characters = event(value)
  return characters !== notPlain && characters <= most.characters && Object.hasOwn(value as object, 'type')
}
