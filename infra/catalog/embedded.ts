/** The embedded Postgres: real server binaries from npm, started on a folder, or taken over where one lives there already. */
import { access, chmod, chown, mkdir, open, realpath, rename, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { makeDataFolder } from '../data-folder.ts'
import { StartError } from '../start-error.ts'
import { freePort, readConnection, rememberPort } from './connection-file.ts'
import { createCluster } from './create-cluster.ts'
import { launchPostgres } from './launch-postgres.ts'
import { connect } from './postgres.ts'
import { findPostgresBinaries } from './postgres-binaries.ts'
import { disownPidFile, exists, findPostmaster } from './postmaster.ts'
import { findServerUser, firstClosedFolder, type ServerUser } from './server-user.ts'

export interface EmbeddedPostgres {
  /** Of the owner of everything in it. */
  readonly url: string
  /** Whether its process is there. */
  lives(): Promise<boolean>
  /** Where it died: starts it again at the same address. */
  restart(): Promise<void>
  /** Ends its sessions and waits until it has gone. */
  stop(): Promise<void>
}

const superuser = 'assay'
/** After a crash up to 4 GB of WAL are read again: a minute or two. */
const startWithinMs = 300_000
/** In good order first; what it then has not written is read again at the next start. */
const stops = [
  ['SIGINT', 7_000],
  ['SIGQUIT', 2_500],
] as const
/** Another program may take the port between choice and start; the last server's processes may still be ending. */
const launches = 4
const keptLogBytes = 16 * 1024 * 1024

/**
 * The server outlives this process however that ends; only `stop` stops it.
 * @param settings server settings over ours
 * @throws StartError
 */
export async function startEmbeddedPostgres(
  dataFolder: string,
  settings: Readonly<Record<string, string>> = {},
): Promise<EmbeddedPostgres> {
  const { url, data } = await launch(dataFolder, settings, freePort)
  return {
    url,
    lives: async () => (await findPostmaster(data))?.lives === true,
    // Others hold its address: where the port is taken meanwhile, it does not start.
    restart: async () => void (await launch(dataFolder, settings, async (port) => port)),
    stop: () => stopServer(data),
  }
}

async function launch(
  dataFolder: string,
  settings: Readonly<Record<string, string>>,
  choosePort: (last: number) => Promise<number>,
): Promise<{ url: string; data: string }> {
  const user = await findServerUser()
  const folder = await prepareFolder(dataFolder, user)
  const data = join(folder, 'data')
  const logFile = join(folder, 'log')
  const connection = await readConnection(folder)
  const urlOf = (port: number) => `postgres://${superuser}:${connection.password}@127.0.0.1:${port}/postgres`

  let ended: (() => boolean) | null = null
  let launched = 0
  for (const until = Date.now() + startWithinMs; Date.now() < until; await sleep(20)) {
    const found = await findPostmaster(data)
    if (found?.lives) {
      if (await answers(urlOf(found.port), folder)) return { url: urlOf(found.port), data }
      continue
    }
    if (ended && !ended()) continue
    if (launched === launches) break
    if (launched++ > 0) await sleep(300)
    if (found) await disownPidFile(data, found)
    const { postgres, initdb } = await findPostgresBinaries(user)
    if (!(await isThere(join(data, 'PG_VERSION')))) {
      await createCluster({ initdb, user, folder, superuser, password: connection.password })
    }
    if (await isLarge(logFile)) await rename(logFile, `${logFile}.old`)
    const port = await choosePort(connection.port)
    if (port !== connection.port) await rememberPort(folder, connection, port)
    ended = await launchPostgres({ postgres, user, data, logFile, port, settings })
  }
  throw new StartError(`The embedded Postgres does not start: ${await lastWords(logFile)} (${logFile})`)
}

/** Its own folder alone belongs to the server's user. */
async function prepareFolder(dataFolder: string, user: ServerUser | null): Promise<string> {
  const made = await makeDataFolder(dataFolder)
  if (made && user) await chmod(dataFolder, 0o711)
  const root = await realpath(dataFolder)
  const folder = join(root, 'postgres')
  await mkdir(folder, { mode: 0o700 }).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EEXIST') throw error
  })
  if (!user) return folder
  await chown(folder, user.uid, user.gid)
  const closed = await firstClosedFolder(user, root)
  if (!closed) return folder
  const remedy = `choose another data folder with ASSAY_DATA, or run chmod o+x ${closed}`
  throw new StartError(`The embedded Postgres runs as user ${user.name}, who cannot enter ${closed}: ${remedy}`)
}

/** False while the server starts, recovers or shuts down. */
async function answers(url: string, folder: string): Promise<boolean> {
  try {
    await (await connect(url)).end()
    return true
  } catch (error) {
    // Class 28: it lives and does not know us.
    if (!String((error as { code?: string }).code).startsWith('28')) return false
    throw new StartError(
      `A Postgres server on ${folder} does not take the password in connection.json; stop it first`,
      {
        cause: error,
      },
    )
  }
}

async function stopServer(data: string): Promise<void> {
  const server = await findPostmaster(data)
  if (!server?.lives) return
  for (const [signal, withinMs] of stops) {
    if (exists(server.pid)) process.kill(server.pid, signal)
    for (const until = Date.now() + withinMs; Date.now() < until; await sleep(20)) {
      const now = await findPostmaster(data)
      if (now?.pid !== server.pid || !now.lives) return
    }
  }
  throw new StartError(`The embedded Postgres (process ${server.pid}) does not stop`)
}

const isThere = (path: string) =>
  access(path).then(
    () => true,
    () => false,
  )

const isLarge = (path: string) =>
  stat(path).then(
    ({ size }) => size > keptLogBytes,
    () => false,
  )

const fatal = /^.*?(?:FATAL|PANIC): +/
/** Said to those who ask while it starts or ends, and no reason for either. */
const turnsAway = /the database system is /

/** Why the server ended, as it says itself. */
async function lastWords(logFile: string): Promise<string> {
  const file = await open(logFile).catch(() => null)
  if (!file) return 'it left no word'
  const tail = Buffer.alloc(4096)
  const { size } = await file.stat()
  const { bytesRead } = await file.read(tail, 0, tail.length, Math.max(0, size - tail.length))
  await file.close()
  const lines = tail.toString('utf8', 0, bytesRead).trim().split('\n')
  const last = lines.findLast((line) => fatal.test(line) && !turnsAway.test(line)) ?? lines.at(-1) ?? ''
  return last.replace(fatal, '')
}
