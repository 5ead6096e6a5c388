/** Databases for tests on a real embedded server: one server a run, copies of one migrated template for whoever asks. */
import { randomBytes } from 'node:crypto'
import { chmod, mkdtemp, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startEmbeddedPostgres } from '../infra/catalog/embedded.ts'
import { migrate } from '../infra/catalog/migrate.ts'
import { connect } from '../infra/catalog/postgres.ts'
import { openJobs } from '../infra/jobs.ts'

export interface TestDatabase {
  readonly url: string
  drop(): Promise<void>
}

/** Commits are seen, ordered and locked as ever; only a power cut would lose them. Several files run at once, and some have several systems of 37 connections. */
const settings = {
  fsync: 'off',
  full_page_writes: 'off',
  shared_buffers: '128MB',
  max_connections: '300',
}
const template = 'assay_template'

/** A database on the server that all test files of a run share; the first to ask starts it. */
export async function freshDatabase(): Promise<TestDatabase> {
  const server = await sharedServer()
  await ensured(server)
  const url = await copyTemplate(server)
  return {
    url,
    drop: () => withClient(server, `drop database if exists ${new URL(url).pathname.slice(1)} with (force)`),
  }
}

/** A database in which nothing is, on the same server. */
export async function emptyDatabase(): Promise<TestDatabase> {
  const server = await sharedServer()
  const name = `test_${randomBytes(6).toString('hex')}`
  await withClient(server, `create database ${name} template template0`)
  return {
    url: at(server, name),
    drop: () => withClient(server, `drop database if exists ${name} with (force)`),
  }
}

/** Of one process: to look for the server's user, the server and the template again was a third of what a copy takes. */
const once = <A extends unknown[], T>(make: (...args: A) => Promise<T>) => {
  let made: Promise<T> | null = null
  return (...args: A) => {
    made ??= make(...args).catch((error: unknown) => {
      made = null
      throw error
    })
    return made
  }
}

/**
 * Thousands of sessions come and go, and each would prove twice over, by design at some cost, that it knows the password; what they say goes
 * through a socket of the system's in a folder, at half of what the network's costs.
 * @returns its address
 */
const sharedServer = once(async () => {
  const { inject } = await import('vitest')
  const folder = inject('serverFolder')
  const [sockets, rules] = [join(folder, 'postgres'), join(folder, 'hba.conf')]
  await writeFile(rules, 'local all all trust\nhost all all 127.0.0.1/32 trust\n')
  const set = { ...settings, unix_socket_directories: sockets, hba_file: rules }
  const { url } = await startEmbeddedPostgres(folder, set)
  return url.replace('127.0.0.1', encodeURIComponent(sockets))
})
const ensured = once(ensureTemplate)

/** Open to the user that the server runs as. */
export async function serverFolder(prefix: string, within = tmpdir()): Promise<string> {
  const folder = await mkdtemp(join(within, prefix))
  await chmod(folder, 0o711)
  return folder
}

async function ensureTemplate(url: string): Promise<void> {
  const client = await connect(url)
  try {
    await client.query('select pg_advisory_lock(1)')
    const { rowCount } = await client.query('select from pg_database where datname = $1 and not datallowconn', [
      template,
    ])
    if (rowCount) return
    await client.query(`drop database if exists ${template}`)
    await client.query(`create database ${template}`)
    await migrate(at(url, template))
    // The queues too: each start would make them anew.
    await (await openJobs(at(url, template), {})).close()
    await client.query(`alter database ${template} allow_connections false`)
  } finally {
    await client.end()
  }
}

async function copyTemplate(url: string): Promise<string> {
  const name = `test_${randomBytes(6).toString('hex')}`
  await withClient(url, `create database ${name} template ${template} strategy file_copy`)
  return at(url, name)
}

async function withClient(url: string, sql: string): Promise<void> {
  const client = await connect(url)
  await client.query(sql).finally(() => client.end())
}

function at(url: string, database: string): string {
  const address = new URL(url)
  address.pathname = `/${database}`
  return address.href
}
