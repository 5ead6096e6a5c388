/** Products' whole histories out of the log, one product after the other, with what the sink has refused or buried marked as such, and what the log has lost told. */
import { setImmediate as yielded } from 'node:timers/promises'
import type { Pool } from 'pg'
import type { BronzeRecord, Position } from '../../schemas/pipeline.ts'
import { topics } from '../../schemas/topics.ts'
import type { Base, History } from '../../transforms/bronze/history.ts'
import type { HistoryEntry } from '../../transforms/bronze/refold.ts'
import { beginsBehind, holesAround, holesOf } from '../log/holes.ts'
import type { Log, StoredRecord } from '../log/port.ts'

export type Histories = Map<string, HistoryEntry[]>

/** Records that are held at once: at 1 kB each 2 MB. The last product of a group comes whole. */
const groupRecords = 2_000
const parsedAtOnce = 200
/** Each epoch gives them in another order, so that these are held together where there are several. */
const epochProducts = 2_000

/**
 * From their first records, over all epochs. Products without a record are left out, unless the log has lost some where they would stand.
 * What was refused or buried is left in, so that its repeat is known for one.
 * @param below offset of each partition where the histories end, in the present epoch
 */
export async function* readWhole(
  pool: Pool,
  log: Log,
  products: readonly string[],
  below: readonly number[],
): AsyncGenerator<[product: string, history: History]> {
  if (products.length === 0) return
  const silent = new Set(products.map((id) => id.toLowerCase()))
  for await (const group of groupsOf(log, products, below)) {
    for (const id of group.keys()) silent.delete(id)
    yield* await told(pool, log, group, below)
  }
  const nothing: Histories = new Map([...silent].map((id) => [id, []]))
  for (const [id, history] of await told(pool, log, nothing, below)) if (history.hole) yield [id, history]
}

async function* groupsOf(log: Log, products: readonly string[], below: readonly number[]): AsyncGenerator<Histories> {
  const { former = [] } = log
  if (former.length === 0) return yield* ofOneEpoch(log, products, below)
  for (let at = 0; at < products.length; at += epochProducts) {
    const some = products.slice(at, at + epochProducts)
    const group: Histories = new Map()
    for (const epoch of former)
      for await (const stored of epoch.readKeys(topics.bronze, some, await epoch.ends(topics.bronze)))
        add(group, epoch.epoch, stored)
    for await (const stored of log.readKeys(topics.bronze, some, below)) add(group, log.epoch, stored)
    yield group
  }
}

async function* ofOneEpoch(log: Log, products: readonly string[], below: readonly number[]) {
  let group: Histories = new Map()
  let records = 0
  for await (const stored of log.readKeys(topics.bronze, products, below)) {
    if (records >= groupRecords && !group.has(stored.key)) {
      yield group
      group = new Map()
      records = 0
    }
    if (add(group, log.epoch, stored)) records++
    // Others in this process are served between.
    if (records % parsedAtOnce === 0) await yielded()
  }
  yield group
}

/** What was read, with what the sink has refused or buried marked as such, and with what the log had lost by then. */
export async function told(
  pool: Pool,
  log: Log,
  group: Histories,
  below: readonly number[],
  bases: ReadonlyMap<string, Base | null> = new Map(),
): Promise<[product: string, history: History][]> {
  // Asked once the records are read: what went meanwhile is missing among them.
  const holes = group.size === 0 ? [] : await holesOf(log, below)
  return [...(await marked(pool, group))].map(([id, entries]) => {
    const read = { base: bases.get(id) ?? null, entries }
    const hole = holesAround(log, holes, id).find((one) => !beginsBehind(read, one)) ?? null
    return [id, { ...read, hole }]
  })
}

/** @returns false for what is no record */
export function add(group: Histories, epoch: number, { key, partition, offset, value }: StoredRecord): boolean {
  const record = recordIn(value)
  if (record === null) return false
  const entry = { record, position: { epoch, partition, offset }, refused: false }
  const history = group.get(key)
  if (history) history.push(entry)
  else group.set(key, [entry])
  return true
}

async function marked(pool: Pool, group: Histories): Promise<Histories> {
  const positions = [...group.values()].flatMap((history) => history.map(({ position }) => position))
  if (positions.length === 0) return group
  const { rows } = await pool.query<Position>(
    `with at as (select * from unnest($1::int[], $2::int[], $3::bigint[]) as p (epoch, partition, "offset"))
     select epoch, partition, "offset" from refused join at using (epoch, partition, "offset")
     union select epoch, partition, "offset" from dead_record join at using (epoch, partition, "offset") where topic = $4`,
    [positions.map((p) => p.epoch), positions.map((p) => p.partition), positions.map((p) => p.offset), topics.bronze],
  )
  if (rows.length === 0) return group
  const leftOut = new Set(rows.map(spelled))
  const marks = ([product, history]: [string, HistoryEntry[]]): [string, HistoryEntry[]] => [
    product,
    history.map((entry) => (leftOut.has(spelled(entry.position)) ? { ...entry, refused: true } : entry)),
  ]
  return new Map([...group].map(marks))
}

const spelled = ({ epoch, partition, offset }: Position) => `${epoch}/${partition}/${offset}`

/** What is no object was no record to the worker either. */
function recordIn(value: Buffer): BronzeRecord | null {
  try {
    const record: unknown = JSON.parse(value.toString())
    return typeof record === 'object' && record !== null ? (record as BronzeRecord) : null
  } catch {
    return null
  }
}
