/** Lays out a data folder as a first start leaves it, by copying one that a run makes once: making it takes a third of such a start. */
import { execFile } from 'node:child_process'
import { access, mkdir, rename, rmdir } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { freePort, readConnection, rememberPort } from '../../infra/catalog/connection-file.ts'
import { startEmbeddedPostgres } from '../../infra/catalog/embedded.ts'
import { migrate } from '../../infra/catalog/migrate.ts'
import { connect } from '../../infra/catalog/postgres.ts'
import { openJobs } from '../../infra/jobs.ts'

/** @param folder an empty one, in which nothing is laid out by a program that has no run of tests */
export async function copyPrepared(folder: string): Promise<void> {
  const run = await import('vitest').then(
    ({ inject }) => inject('serverFolder'),
    () => null,
  )
  if (run === null) return
  const prepared = join(run, 'prepared')
  await ensurePrepared(prepared)
  await promisify(execFile)('cp', ['-a', join(prepared, 'postgres'), folder])
  // Two that start at once must not both find the one port of the prepared folder free: they have its password too.
  const postgres = join(folder, 'postgres')
  await rememberPort(postgres, await readConnection(postgres), await freePort(0))
}

/** Whoever makes the folder of the draft makes what is in it; the others wait. */
async function ensurePrepared(prepared: string): Promise<void> {
  const draft = `${prepared}.draft`
  while (!(await done(access(prepared)))) {
    if (!(await done(mkdir(draft, { mode: 0o711 })))) {
      await sleep(50)
      continue
    }
    // Another may have come to its end since we looked.
    if (await done(access(prepared))) return rmdir(draft)
    const server = await startEmbeddedPostgres(draft)
    await migrate(server.url)
    await (await openJobs(server.url, {})).close()
    // Which log it has is for the first start to say.
    const client = await connect(server.url)
    await client.query('delete from log_epoch').finally(() => client.end())
    await server.stop()
    await rename(draft, prepared)
  }
}

const done = (work: Promise<unknown>) =>
  work.then(
    () => true,
    () => false,
  )
