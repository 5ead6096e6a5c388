/** A web server on loopback that answers as a test says, and remembers what it was asked. */
import { createServer, type IncomingMessage, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface LocalHost {
  readonly url: string
  readonly port: number
  readonly asked: Pick<IncomingMessage, 'method' | 'url' | 'headers'>[]
  /** Connections, asked on or not. */
  readonly connections: () => number
  close(): Promise<void>
}

export async function localHost(answer: RequestListener, host = '127.0.0.1'): Promise<LocalHost> {
  const asked: LocalHost['asked'] = []
  let connections = 0
  const server = createServer((request, reply) => {
    asked.push({ method: request.method, url: request.url, headers: request.headers })
    answer(request, reply)
  })
  server.on('connection', () => connections++)
  await new Promise<void>((done) => server.listen(0, host, done))
  const { port } = server.address() as AddressInfo
  return {
    url: `http://${host.includes(':') ? `[${host}]` : host}:${port}`,
    port,
    asked,
    connections: () => connections,
    close: () =>
      new Promise((done) => {
        server.close(() => done())
        server.closeAllConnections()
      }),
  }
}
