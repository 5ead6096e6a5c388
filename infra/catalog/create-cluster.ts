/** Makes the data folder of the embedded Postgres with `initdb`; whole or not at all. */
import { execFile } from 'node:child_process'
import { chown, mkdtemp, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { StartError } from '../start-error.ts'
import type { ServerUser } from './server-user.ts'

/** Postgres reads locale and time zone from its environment; nothing of ours is to reach it. */
export const serverEnv = { PATH: '/usr/local/bin:/usr/bin:/bin', LC_ALL: 'C', TZ: 'UTC' }

export interface Cluster {
  readonly initdb: string
  readonly user: ServerUser | null
  /** Belongs to the server's user; `data` is made in it. */
  readonly folder: string
  readonly superuser: string
  readonly password: string
}

/** Bytes decide the order of texts, whatever the machine's locale; case is Unicode's. */
const collation = ['--encoding=UTF8', '--locale=C', '--locale-provider=builtin', '--builtin-locale=C.UTF-8']

export async function createCluster({ initdb, user, folder, superuser, password }: Cluster): Promise<void> {
  const draft = await mkdtemp(join(folder, 'draft-'))
  const data = join(draft, 'data')
  const passwordFile = join(draft, 'password')
  await writeFile(passwordFile, password, { mode: 0o600 })
  if (user) for (const path of [draft, passwordFile]) await chown(path, user.uid, user.gid)
  try {
    const fixed = ['--auth=scram-sha-256', '--no-sync', '--no-instructions']
    const args = [`--pgdata=${data}`, `--username=${superuser}`, `--pwfile=${passwordFile}`, ...fixed, ...collation]
    await promisify(execFile)(initdb, args, { ...asUser(user), env: serverEnv, cwd: draft })
    // Another Assay that started at the same time may have been first: then its cluster stands.
    await rename(data, join(folder, 'data')).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'ENOTEMPTY' && error.code !== 'EEXIST') throw error
    })
  } catch (cause) {
    // Its last line is about clearing up; the reason stands before it.
    const said = String((cause as { stderr?: string }).stderr ?? cause)
      .trim()
      .split('\n')
    const why = said.find((line) => /error:|FATAL|PANIC/.test(line)) ?? said.at(-1) ?? ''
    throw new StartError(
      `The embedded Postgres could not make its data folder: ${why.replace(/^.*?(error|FATAL|PANIC): +/, '')}`,
      {
        cause,
      },
    )
  } finally {
    await rm(draft, { recursive: true, force: true })
  }
}

export const asUser = (user: ServerUser | null) => (user ? { uid: user.uid, gid: user.gid } : {})
