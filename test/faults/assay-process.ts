/** The real program for tests that kill it: `assay serve` on a data folder of its own, and every process that came of it by number. */
import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { freePort } from '../../infra/catalog/connection-file.ts'
import { findPostmaster } from '../../infra/catalog/postmaster.ts'
import { openTokens } from '../../infra/tokens.ts'
import { childEnvironment } from '../child-environment.ts'
import { serverFolder } from '../harness.ts'
import { runsIn } from '../runs-in.ts'
import { copyPrepared } from './copy-prepared.ts'

const root = join(import.meta.dirname, '../..')
const program = join(root, 'infra/cli/assay.ts')
export const demo = 'ws_demo'

export interface Said {
  readonly status: number
  readonly headers: Headers
  readonly text: string
  // biome-ignore lint/suspicious/noExplicitAny: a test says what it expects of an answer
  readonly body: any
}

export interface AssayProcess {
  readonly pid: number
  readonly url: string
  /** What it has printed so far. */
  readonly out: () => string
  readonly err: () => string
  /** Its exit code, or the signal that ended it. */
  readonly ended: Promise<number | string>
  call(method: string, path: string, body?: string | object): Promise<Said>
  /** An answer whose body is the caller's to read. */
  open(path: string): Promise<ReadableStream<Uint8Array>>
  transforms(): Promise<number>
  signal(signal: NodeJS.Signals): void
  /** -9 to the program and to its transforms at the same moment. */
  kill(): Promise<void>
}

export interface Ran {
  readonly code: number | string
  readonly out: string
  readonly err: string
}

export interface AssayFolder {
  readonly folder: string
  /** Starts `assay serve` without the sample and waits until it is ready. */
  start(args?: readonly string[], options?: { readonly transformsStand?: boolean }): Promise<AssayProcess>
  /** Runs any command to its end. */
  run(args: readonly string[], env?: Record<string, string>): Promise<Ran>
  databaseUrl(): Promise<string>
  /** The server and every process of it. */
  postgres(): Promise<number[]>
  signalPostgres(signal: NodeJS.Signals): Promise<void>
  /** Ends whatever is left and removes the folder. */
  clear(): Promise<void>
}

/** @param within an existing folder, such as one on a disk of its own @param set variables of every process that it starts */
export async function assayFolder(within?: string, set: Record<string, string> = {}): Promise<AssayFolder> {
  const folder = within ?? (await serverFolder('assay-faults-', await runsIn()))
  if (within === undefined) await copyPrepared(folder)
  const data = join(folder, 'postgres', 'data')
  const port = await freePort(0)
  const started: ChildProcess[] = []
  // Where the test itself is cut short they close in good order, Postgres too.
  const end = () => {
    for (const child of started) if (child.exitCode === null && child.signalCode === null) child.kill('SIGTERM')
  }
  process.once('exit', end)
  const environment = { ASSAY_DATA: folder, PORT: String(port), ASSAY_LOG_LEVEL: 'warn', ...set }

  function launch(args: readonly string[], env: Record<string, string> = {}) {
    const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', program, ...args], {
      cwd: root,
      env: { ...childEnvironment, ...environment, ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
      detached: true,
    })
    started.push(child)
    const said = { out: '', err: '' }
    child.stdout.setEncoding('utf8').on('data', (text) => {
      said.out += text
    })
    child.stderr.setEncoding('utf8').on('data', (text) => {
      said.err += text
    })
    const ended = once(child, 'exit').then(([code, signal]) => code ?? signal) as Promise<number | string>
    return { child, said, ended }
  }

  const postgres = async () => {
    const server = await findPostmaster(data)
    return server?.lives ? [server.pid, ...(await childrenOf(server.pid)).map(({ pid }) => pid)] : []
  }
  const signalPostgres = async (signal: NodeJS.Signals) => {
    const [server, ...children] = await postgres()
    if (server === undefined) return
    send(server, signal)
    // Those that it forked just before it was stopped; of one that is dead there are none.
    for (const pid of new Set([...children, ...(await childrenOf(server)).map((child) => child.pid)])) send(pid, signal)
  }

  return {
    folder,
    postgres,
    signalPostgres,
    async start(args = ['--no-sample'], { transformsStand = false } = {}) {
      const { child, said, ended } = launch(['serve', ...args])
      const url = `http://127.0.0.1:${port}`
      const pid = child.pid ?? 0
      const transforms = async () => {
        for (;;) {
          const found = (await childrenOf(pid)).find(({ command }) => command.includes('infra/transforms-main.ts'))
          if (found) return found.pid
          await sleep(20)
        }
      }
      // Before they have loaded what they need to take anything.
      const stand = async () => process.kill(await transforms(), 'SIGSTOP')
      await Promise.all([ready(url, ended, () => said.err), transformsStand && stand()])
      const { sign } = await openTokens(folder, { local: true, provider: null })
      const claims = { subject: 'test', workspace: demo, role: 'admin', brand: null, scope: '' } as const
      const token = await sign(claims, 3_600)
      return {
        pid,
        url,
        ended,
        transforms,
        out: () => said.out,
        err: () => said.err,
        call: (method, path, body) => call(`${url}${path}`, method, token, body),
        async open(path) {
          const headers = { authorization: `Bearer ${token}`, accept: 'application/x-ndjson' }
          const { body } = await fetch(`${url}${path}`, { headers })
          if (!body) throw new Error(`${path} has no body`)
          return body
        },
        signal: (signal) => send(pid, signal),
        async kill() {
          const child = (await childrenOf(pid)).find(({ command }) => command.includes('infra/transforms-main.ts'))
          send(pid, 'SIGKILL')
          if (child) send(child.pid, 'SIGKILL')
          await ended
        },
      }
    },
    async run(args, env = {}) {
      const { child, said, ended } = launch(args, env)
      await once(child, 'close')
      return { code: await ended, ...said }
    },
    async databaseUrl() {
      const { port: at, password } = JSON.parse(await readFile(join(folder, 'postgres', 'connection.json'), 'utf8'))
      return `postgres://assay:${password}@127.0.0.1:${at}/postgres`
    },
    async clear() {
      process.off('exit', end)
      for (const { pid, exitCode, signalCode } of started) {
        if (pid === undefined || exitCode !== null || signalCode !== null) continue
        for (const child of await childrenOf(pid))
          if (child.command.includes('infra/transforms-main.ts')) send(child.pid, 'SIGKILL')
        send(pid, 'SIGKILL')
      }
      for (let tries = 0; tries < 100 && (await postgres()).length > 0; tries++) {
        await signalPostgres('SIGKILL')
        await sleep(50)
      }
      if (within === undefined) await rm(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 50 })
    },
  }
}

const readyWithinMs = 60_000

async function ready(url: string, ended: Promise<number | string>, err: () => string): Promise<void> {
  let over: number | string | undefined
  void ended.then((code) => {
    over = code
  })
  for (const until = Date.now() + readyWithinMs; Date.now() < until; await sleep(25)) {
    if (over !== undefined) throw new Error(`Assay ended (${over}) before it was ready: ${err()}`)
    const answer = await fetch(`${url}/health/ready`).catch(() => null)
    if (answer?.status === 200) return
  }
  throw new Error(`Assay was not ready within ${readyWithinMs / 1000} s: ${err()}`)
}

async function call(url: string, method: string, token: string, body?: string | object): Promise<Said> {
  const raw = typeof body === 'string'
  const type = body === undefined ? {} : { 'content-type': raw ? 'text/csv' : 'application/json' }
  const answer = await fetch(url, {
    method,
    headers: { authorization: `Bearer ${token}`, accept: 'application/json, application/x-ndjson', ...type },
    ...(body === undefined ? {} : { body: raw ? body : JSON.stringify(body) }),
  })
  const text = await answer.text()
  const json = answer.headers.get('content-type')?.includes('application/json')
  return { status: answer.status, headers: answer.headers, text, body: json ? JSON.parse(text) : null }
}

function send(pid: number, signal: NodeJS.Signals): void {
  if (pid <= 1) return
  try {
    process.kill(pid, signal)
  } catch (error) {
    // It may end by itself at any moment, as a server's processes do after the server.
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
  }
}

export async function childrenOf(parent: number): Promise<{ pid: number; command: string }[]> {
  const { stdout } = await promisify(execFile)('ps', ['-A', '-o', 'pid=,ppid=,args='], { maxBuffer: 1 << 24 })
  return stdout.split('\n').flatMap((line) => {
    const [, pid, ppid, command] = /^\s*(\d+)\s+(\d+)\s+(.*)$/.exec(line) ?? []
    return Number(ppid) === parent ? [{ pid: Number(pid), command: command ?? '' }] : []
  })
}
