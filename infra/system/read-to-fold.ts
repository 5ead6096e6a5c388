/** Products' histories to fold: each behind the newest month's end that none of its later records reaches before, or all of it. */
import type { Pool } from 'pg'
import { topics } from '../../schemas/topics.ts'
import { type Base, type History, type Place, reachesBefore } from '../../transforms/bronze/history.ts'
import { add, type Histories, readWhole, told } from '../catalog/histories.ts'
import { holesAround, holesOf } from '../log/holes.ts'
import type { EpochReader, Log } from '../log/port.ts'

/** Their bases and what came after these are held together: at 5 kB each 10 MB. */
const productsAtOnce = 2_000

/** Where the reading of one product begins. */
interface Start {
  readonly base: Base | null
  /** In the epochs that have something of it: of others nothing is read. */
  readonly from: ReadonlyMap<number, number>
}

/**
 * As `readWhole` but for what is in their bases. A product around which the log has lost records comes from its first record on: whether
 * it was made behind them, that alone can tell.
 * @param below offset of each partition where the histories end, in the present epoch
 */
export async function* readToFold(
  pool: Pool,
  log: Log,
  products: readonly string[],
  below: readonly number[],
): AsyncGenerator<[product: string, history: History]> {
  const epochs = [log, ...(log.former ?? []).toReversed()]
  if (await noneHasBases(epochs)) return yield* readWhole(pool, log, products, below)
  const holes = await holesOf(log, below)
  const isAround = (id: string) => holesAround(log, holes, id).length > 0
  if (holes.length > 0) yield* readWhole(pool, log, products.filter(isAround), below)
  const others = holes.length > 0 ? products.filter((id) => !isAround(id)) : products
  for (let at = 0; at < others.length; at += productsAtOnce) {
    /** The earliest record that must not be in a base. */
    let without = new Map<string, Place | null>(others.slice(at, at + productsAtOnce).map((id) => [id, null]))
    while (without.size > 0) {
      const starts = await startsOf(epochs, without, below)
      const again = new Map<string, Place | null>()
      for (const [product, history] of await readFrom(pool, log, epochs, starts, below)) {
        const reached = reachesBefore(history)
        if (reached) again.set(product, reached)
        else if (history.base || history.entries.length > 0 || history.hole) yield [product, history]
      }
      without = again
    }
  }
}

async function noneHasBases(epochs: readonly EpochReader[]): Promise<boolean> {
  for (const epoch of epochs) if (await epoch.bases?.(topics.bronze, [])) return false
  return true
}

/** @param epochs the newest first @param below as of `readToFold` */
async function startsOf(
  epochs: readonly EpochReader[],
  without: ReadonlyMap<string, Place | null>,
  below: readonly number[],
): Promise<Map<string, Start>> {
  const found = new Map<string, Start & { readonly from: Map<number, number> }>()
  for (const id of without.keys()) found.set(id, { base: null, from: new Map() })
  for (const [i, { epoch, partitionOf, bases }] of epochs.entries()) {
    const waiting = [...found].filter(([, { base }]) => base === null).map(([id]) => id)
    // All that stands in this epoch came after what must be left out.
    const asked = waiting.filter((id) => epoch <= (without.get(id)?.epoch ?? epoch))
    const offsetOf = (id: string) => {
      const place = without.get(id)
      return place?.epoch === epoch ? place.offset : null
    }
    const endOf = (id: string) => (i === 0 ? (below[partitionOf(id)] ?? 0) : Number.MAX_SAFE_INTEGER)
    const known = await bases?.(
      topics.bronze,
      asked.map((key) => ({ key, without: Math.min(offsetOf(key) ?? endOf(key), endOf(key)) })),
    )
    for (const id of waiting) found.get(id)?.from.set(epoch, 0)
    if (!known) continue
    for (const id of asked) {
      const [base, upTo] = [known.of.get(id) ?? null, known.upTo[partitionOf(id)] ?? 0]
      const behind = base?.position.offset ?? 0
      const { from } = found.get(id) ?? { from: new Map<number, number>() }
      const isNewest = offsetOf(id) === null && upTo <= endOf(id)
      found.set(id, { base, from: from.set(epoch, isNewest ? Math.max(behind, upTo) : behind) })
    }
  }
  return found
}

async function readFrom(
  pool: Pool,
  log: Log,
  epochs: readonly EpochReader[],
  starts: ReadonlyMap<string, Start>,
  below: readonly number[],
): Promise<[product: string, history: History][]> {
  const group: Histories = new Map([...starts.keys()].map((id) => [id, []]))
  for (const [i, reader] of [...epochs.entries()].toReversed()) {
    const own = [...starts].filter(([, { from }]) => from.has(reader.epoch)).map(([id]) => id)
    if (own.length === 0) continue
    const first = (id: string) => starts.get(id)?.from.get(reader.epoch) ?? 0
    const begin = new Array<number>(reader.partitions).fill(Number.MAX_SAFE_INTEGER)
    for (const id of own) {
      const partition = reader.partitionOf(id)
      begin[partition] = Math.min(begin[partition] ?? 0, first(id))
    }
    const ends = i === 0 ? below : await reader.ends(topics.bronze)
    for await (const stored of reader.readKeys(topics.bronze, own, ends, begin))
      if (stored.offset >= first(stored.key)) add(group, reader.epoch, stored)
  }
  return told(pool, log, group, below, new Map([...starts].map(([id, { base }]) => [id, base])))
}
