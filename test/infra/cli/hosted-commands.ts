/** Commands in one process for tests of what they say: sixty that each loaded the same modules took half of what the file did. That a process ends as it should is seen by those that have one. */
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { childEnvironment } from '../../child-environment.ts'
import type { Ran } from '../../faults/assay-process.ts'
import type { Order } from './command-host.ts'

const program = join(import.meta.dirname, 'command-host.ts')

export interface HostedCommands {
  /** One after another. */
  run(args: readonly string[], env: Readonly<Record<string, string>>): Promise<Ran>
  close(): void
}

export function hostedCommands(): HostedCommands {
  const host = fork(program, { execArgv: ['--disable-warning=ExperimentalWarning'], env: childEnvironment })
  return {
    async run(args, env) {
      const order: Order = { args, env: { ...childEnvironment, ...env } as Record<string, string> }
      host.send(order)
      const [ran] = await once(host, 'message')
      return ran as Ran
    },
    close: () => void host.kill(),
  }
}
