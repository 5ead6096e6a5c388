/** What `npm run bench kafka` sets side by side over one topic: consumers that only count, a Kafka Streams program, and Assay without its sink. */
import { type ChildProcess, fork, spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { open, readFile, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { KafkaLog, KafkaSettings } from '../../infra/log/kafka.ts'
import type { ImportContext } from '../../schemas/pipeline.ts'
import { topics } from '../../schemas/topics.ts'
import { jarsOf } from '../kafka/jars.ts'
import { kafkajs } from '../kafka/kafkajs.ts'
import { mappingTable } from './kafka-mapping.ts'
import type { SinklessOrder } from './sinkless-child.ts'
import { steadyRate } from './steady-rate.ts'

/** A topic of records, and what is needed to read them. */
export interface Ground {
  readonly kafka: KafkaLog
  readonly settings: KafkaSettings
  readonly contexts: readonly ImportContext[]
  /** In all partitions. */
  readonly records: number
  /** For files of the programs. */
  readonly folder: string
}

export interface Pass {
  /** Records a second, once the compilers are warm. */
  readonly perSecond: number
  /** From the program's start to its last record, as a run of so many takes. */
  readonly fromStart: number
  /** The topic that was written. */
  readonly out: string
}

/** Threads of Kafka Streams, and processes of ours. */
export const atOnce = 2
const readAtOnce = 2_000
const program = join(import.meta.dirname, 'kafka-streams/ProductMapping.java')
const streamsJars = {
  pom: join(import.meta.dirname, 'kafka-streams/pom.xml'),
  folder: join(tmpdir(), 'assay-kafka-streams-4.4.0'),
}
/** A heap of a fixed size, as one gives a program whose load is known. */
const javaFlags = ['-Xms512m', '-Xmx512m']

const sum = (numbers: readonly number[]) => numbers.reduce((a, b) => a + b, 0)

/** All partitions at once, in this process. @returns records a second */
export async function consumeOurs({ kafka: { log }, records }: Ground): Promise<number> {
  let seen = 0
  const readAll = async (end: number, partition: number) => {
    for (let next = 0; next < end; ) {
      const read = await log.read(topics.bronze, partition, next, readAtOnce)
      next = (read.at(-1)?.offset ?? end) + 1
      seen += read.length
    }
  }
  const [perSecond] = await Promise.all([
    steadyRate(records, async () => seen),
    ...(await log.ends(topics.bronze)).map(readAll),
  ])
  return perSecond
}

/** The independent client, in batches. @returns records a second */
export async function consumeTheirs({ settings, records }: Ground): Promise<number> {
  const client = new kafkajs.Kafka({ brokers: [...settings.brokers], logLevel: kafkajs.logLevel.NOTHING })
  const consumer = client.consumer({ groupId: randomUUID() })
  let seen = 0
  try {
    await consumer.connect()
    await consumer.subscribe({ topic: `${settings.prefix}${topics.bronze}`, fromBeginning: true })
    const eachBatch = async ({ batch }: { batch: { messages: readonly unknown[] } }) => {
      seen += batch.messages.length
    }
    await consumer.run({ partitionsConsumedConcurrently: atOnce, eachBatch })
    return await steadyRate(records, async () => seen)
  } finally {
    await consumer.disconnect()
  }
}

export async function streamsPass({ kafka, settings, contexts, records, folder }: Ground): Promise<Pass> {
  const { out, written } = await newTopic(kafka)
  const mapping = join(folder, `${out}.json`)
  await writeFile(mapping, JSON.stringify(mappingTable(contexts)))
  const [from, to] = [topics.bronze, out].map((topic) => `${settings.prefix}${topic}`) as [string, string]
  const jars = await jarsOf(streamsJars)
  const said = join(folder, `${out}.txt`)
  const output = await open(said, 'w')
  const command = ['-cp', jars, program, settings.brokers.join(), from, to, out, mapping, folder]
  const java = spawn('java', [...javaFlags, ...command], { stdio: ['ignore', output.fd, output.fd] })
  try {
    return { out, ...(await whileRunning([java], () => rates(records, written))) }
  } catch (cause) {
    throw new Error(`Kafka Streams failed: ${(await readFile(said, 'utf8')).slice(-2_000)}`, { cause })
  } finally {
    await ended([java], () => java.kill('SIGTERM'))
    await output.close()
  }
}

export async function ourPass(ground: Ground, work: SinklessOrder['work']): Promise<Pass> {
  const { kafka, settings, contexts, records, folder } = ground
  const { out, written } = await newTopic(kafka)
  const { partitions } = kafka.log
  const processes: ChildProcess[] = []
  try {
    for (let n = 0; n < atOnce; n++) {
      const own = Array.from({ length: partitions }, (_, partition) => partition).filter((one) => one % atOnce === n)
      const order: SinklessOrder = { settings, partitions, own, work, out, contexts }
      const path = join(folder, `${out}-${n}.json`)
      await writeFile(path, JSON.stringify(order))
      // As the transforms of a server are started.
      const flags = ['--max-semi-space-size=64', '--no-allocation-site-pretenuring']
      const execArgv = ['--disable-warning=ExperimentalWarning', ...flags]
      processes.push(fork(join(import.meta.dirname, 'sinkless-child.ts'), [path], { execArgv }))
    }
    return { out, ...(await whileRunning(processes, () => rates(records, written))) }
  } finally {
    await ended(processes, (one) => one.connected && one.disconnect())
  }
}

/** Of a program that has just been started. */
async function rates(records: number, written: () => Promise<number>): Promise<Omit<Pass, 'out'>> {
  const began = performance.now()
  const perSecond = await steadyRate(records, written)
  return { perSecond, fromStart: records / ((performance.now() - began) / 1_000) }
}

async function newTopic(kafka: KafkaLog) {
  const out = `bench.${randomUUID()}`
  await kafka.ensure(out)
  return { out, written: async () => sum(await kafka.log.ends(out)) }
}

/** @throws where one of them ends before the work does */
function whileRunning<T>(processes: readonly ChildProcess[], work: () => Promise<T>): Promise<T> {
  const gone = processes.map(async (one) => {
    const [code, signal] = await once(one, 'exit')
    throw new Error(`it ended with ${code ?? signal}`)
  })
  return Promise.race([work(), ...gone])
}

async function ended(processes: readonly ChildProcess[], tell: (one: ChildProcess) => unknown): Promise<void> {
  await Promise.all(
    processes.map(async (one) => {
      if (one.exitCode !== null || one.signalCode !== null) return
      const gone = once(one, 'exit')
      tell(one)
      await gone
    }),
  )
}
