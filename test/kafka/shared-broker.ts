/** One broker for the test files of a run that do nothing to it: the run's own process starts it for the first who asks. */
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { createServer, get } from 'node:http'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { startCluster } from './brokers.ts'
import { type SecureListener, scramUsers, secureListener } from './secure-listener.ts'

export interface SharedBroker {
  /** As KAFKA_BROKERS takes it; who comes by it may do everything. */
  readonly addresses: string
  readonly secure: SecureListener
  /** Of topics and groups that are of the one who asked, alone. */
  readonly prefix: string
}

const socketIn = (folder: string) => join(folder, 'broker.sock')

/** @param folder of the run @returns ends what it has started */
export async function offerBroker(folder: string): Promise<() => Promise<void>> {
  let starting: ReturnType<typeof startBoth> | undefined
  const server = createServer(async (_, answer) => {
    starting ??= startBoth()
    await starting.then(
      ({ cluster: { addresses }, secure }) => answer.end(JSON.stringify({ addresses, secure })),
      (error) => answer.writeHead(500).end(String(error)),
    )
  }).listen(socketIn(folder))
  await once(server, 'listening')
  return async () => {
    server.close()
    await starting?.then(
      ({ cluster }) => cluster.close(),
      () => {},
    )
  }
}

async function startBoth() {
  let secure: SecureListener | undefined
  const further = (port: number, usual: number) => {
    const { listener, settings } = secureListener(port, usual)
    secure = listener
    return settings
  }
  const cluster = await startCluster({ further, format: scramUsers, leavesClasses: true })
  return { cluster, secure }
}

export async function sharedBroker(): Promise<SharedBroker> {
  const { inject } = await import('vitest')
  const [answer] = await once(get({ socketPath: socketIn(inject('serverFolder')), agent: false }), 'response')
  const said = await text(answer)
  if (answer.statusCode !== 200) throw new Error(said)
  return { ...JSON.parse(said), prefix: `test_${randomBytes(6).toString('hex')}.` }
}
