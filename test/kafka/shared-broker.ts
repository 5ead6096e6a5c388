/** One broker for the test files of a run that do nothing to it: the run's own process starts it for the first who asks. */
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { createServer, get } from 'node:http'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { type Cluster, startCluster } from './brokers.ts'

export interface SharedBroker {
  /** As KAFKA_BROKERS takes it. */
  readonly addresses: string
  /** Of topics and groups that are of the one who asked, alone. */
  readonly prefix: string
}

const socketIn = (folder: string) => join(folder, 'broker.sock')

/** @param folder of the run @returns ends what it has started */
export async function offerBroker(folder: string): Promise<() => Promise<void>> {
  let starting: Promise<Cluster> | undefined
  const server = createServer(async (_, answer) => {
    starting ??= startCluster()
    await starting.then(
      ({ addresses }) => answer.end(addresses),
      (error) => answer.writeHead(500).end(String(error)),
    )
  }).listen(socketIn(folder))
  await once(server, 'listening')
  return async () => {
    server.close()
    await starting?.then(
      (cluster) => cluster.close(),
      () => {},
    )
  }
}

export async function sharedBroker(): Promise<SharedBroker> {
  const { inject } = await import('vitest')
  const [answer] = await once(get({ socketPath: socketIn(inject('serverFolder')), agent: false }), 'response')
  const said = await text(answer)
  if (answer.statusCode !== 200) throw new Error(said)
  return { addresses: said, prefix: `test_${randomBytes(6).toString('hex')}.` }
}
