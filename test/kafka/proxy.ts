/** A network that can be cut: what clients send to this port reaches the server behind it, until nothing does. */
import { once } from 'node:events'
import { connect, createServer, type Socket } from 'node:net'

export interface Network {
  readonly port: number
  /** Connections stand, and nothing comes through them; new ones get no answer. */
  cut(): void
  /** What stood is broken; what comes new gets through. */
  mend(): void
  close(): Promise<void>
}

/** @param target port of the server, which is known later than this one @param sees what clients send and gets through */
export async function openProxy(target: () => number, sees: (bytes: Buffer) => void = () => {}): Promise<Network> {
  const sockets = new Set<Socket>()
  let whole = true
  const server = createServer((client) => {
    sockets.add(client)
    client.on('error', () => {}).on('close', () => sockets.delete(client))
    if (!whole) return
    const broker = connect(target(), '127.0.0.1')
    sockets.add(broker)
    const end = () => {
      client.destroy()
      broker.destroy()
    }
    client.on('data', (bytes) => whole && sees(bytes))
    broker.on('error', end).on('close', () => sockets.delete(broker))
    for (const [from, to] of [
      [client, broker],
      [broker, client],
    ] as const)
      from.on('data', (bytes) => whole && to.write(bytes)).on('close', end)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    port: (server.address() as { port: number }).port,
    cut() {
      whole = false
    },
    mend() {
      for (const socket of sockets) socket.destroy()
      whole = true
    },
    async close() {
      for (const socket of sockets) socket.destroy()
      server.close()
      await once(server, 'close')
    },
  }
}
