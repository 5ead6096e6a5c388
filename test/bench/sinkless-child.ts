/** One process of Assay without its sink: takes some partitions of the log and writes what it makes of each record to another topic. */
import { hash } from 'node:crypto'
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { type KafkaSettings, openKafka } from '../../infra/log/kafka.ts'
import type { Log, NewRecord } from '../../infra/log/port.ts'
import { openArrivals } from '../../infra/system/arrivals.ts'
import type { ImportContext } from '../../schemas/pipeline.ts'
import { defaultSettings } from '../../schemas/settings.ts'
import type { ProductStore, ProductWrite, SinkBatch } from '../../transforms/ports.ts'
import { products as topology } from '../../transforms/topology.ts'
import { runPartition, type WorkerPorts } from '../../transforms/worker.ts'
import { mappingTable, openMapping } from './kafka-mapping.ts'

export interface SinklessOrder {
  readonly settings: KafkaSettings
  /** Of the log. */
  readonly partitions: number
  readonly own: readonly number[]
  /** `map`: what the Kafka Streams program does. `grade`: the worker itself, all but the sink. */
  readonly work: 'map' | 'grade'
  readonly out: string
  readonly contexts: readonly ImportContext[]
}

/** As the worker reads. */
const batchRecords = 2_000

async function mapPartition(
  { log, arrival }: { readonly log: Log; readonly arrival: WorkerPorts['arrival'] },
  partition: number,
  { contexts, out }: SinklessOrder,
  signal: AbortSignal,
) {
  const map = openMapping(mappingTable(contexts))
  for (let next = 0; !signal.aborted; ) {
    const records = await log.read(topology.topic, partition, next, batchRecords)
    const mapped: NewRecord[] = []
    for (const { key, value } of records) {
      const read = topology.decode(value)
      if (read.kind === 'ok') mapped.push({ key, value: JSON.stringify(map(read.value)) })
    }
    await log.append(out, mapped)
    next = (records.at(-1)?.offset ?? next - 1) + 1
    if (records.length === 0) await arrival(partition, next, signal)
  }
}

/** In place of Postgres: every product is new, and what becomes of it goes to the topic. */
function topicStore(log: Log, { contexts, out }: SinklessOrder): ProductStore {
  const settings = { ...defaultSettings, number: 1 }
  return {
    claim: async () => 0,
    load: async () => new Map(),
    histories: async () => new Map(),
    contexts: async (ids) => contexts.filter(({ id }) => ids.includes(id)),
    settings: async (workspaces) => new Map(workspaces.map((id) => [id, settings])),
    progress: async () => new Map(),
    letters: async () => [],
    refusedValue: () => false,
    async commit(batch) {
      whole(batch)
      await log.append(
        out,
        batch.writes.map((write) => ({ key: write.product, value: JSON.stringify(graded(write)) })),
      )
      return 'done'
    },
  }
}

/** A benchmark that left records out would be quick. */
function whole({ dead, refused, writes, from, to }: SinkBatch): void {
  if (dead.length > 0 || refused.length > 0 || writes.length !== to - from)
    throw new Error(`${writes.length} products of ${to - from} records: ${dead[0]?.reason ?? refused[0]?.says}`)
}

const graded = ({ product, kind, content, refined, grade }: ProductWrite) => ({
  ...{ product, kind, content, refined },
  score: grade && { sub: grade.sub, valid: grade.valid, points: Buffer.from(grade.points).toString('base64') },
})

async function run(order: SinklessOrder): Promise<void> {
  const kafka = await openKafka(order.settings, { epoch: 1, partitions: order.partitions })
  const { log } = kafka
  const stop = new AbortController()
  const onError = (error: unknown) => {
    process.stderr.write(`${(error as Error).stack}\n`)
    process.exit(1)
  }
  const digest = (text: string) => hash('sha256', text, 'hex').slice(0, 32)
  const arrival = openArrivals(() => log.ends(topology.topic))
  const ports = { log, store: topicStore(log, order), digest, arrival, onError }
  const working = order.own.map((partition) =>
    order.work === 'map'
      ? mapPartition(ports, partition, order, stop.signal).catch(onError)
      : runPartition(topology, partition, ports, stop.signal),
  )
  await once(process, 'disconnect')
  stop.abort()
  await Promise.all(working)
  await kafka.close()
}

if (import.meta.main) await run(JSON.parse(await readFile(process.argv[2] ?? '', 'utf8')))
