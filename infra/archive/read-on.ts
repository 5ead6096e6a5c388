/** Reads a partition out of the archive in order of offset, and goes on where the last read ended without sorting its file anew. */
import type { Scratch } from '../../ingest/scratch.ts'
import { archivedWithin } from '../catalog/archive-queries.ts'
import type { Log, StoredRecord } from '../log/port.ts'
import type { ArchiveParts } from './archive-log.ts'
import { quoted } from './quoted.ts'

export interface ReadOn {
  /** At most about `limit` from this offset on; none where no file has it. */
  read(topic: string, partition: number, from: number, limit: number): Promise<readonly StoredRecord[]>
  close(): Promise<void>
}

/** A file that is being read: what is left of its sorted rows. */
interface OpenFile {
  readonly scratch: Scratch
  readonly rows: AsyncIterator<Row[number][][]>
  /** Read, and not asked for yet. */
  readonly ahead: StoredRecord[]
  /** One past the file's last offset. */
  readonly to: number
}

type Row = [product: string, offset: number, value: Buffer]

/** Whoever reads on does so at once; a file that waits longer is closed, and opened again should they come. */
const idleMs = 30_000

export function openReadOn({
  pool,
  store,
  log,
  newScratch,
}: Omit<ArchiveParts, 'log'> & { log: Pick<Log, 'epoch'> }): ReadOn {
  const waiting = new Map<string, { file: OpenFile; timer: NodeJS.Timeout }>()
  const shut = async ({ scratch, rows }: OpenFile) => {
    await rows.return?.()
    await scratch.close()
  }

  async function openAt(topic: string, partition: number, from: number): Promise<OpenFile | null> {
    const place = { epoch: log.epoch, topic, partition }
    const [range] = await archivedWithin(pool, place, { from, below: from + 1 })
    if (!range) return null
    const scratch = await newScratch()
    const rows = scratch.stream<Row[number]>(
      `select product, "offset", value from read_parquet(${quoted(await store.local(range.path))}, hive_partitioning = false)
        where "offset" >= ${from} order by "offset"`,
    )
    return { scratch, rows: rows[Symbol.asyncIterator](), ahead: [], to: range.to }
  }

  function take(at: string): OpenFile | null {
    const found = waiting.get(at)
    if (!found) return null
    clearTimeout(found.timer)
    waiting.delete(at)
    return found.file
  }

  /** @returns records in order, none where the file has ended */
  async function nextOf(file: OpenFile, partition: number, limit: number): Promise<StoredRecord[]> {
    if (file.ahead.length > 0) return file.ahead.splice(0, limit)
    const page = await file.rows.next().catch(async (error: unknown) => {
      await shut(file).catch(() => {})
      throw error
    })
    if (page.done) return []
    for (const [key, offset, value] of page.value as Row[]) file.ahead.push({ partition, offset, key, value })
    return file.ahead.splice(0, limit)
  }

  /** Two who read the same at once: the second one's file takes the place of the first's. */
  async function leave(at: string, file: OpenFile): Promise<void> {
    const former = take(at)
    const timer = setTimeout(() => {
      waiting.delete(at)
      void shut(file).catch(() => {})
    }, idleMs).unref()
    waiting.set(at, { file, timer })
    if (former) await shut(former)
  }

  return {
    async read(topic, partition, from, limit) {
      const records: StoredRecord[] = []
      let next = from
      while (records.length < limit) {
        const file = take(spelled(topic, partition, next)) ?? (await openAt(topic, partition, next))
        if (!file) break
        const some = await nextOf(file, partition, limit - records.length)
        records.push(...some)
        const last = some.at(-1)
        // Where compaction has taken all that was left, the next file goes on.
        next = last ? last.offset + 1 : file.to
        if (next < file.to) await leave(spelled(topic, partition, next), file)
        else await shut(file)
      }
      return records
    },
    async close() {
      for (const at of [...waiting.keys()]) {
        const file = take(at)
        if (file) await shut(file)
      }
    },
  }
}

const spelled = (topic: string, partition: number, next: number) => `${topic}/${partition}/${next}`
