/** The embedded event store: a child process with chDB, started when it is first asked for and started anew when it dies. */
import { type ChildProcess, fork } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

export interface EmbeddedEvents {
  /** Where it listens, with its password; starts it where it does not run. */
  address(): Promise<string>
  close(): Promise<void>
}

const program = join(import.meta.dirname, 'chdb-server.ts')
/** One that a killed Assay left may hold the folder for a moment. */
const mostTries = 20
const betweenTriesMs = 500
const endsWithinMs = 5_000

/** Of what a child said before it ended. */
const saidCharacters = 2_000

interface Child {
  readonly process: ChildProcess
  readonly address: string
}

export function embeddedEvents(folder: string, { tries = mostTries } = {}): EmbeddedEvents {
  let starting: Promise<Child> | null = null
  let closed = false

  async function launch(): Promise<Child> {
    await mkdir(folder, { recursive: true, mode: 0o700 })
    for (let left = tries; ; left--) {
      const found = await tryLaunch()
      if (typeof found !== 'string') {
        found.process.once('exit', () => {
          starting = null
        })
        return found
      }
      if (left === 1 || closed) throw new Error(`the embedded event store does not start: ${found}`)
      await sleep(betweenTriesMs)
    }
  }

  /** @returns what it said, where it ended */
  async function tryLaunch(): Promise<Child | string> {
    const password = randomBytes(18).toString('base64url')
    const child = fork(program, [folder], {
      execArgv: ['--disable-warning=ExperimentalWarning'],
      env: {},
      stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
      // Out of the terminal's Ctrl-C: this process closes it in its turn.
      detached: true,
    })
    let said = ''
    child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      said = (said + text).slice(-saidCharacters)
    })
    child.send({ password })
    const ready = once(child, 'message').then(([message]) => (message as { port: number }).port)
    const ended = once(child, 'exit').then(() => null)
    ended.catch(() => {})
    const port = await Promise.race([ready, ended])
    return port === null ? said : { process: child, address: `http://default:${password}@127.0.0.1:${port}` }
  }

  return {
    async address() {
      if (closed) throw new Error('the embedded event store is closed')
      starting ??= launch().catch((error: unknown) => {
        starting = null
        throw error
      })
      return (await starting).address
    },
    async close() {
      closed = true
      const child = (await starting?.catch(() => null))?.process
      if (!child || child.exitCode !== null || child.signalCode !== null) return
      const gone = once(child, 'exit')
      if (child.connected) child.disconnect()
      const late = setTimeout(() => child.kill('SIGKILL'), endsWithinMs)
      await gone.finally(() => clearTimeout(late))
    },
  }
}
