/** Real Kafka brokers on loopback for tests: started in KRaft mode on free ports, killed, paused and started again by their number. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createReadStream } from 'node:fs'
import { mkdir, mkdtemp, open, rm, writeFile } from 'node:fs/promises'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import { freePort } from '../../infra/catalog/connection-file.ts'
import { areClassesKept, keepClasses, leavingClasses, withClasses } from './class-archive.ts'
import { formatBroker, propertiesOf, randomId } from './format-broker.ts'
import { kafkaJars } from './jars.ts'

export interface Broker {
  readonly port: number
  /** Waits until it answers. */
  start(): Promise<void>
  signal(signal: NodeJS.Signals): void
  /** -9, and waits for its end. */
  kill(): Promise<void>
  /** In good order. @returns false where it did not */
  end(): Promise<boolean>
}

export interface Cluster {
  readonly brokers: readonly Broker[]
  /** As KAFKA_BROKERS takes it. */
  readonly addresses: string
  close(): Promise<void>
}

const readyWithinMs = 60_000
/** A broker of tests does little; what it compiles is thrown away soon. */
const lightFlags = [
  ...['-Xms96m', '-Xmx512m', '-XX:+UseSerialGC', '-XX:TieredStopAtLevel=1'],
  ...['-XX:CICompilerCount=1', '-XX:-UsePerfData'],
]
/** With what it leaves at its end; the run itself may take ten. */
const endsWithinMs = 9_000

export interface ClusterOptions {
  /** Brokers; one without it. */
  readonly size?: number
  /** Settings of each broker, counted from 1, beside those that tests need. */
  readonly set?: (node: number) => Readonly<Record<string, string>>
  /** Where a broker, counted from 1, keeps its data elsewhere. */
  readonly folders?: Readonly<Record<number, string>>
  /** Arguments for formatting, such as users. */
  readonly format?: readonly string[]
  /** Of the Java machine, where what tests take is too little. */
  readonly flags?: readonly string[]
  /** What brokers that start later load at once, where there is nothing of it on this machine. */
  readonly leavesClasses?: boolean
  /** What a broker needs to know of a further port, for a listener of its own beside that on its usual port. */
  readonly further?: (port: number, usual: number) => Readonly<Record<string, string>>
}

export async function startCluster({
  size = 1,
  set = () => ({}),
  folders = {},
  format = [],
  flags,
  leavesClasses = false,
  further,
}: ClusterOptions = {}): Promise<Cluster> {
  const jars = await kafkaJars()
  const folder = await mkdtemp(join(tmpdir(), 'assay-kafka-run-'))
  const known = await areClassesKept()
  const leaves = leavesClasses && !known
  const classes = join(folder, 'classes.jsa')
  const usual = [...lightFlags, ...(known ? withClasses : leaves ? leavingClasses(classes) : [])]
  const ports = await freePorts(size * 3)
  const id = randomId()
  const voters = Array.from({ length: size }, (_, i) => `${i + 1}@127.0.0.1:${ports[size + i]}`).join(',')
  const children = new Set<ChildProcess>()
  const end = () => {
    for (const child of children) child.kill('SIGKILL')
  }
  process.once('exit', end)
  const brokers = await Promise.all(
    Array.from({ length: size }, async (_, i) => {
      const [port = 0, controller = 0, more = 0] = [ports[i], ports[size + i], ports[size * 2 + i]]
      const own = join(folder, String(i + 1))
      await mkdir(own)
      const data = join(folders[i + 1] ?? own, 'data')
      const all = { ...set(i + 1), ...further?.(more, port) }
      const settings = settingsOf({ node: i + 1, size, port, controller, voters, data, set: all })
      await writeFile(join(own, 'server.properties'), settings)
      await formatBroker({ format, data, cluster: id, node: i + 1 })
      return openBroker({ jars, own, port, flags: flags ?? usual, children })
    }),
  )
  await Promise.all(brokers.map((broker) => broker.start()))
  return {
    brokers,
    addresses: brokers.map(({ port }) => `127.0.0.1:${port}`).join(),
    async close() {
      const ended = await Promise.all(brokers.map((broker) => (leaves ? broker.end() : broker.kill())))
      if (leaves && ended.every(Boolean)) await keepClasses(classes)
      process.removeListener('exit', end)
      await rm(folder, { recursive: true, force: true, maxRetries: 5 })
    },
  }
}

interface Place {
  readonly node: number
  readonly size: number
  readonly port: number
  readonly controller: number
  readonly voters: string
  readonly data: string
  readonly set: Readonly<Record<string, string>>
}

function settingsOf({ node, size, port, controller, voters, data, set }: Place): string {
  const listeners = `PLAINTEXT://127.0.0.1:${port},CONTROLLER://127.0.0.1:${controller}`
  const copies = String(Math.min(3, size))
  const settings: Record<string, string> = {
    'process.roles': 'broker,controller',
    'node.id': String(node),
    'controller.quorum.voters': voters,
    'controller.listener.names': 'CONTROLLER',
    listeners,
    'log.dirs': data,
    'auto.create.topics.enable': 'false',
    'offsets.topic.num.partitions': '1',
    'offsets.topic.replication.factor': copies,
    'transaction.state.log.num.partitions': '1',
    'transaction.state.log.replication.factor': copies,
    'transaction.state.log.min.isr': '1',
    'group.initial.rebalance.delay.ms': '0',
    'group.min.session.timeout.ms': '1000',
    'num.network.threads': '2',
    'num.io.threads': '2',
    'log.cleaner.enable': 'false',
    'controlled.shutdown.enable': 'false',
    ...set,
    ...(set.listeners && { listeners: `${listeners},${set.listeners}` }),
  }
  return propertiesOf(settings)
}

interface Ground {
  readonly jars: string
  readonly own: string
  readonly port: number
  readonly flags: readonly string[]
  readonly children: Set<ChildProcess>
}

function openBroker({ jars, own, port, flags, children }: Ground): Broker {
  const settings = join(own, 'server.properties')
  const output = join(own, 'output.txt')
  let child: ChildProcess | undefined
  const java = async (...args: string[]) => {
    const to = await open(output, 'a')
    const started = spawn('java', [...flags, '-cp', jars, ...args], { stdio: ['ignore', to.fd, to.fd], cwd: own })
    children.add(started)
    started.once('exit', () => children.delete(started))
    await to.close()
    return started
  }
  const said = async () => (await text(createReadStream(output))).slice(-2_000)

  return {
    port,
    async start() {
      child = await java('kafka.Kafka', settings)
      for (const until = Date.now() + readyWithinMs; !(await answers(port)); await sleep(100)) {
        if (child.exitCode !== null || child.signalCode !== null || Date.now() > until)
          throw new Error(`the broker on port ${port} did not start: ${await said()}`)
      }
    },
    signal: (signal) => void child?.kill(signal),
    async kill() {
      if (!child || child.exitCode !== null || child.signalCode !== null) return
      const gone = once(child, 'exit')
      child.kill('SIGKILL')
      await gone
    },
    async end() {
      if (!child || child.exitCode !== null || child.signalCode !== null) return false
      const gone = once(child, 'exit')
      child.kill('SIGTERM')
      const late = setTimeout(() => child?.kill('SIGKILL'), endsWithinMs)
      await gone.finally(() => clearTimeout(late))
      return child.signalCode !== 'SIGKILL'
    },
  }
}

/** It listens when it can take requests. */
const answers = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1')
    socket.once('connect', () => resolve(true)).once('error', () => resolve(false))
    socket.once('connect', () => socket.destroy())
  })

async function freePorts(count: number): Promise<number[]> {
  const ports = new Set<number>()
  while (ports.size < count) ports.add(await freePort(0))
  return [...ports]
}
