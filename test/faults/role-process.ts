/** One role of a system in a process of its own, for tests that kill, stop and join it. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { childEnvironment } from '../child-environment.ts'

const root = join(import.meta.dirname, '../..')

export interface RoleProcess {
  readonly out: () => string
  readonly err: () => string
  /** Its exit code, or the signal that ended it. */
  readonly ended: Promise<number | string>
  signal(signal: NodeJS.Signals): void
}

/** @param env has the address of the database and the data folder @returns once it says that it runs */
export async function roleProcess(roles: string, env: Record<string, string>): Promise<RoleProcess> {
  const command = [join(root, 'infra/cli/assay.ts'), 'serve', '--no-sample', '--port', '0', '--roles', roles]
  const child: ChildProcess = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', ...command], {
    cwd: root,
    env: { ...childEnvironment, ASSAY_LOG_LEVEL: 'info', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const end = () => child.kill('SIGKILL')
  process.once('exit', end)
  child.once('exit', () => process.off('exit', end))
  const said = { out: '', err: '' }
  const running = Promise.withResolvers<void>()
  child.stdout?.setEncoding('utf8').on('data', (text) => {
    said.out += text
    if (/^Assay (runs|listens)/m.test(said.out)) running.resolve()
  })
  child.stderr?.setEncoding('utf8').on('data', (text) => {
    said.err += text
  })
  const ended = once(child, 'exit').then(([code, signal]) => code ?? signal) as Promise<number | string>
  await Promise.race([
    running.promise,
    ended.then((code) => {
      throw new Error(`it ended (${code}) before it ran: ${said.err}`)
    }),
  ])
  return {
    ended,
    out: () => said.out,
    err: () => said.err,
    signal: (signal) => void child.kill(signal),
  }
}
