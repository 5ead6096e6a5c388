/** Keeps what is asked of a catalog within bounds, and every event counted. */
import type { Want } from './wants.ts'

const most = { fields: 40, queries: 3, products: 100 }

const timesOf = (wants: readonly Want[]) => wants.reduce((sum, { times }) => sum + times, 0)

/** The fields that are asked for most; of each the commonest queries, and all others as if they meant any product. */
export function boundWants(wants: readonly Want[]): Want[] {
  const byField = [...Map.groupBy(wants, ({ asked }) => asked.name).values()]
  return byField
    .sort((a, b) => timesOf(b) - timesOf(a))
    .slice(0, most.fields)
    .flatMap(boundField)
}

function boundField(wants: readonly Want[]): Want[] {
  const named = wants.filter(({ products }) => products !== null)
  const queries = wants
    .filter(({ products, words }) => products === null && words.length > 0)
    .toSorted((a, b) => b.times - a.times)
  const plain = wants.filter(({ products, words }) => products === null && words.length === 0)
  const any = [...plain, ...queries.slice(most.queries).map((want): Want => ({ ...want, words: [] }))]
  return [...queries.slice(0, most.queries), ...byKind(any), ...byKind(named)]
}

/** Of each kind one. */
function byKind(wants: readonly Want[]): Want[] {
  return [...Map.groupBy(wants, ({ kind }) => kind).values()].flatMap((of) => {
    const [first] = of
    if (!first) return []
    const products = [...new Set(of.flatMap((one) => one.products ?? []))].slice(0, most.products)
    return [{ ...first, times: timesOf(of), products: first.products && products }]
  })
}
