/** Finds the element that stands for a product in XML of no format that we know: the one repeated with most fields. */
import { TableError } from '../../table-error.ts'
import { localName } from './element.ts'
import { readXmlText } from './events.ts'
import { withoutDeclarations } from './items.ts'

export interface FoundItem {
  readonly path: string
  /** Why this one, for people. */
  readonly reason: string
}

/** What all elements at one path are like. */
interface Kind {
  readonly path: string
  readonly order: number
  readonly depth: number
  readonly kinds: Map<string, Kind>
  /** Those that have two different fields or more, and how many they have together. */
  rich: number
  fields: number
}

/** Names of data must not become paths without end. */
const mostPaths = 10_000
const fewestFields = 2

/**
 * A product has more fields than what repeats within it or around it, so each path counts as often as it stands there, times
 * the square of its fields. What stands there once is a product only where nothing is repeated.
 * @throws TableError where nothing has fields
 */
export async function findItem(text: AsyncIterable<string>): Promise<FoundItem> {
  const kinds = await survey(text)
  const rich = kinds.filter((kind) => kind.rich > 0)
  const repeated = rich.filter((kind) => kind.rich > 1)
  const [best] = (repeated.length > 0 ? repeated : rich).sort(
    (a, b) => weight(b) - weight(a) || a.depth - b.depth || a.order - b.order,
  )
  if (!best)
    throw new TableError(
      'not_a_table',
      'No element of this XML has several attributes or child elements, so none can be a product; give each product an element, and each of its fields one within it',
    )
  const average = Math.round(best.fields / best.rich)
  const reason =
    repeated.length > 0
      ? `it stands ${best.rich} times with about ${average} fields, which is more than any other element`
      : `nothing is repeated, and it has most fields (${average})`
  return { path: best.path, reason }
}

const weight = ({ rich, fields }: Kind) => (fields / rich) ** 2 * rich

async function survey(text: AsyncIterable<string>): Promise<Kind[]> {
  const all: Kind[] = []
  const kindOf = (path: string, depth: number): Kind => {
    if (all.length >= mostPaths)
      throw new TableError(
        'too_many_columns',
        `The XML has more than ${mostPaths} different kinds of elements; give fields fixed names, and put varying ones into their values`,
      )
    const kind = { path, order: all.length, depth, kinds: new Map(), rich: 0, fields: 0 }
    all.push(kind)
    return kind
  }
  const top = new Map<string, Kind>()
  const open: { kind: Kind; fields: Set<string> }[] = []
  const listener = {
    opens(name: string, attributes: Parameters<typeof withoutDeclarations>[0]) {
      const around = open.at(-1)
      const own = localName(name)
      around?.fields.add(own)
      const kinds = around?.kind.kinds ?? top
      const kind = kinds.get(own) ?? kindOf(`${around?.kind.path ?? ''}/${own}`, open.length)
      kinds.set(own, kind)
      open.push({ kind, fields: new Set(withoutDeclarations(attributes).map(([key]) => `@${key}`)) })
    },
    text() {},
    closes() {
      const closed = open.pop()
      if (!closed || closed.fields.size < fewestFields) return
      closed.kind.rich++
      closed.kind.fields += closed.fields.size
    },
  }
  for await (const _ of readXmlText(text, listener));
  return all
}
