/** Finds the element that stands for a product in XML of no format that we know: the one repeated with most fields. */
import { TableError } from '../../table-error.ts'
import { localName } from './element.ts'
import { deepest, readXmlText } from './events.ts'
import { holdsVariants } from './holds-variants.ts'
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
  readonly above: Kind | null
  readonly kinds: Map<string, Kind>
  readonly attributes: Set<string>
  /** Those that have two different fields or more, and how many they have together. */
  rich: number
  fields: number
}

/** Names of data must not become paths without end. */
const mostPaths = 10_000
const fewestFields = 2
/** Of all elements at one path: more are names of data too. */
const mostAttributes = 200

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
  const holder = holderOf(best)
  if (holder)
    return {
      path: holder.path,
      reason: `each holds its variants, which are ${best.path.slice(holder.path.length + 1)}`,
    }
  const average = Math.round(best.fields / best.rich)
  const reason =
    repeated.length > 0
      ? `it stands ${best.rich} times with about ${average} fields, which is more than any other element`
      : `nothing is repeated, and it has most fields (${average})`
  return { path: best.path, reason }
}

const namesOf = ({ kinds, attributes }: Kind) => [...kinds.keys(), ...attributes]

/** There may be more variants than products, and more said of each: what holds them is the product all the same. */
function holderOf(kind: Kind): Kind | null {
  const { above } = kind
  const fields = namesOf(kind)
  const holds = (around: Kind | null | undefined, name: string, bare: boolean) =>
    around && around.rich > 0 && holdsVariants({ names: namesOf(around), times: around.rich }, { name, bare }, fields)
      ? around
      : null
  return above && (holds(above, nameOf(kind), true) ?? holds(above.above, nameOf(above), false))
}

const nameOf = ({ path }: Kind) => path.slice(path.lastIndexOf('/') + 1)

const weight = ({ rich, fields }: Kind) => (fields / rich) ** 2 * rich

async function survey(text: AsyncIterable<string>): Promise<Kind[]> {
  const all: Kind[] = []
  const kindOf = (own: string, above: Kind | null, depth: number): Kind => {
    if (all.length >= mostPaths)
      throw new TableError(
        'too_many_columns',
        `The XML has more than ${mostPaths} different kinds of elements; give fields fixed names, and put varying ones into their values`,
      )
    const within = { kinds: new Map(), attributes: new Set<string>(), rich: 0, fields: 0 }
    const kind = { path: `${above?.path ?? ''}/${own}`, order: all.length, depth, above, ...within }
    all.push(kind)
    return kind
  }
  const top = new Map<string, Kind>()
  const open: { kind: Kind; fields: Set<string> }[] = []
  /** Elements that are open and too deep to be looked at. */
  let below = 0
  const listener = {
    opens(name: string, attributes: Parameters<typeof withoutDeclarations>[0]) {
      if (open.length === deepest) {
        below++
        return
      }
      const around = open.at(-1)
      const own = localName(name)
      around?.fields.add(own)
      const kinds = around?.kind.kinds ?? top
      const kind = kinds.get(own) ?? kindOf(own, around?.kind ?? null, open.length)
      kinds.set(own, kind)
      const names = withoutDeclarations(attributes).map(([key]) => `@${key}`)
      for (const key of names) if (kind.attributes.size < mostAttributes) kind.attributes.add(key)
      open.push({ kind, fields: new Set(names) })
    },
    text() {},
    closes() {
      if (below > 0) {
        below--
        return
      }
      const closed = open.pop()
      if (!closed || closed.fields.size < fewestFields) return
      closed.kind.rich++
      closed.kind.fields += closed.fields.size
    },
  }
  for await (const _ of readXmlText(text, listener));
  return all
}
