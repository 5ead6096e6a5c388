/** Turns what agents asked for into fields that products should have, each with the words that say which products. */
import { type DemandKind, demandKeys } from '../../schemas/demand.ts'
import { type AskedField, askedField, regretField } from './asked-field.ts'

export interface Want {
  readonly asked: AskedField
  readonly kind: DemandKind
  readonly times: number
  /** All of which stand in a product that was meant; none: any product was. */
  readonly words: readonly string[]
  /** Products that were meant, by id or SKU, in place of words. */
  readonly products: readonly string[] | null
}

interface Said {
  readonly keys: readonly {
    readonly key: string
    readonly query: string
    readonly times: number
    readonly total: number
  }[]
  readonly empty: readonly { readonly query: string; readonly times: number }[]
  readonly regrets: readonly { readonly reason: string; readonly times: number; readonly products: readonly string[] }[]
}

const mostWords = 6

const wordsOf = (text: string): string[] =>
  [...new Set(text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [])].slice(0, mostWords)

/** A query's words, and two that follow one another: what may be a value. */
export const termsOf = (query: string): string[] => {
  const words = wordsOf(query)
  return [...words, ...words.slice(1).map((word, i) => `${words[i]} ${word}`)]
}

/**
 * @param fieldWith the field that has such a value in the catalog; a query's other words say which products were meant
 */
export function wantsOf({ keys, empty, regrets }: Said, fieldWith: ReadonlyMap<string, string>): Want[] {
  return [...askedBy(keys), ...empty.flatMap((one) => valuesIn(one, fieldWith)), ...regrets.flatMap(regrettedIn)]
}

function askedBy(keys: Said['keys']): Want[] {
  const wants: Want[] = []
  for (const [key, queries] of Map.groupBy(keys, (one) => one.key)) {
    const isFilter = key.startsWith(demandKeys.filter)
    const said = key.slice((isFilter ? demandKeys.filter : demandKeys.argument).length)
    const common = { asked: askedField(said), kind: isFilter ? 'filter' : 'argument', products: null } as const
    for (const { query, times } of queries) wants.push({ ...common, times, words: wordsOf(query) })
    // Beside queries that are asked seldom: they may mean any product.
    const rest = (queries[0]?.total ?? 0) - queries.reduce((sum, { times }) => sum + times, 0)
    if (rest > 0) wants.push({ ...common, times: rest, words: [] })
  }
  return wants
}

function valuesIn({ query, times }: Said['empty'][number], fieldWith: ReadonlyMap<string, string>): Want[] {
  const wants = new Map<string, Want>()
  // Two words together say more than either.
  for (const term of termsOf(query).reverse()) {
    const field = fieldWith.get(term)
    if (field === undefined || wants.has(field)) continue
    const own = term.split(' ')
    const words = wordsOf(query).filter((word) => !own.includes(word))
    wants.set(field, { asked: askedField(field), kind: 'query', times, words, products: null })
  }
  return [...wants.values()]
}

function regrettedIn({ reason, times, products }: Said['regrets'][number]): Want[] {
  const found = new Map(
    wordsOf(reason).flatMap((word) => {
      const asked = regretField(word)
      return asked ? [[asked.name, asked] as const] : []
    }),
  )
  const named = products.length > 0 ? products : null
  return [...found.values()].map((asked) => ({ asked, kind: 'cancelled', times, words: [], products: named }))
}
