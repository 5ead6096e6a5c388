/** Formats a broker's folder: Kafka's own tool does it once on this machine, and its folder is copied, since each run of the tool is a Java machine. */
import { execFile } from 'node:child_process'
import { hash, randomBytes } from 'node:crypto'
import { cp, mkdtemp, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { isThere, kafkaJars, ofBroker } from './jars.ts'

/** What the tool writes beside the names of cluster and broker: what its version can, and users where some are asked for. */
const metadata = '__cluster_metadata-0'

export interface Formatting {
  /** Arguments of the tool, such as users. */
  readonly format: readonly string[]
  readonly data: string
  readonly cluster: string
  readonly node: number
}

export async function formatBroker({ format, data, cluster, node }: Formatting): Promise<void> {
  const folder = `${ofBroker.folder}-formatted-${hash('sha256', format.join(' '), 'hex').slice(0, 8)}`
  if (!(await isThere({ folder }))) await formatOnce(folder, format)
  await cp(join(folder, metadata), join(data, metadata), { recursive: true })
  await writeFile(
    join(data, 'meta.properties'),
    propertiesOf({ version: '1', 'cluster.id': cluster, 'node.id': String(node), 'directory.id': randomId() }),
  )
}

export const randomId = () => randomBytes(16).toString('base64url')

export const propertiesOf = (settings: Readonly<Record<string, string>>) =>
  Object.entries(settings)
    .map(([name, value]) => `${name}=${value}\n`)
    .join('')

/** Under its name at once or not at all: two brokers may be the first at the same time. */
async function formatOnce(folder: string, format: readonly string[]): Promise<void> {
  const own = await mkdtemp(`${folder}-`)
  try {
    const settings = join(own, 'server.properties')
    const minimal = {
      ...{ 'process.roles': 'broker,controller', 'node.id': '1', 'log.dirs': own },
      ...{ 'controller.listener.names': 'CONTROLLER', 'controller.quorum.voters': '1@127.0.0.1:1' },
      listeners: 'PLAINTEXT://127.0.0.1:2,CONTROLLER://127.0.0.1:1',
    }
    await writeFile(settings, propertiesOf(minimal))
    const tool = ['kafka.tools.StorageTool', 'format', `--cluster-id=${randomId()}`, '-c', settings, ...format]
    await promisify(execFile)('java', ['-XX:TieredStopAtLevel=1', '-cp', await kafkaJars(), ...tool])
    await rename(own, folder).catch(async (error: unknown) => {
      if (!(await isThere({ folder }))) throw error
    })
  } finally {
    await rm(own, { recursive: true, force: true })
  }
}
