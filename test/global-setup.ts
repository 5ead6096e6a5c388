/** Names the folder of what a run's test files share (`freshDatabase` starts the server, `sharedBroker` the broker), and clears it away at the end. */
import { readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { TestProject } from 'vitest/node'
import { exists, findPostmaster } from '../infra/catalog/postmaster.ts'
import { serverFolder } from './harness.ts'
import { offerBroker } from './kafka/shared-broker.ts'
import { runsIn } from './runs-in.ts'

declare module 'vitest' {
  export interface ProvidedContext {
    serverFolder: string
  }
}

export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  await clearAfterKilledRuns()
  const folder = await serverFolder(`assay-run-${process.pid}-`, await runsIn())
  project.provide('serverFolder', folder)
  const endBroker = await offerBroker(folder)
  return async () => {
    await endBroker()
    await clear(folder)
  }
}

/** The server outlives a run that was killed; its folder's name tells whose it was. */
async function clearAfterKilledRuns(): Promise<void> {
  const within = await runsIn()
  for (const name of await readdir(within)) {
    const pid = Number(/^assay-run-(\d+)-/.exec(name)?.[1])
    if (pid && !exists(pid)) await clear(join(within, name))
  }
}

async function clear(folder: string): Promise<void> {
  const data = join(folder, 'postgres', 'data')
  const server = await findPostmaster(data)
  // Nothing in it is kept, so it need not end in good order.
  if (server?.lives) process.kill(server.pid, 'SIGQUIT')
  for (let tries = 0; tries < 200 && (await findPostmaster(data))?.lives; tries++)
    await new Promise((go) => setTimeout(go, 20))
  await rm(folder, { recursive: true, force: true, maxRetries: 5 })
}
