/** Chooses the products of a replay: by the records of its range, read from the log page by page, or of its catalogs where it names no records. */
import type { PoolClient } from 'pg'
import type { Hole } from '../../schemas/log-incomplete.ts'
import { topics } from '../../schemas/topics.ts'
import { chooses, type EpochStretches, isOfProducts, prepared, stretchesOf } from '../../transforms/replay/range.ts'
import { products as topology } from '../../transforms/topology.ts'
import { listEpochs } from '../catalog/log-epochs.ts'
import type { Catalog } from '../catalog/postgres.ts'
import type { ReplayRow } from '../catalog/replays.ts'
import { choose, choosePage } from '../catalog/shadow-choice.ts'
import { epochOf } from '../log/epoch-of.ts'
import { holesOf } from '../log/holes.ts'
import type { Log } from '../log/port.ts'

/** How far it has come: an offset of one of its stretches, or a product of one of its catalogs. */
export interface Chosen {
  readonly place: number
  readonly offset: number | null
  readonly product: string | null
}

const pageRecords = 5_000
const pageProducts = 20_000

/** Called with each step's end in that step's own transaction. */
type Move = (tx: PoolClient, to: Chosen) => Promise<void>

export function openChoosing({ catalog, log }: { catalog: Pick<Catalog, 'pipeline' | 'inTransaction'>; log: Log }) {
  const pool = catalog.pipeline

  /** Of a closed epoch all that it has. */
  async function epochsUpTo(below: readonly number[]): Promise<EpochStretches[]> {
    const epochs = (await listEpochs(pool)).filter(({ epoch }) => epoch <= log.epoch)
    return epochs.map(({ epoch, begins, ends }) => ({
      epoch,
      from: begins[topics.bronze] ?? [],
      to: epoch === log.epoch ? below : (ends?.[topics.bronze] ?? []),
    }))
  }

  async function byRecords(replay: ReplayRow, below: readonly number[], from: Chosen, move: Move, signal: AbortSignal) {
    const range = prepared(replay.range)
    const catalogs = new Set(replay.catalogs)
    const stretches = stretchesOf(replay.range, await epochsUpTo(below))
    const holes = await holesOf(log, below)
    for (let place = from.place; place < stretches.length; place++) {
      const { epoch, partition, from: first, to } = stretches[place] as (typeof stretches)[number]
      const reader = epochOf(log, epoch)
      for (let at: number = place === from.place ? (from.offset ?? first) : first; at < to; ) {
        signal.throwIfAborted()
        const lost = holes.find(
          (one) => one.epoch === epoch && one.partition === partition && one.from <= at && at < one.to,
        )
        if (lost) {
          at = lost.to
          continue
        }
        const records = await reader.read(topics.bronze, partition, at, pageRecords)
        const found = new Map<string, { catalog: string; product: string }>()
        for (const { offset, value } of records) {
          const read = offset < to ? topology.decode(value) : null
          if (read?.kind !== 'ok') continue
          const { workspace, catalog: of, product } = read.value
          if (workspace !== replay.workspace || !catalogs.has(of) || !chooses(range, read.value)) continue
          found.set(product, { catalog: of, product })
        }
        // Where nothing more is kept, nothing more can be chosen.
        at = (records.at(-1)?.offset ?? to) + 1
        await catalog.inTransaction(pool, async (tx) => {
          await choose(tx, replay.id, [...found.values()])
          await move(tx, { place, offset: at, product: null })
        })
      }
    }
  }

  async function byProducts(replay: ReplayRow, from: Chosen, move: Move, signal: AbortSignal) {
    for (let place = from.place; place < replay.catalogs.length; place++) {
      const of = replay.catalogs[place] as string
      for (let after = place === from.place ? from.product : null; ; ) {
        signal.throwIfAborted()
        const last: string | null = await catalog.inTransaction(pool, async (tx) => {
          const wanted = { catalog: of, after, keys: replay.range.keys }
          const page = await choosePage(tx, replay.id, wanted, pageProducts)
          if (page) await move(tx, { place, offset: null, product: page.last })
          return page?.last ?? null
        })
        if (last === null) break
        after = last
      }
    }
  }

  return {
    /** What the log has lost of the records of a range: who was in these alone is not chosen. */
    async holesIn({ range }: ReplayRow, below: readonly number[]): Promise<Hole[]> {
      const holes = isOfProducts(range) ? [] : await holesOf(log, below)
      if (holes.length === 0) return []
      const stretches = stretchesOf(range, await epochsUpTo(below))
      return holes.filter(({ epoch, partition, from, to }) =>
        stretches.some((one) => one.epoch === epoch && one.partition === partition && one.from < to && from < one.to),
      )
    },
    /** @param below where the sink was in each partition when the replay began: a step that is done again chooses the same */
    choose: (replay: ReplayRow, below: readonly number[], from: Chosen | null, move: Move, signal: AbortSignal) => {
      const start = from ?? { place: 0, offset: null, product: null }
      return isOfProducts(replay.range)
        ? byProducts(replay, start, move, signal)
        : byRecords(replay, below, start, move, signal)
    },
  }
}
