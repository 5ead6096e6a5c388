/** A further process with the role `transforms` beside a running Assay, such as one on another machine. */
import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { childEnvironment } from '../child-environment.ts'

const program = join(import.meta.dirname, '../../infra/transforms-main.ts')

export interface Worker {
  signal(signal: NodeJS.Signals): void
  kill(): Promise<void>
}

export function startWorker(env: Record<string, string>): Worker {
  const child: ChildProcess = fork(program, {
    execArgv: ['--disable-warning=ExperimentalWarning'],
    env: { ...childEnvironment, ASSAY_ROLES: 'transforms', ASSAY_LOG_LEVEL: 'fatal', ...env },
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  })
  const end = () => child.kill('SIGKILL')
  process.once('exit', end)
  child.once('exit', () => process.off('exit', end))
  return {
    signal: (signal) => void child.kill(signal),
    async kill() {
      if (child.exitCode !== null || child.signalCode !== null) return
      const gone = once(child, 'exit')
      child.kill('SIGKILL')
      await gone
    },
  }
}
