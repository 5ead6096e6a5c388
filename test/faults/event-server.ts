/** A server of events for tests that take it away: the embedded engine behind HTTP, as a process of the test's own. */
import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'

const program = join(import.meta.dirname, '../../infra/events/chdb-server.ts')

export interface EventServer {
  readonly port: () => number
  start(): Promise<void>
  /** -9, and nothing is listening there. */
  kill(): Promise<void>
}

export function eventServer(folder: string, password: string): EventServer {
  let child: ChildProcess | null = null
  let port = 0
  return {
    port: () => port,
    async start() {
      const started = fork(program, [folder], { execArgv: ['--disable-warning=ExperimentalWarning'], env: {} })
      child = started
      started.send({ password })
      const [message] = await once(started, 'message')
      port = (message as { port: number }).port
    },
    async kill() {
      if (!child) return
      const ended = once(child, 'exit')
      child.kill('SIGKILL')
      await ended
      child = null
    },
  }
}
