/** A real SMTP server in the test process: what it took, and how it answers. */
import type { AddressInfo } from 'node:net'
import { SMTPServer } from 'smtp-server'

export interface Taken {
  readonly to: readonly string[]
  readonly text: string
}

export interface Smtp {
  readonly url: string
  readonly taken: Taken[]
  close(): Promise<void>
}

/** @param refuse asked for each message before it is taken: an SMTP status, or null */
export async function startSmtp(refuse: () => number | null = () => null, port = 0): Promise<Smtp> {
  const taken: Taken[] = []
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    logger: false,
    onData(stream, session, done) {
      const parts: Buffer[] = []
      stream.on('data', (part: Buffer) => parts.push(part))
      stream.on('end', () => {
        const status = refuse()
        if (status !== null) return done(Object.assign(new Error('not now'), { responseCode: status }))
        const to = session.envelope.rcptTo.map(({ address }) => address)
        taken.push({ to, text: Buffer.concat(parts).toString() })
        done()
      })
    },
  })
  server.on('error', () => {})
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
  const { port: at } = server.server.address() as AddressInfo
  return {
    url: `smtp://127.0.0.1:${at}`,
    taken,
    close: () => new Promise((resolve) => server.close(() => resolve())),
  }
}
