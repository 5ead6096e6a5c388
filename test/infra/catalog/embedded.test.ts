import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmod, mkdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type EmbeddedPostgres, startEmbeddedPostgres } from '../../../infra/catalog/embedded.ts'
import { lockInstance } from '../../../infra/catalog/lock-instance.ts'
import { connect } from '../../../infra/catalog/postgres.ts'
import { findPostmaster } from '../../../infra/catalog/postmaster.ts'
import { StartError } from '../../../infra/start-error.ts'
import { serverFolder } from '../../harness.ts'

let root: string
const started: ChildProcess[] = []
beforeAll(async () => {
  root = await serverFolder('assay-embedded-')
})
afterAll(async () => {
  for (const child of started) child.kill('SIGKILL')
  await rm(root, { recursive: true, force: true })
})

const dataOf = (folder: string) => join(folder, 'postgres', 'data')
const asRoot = process.getuid?.() === 0

async function query(server: { url: string }, sql: string): Promise<unknown[]> {
  const client = await connect(server.url)
  return client
    .query(sql)
    .then(({ rows }) => rows)
    .finally(() => client.end())
}

async function within(folder: string, use: (server: EmbeddedPostgres) => Promise<void>): Promise<void> {
  const server = await startEmbeddedPostgres(folder)
  await use(server).finally(() => server.stop())
}

/** A process that starts the server and holds the lock, as `assay serve` does. */
async function assay(folder: string): Promise<{ child: ChildProcess; url: string; locked: boolean }> {
  const child = spawn(process.execPath, [join(import.meta.dirname, 'embedded-child.ts'), folder], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  started.push(child)
  const died = once(child, 'exit').then(([code]) => {
    throw new Error(`the process ended with ${code} before it had a server`)
  })
  const [line] = await Promise.race([once(child.stdout ?? child, 'data'), died])
  died.catch(() => {})
  return { child, ...JSON.parse(String(line)) }
}

test.concurrent('starts on an empty folder, durable and on loopback only, and keeps what was written over a stop', async () => {
  const folder = join(root, 'new', 'data')
  let first = ''
  await within(folder, async (server) => {
    first = server.url
    await query(server, 'create table kept (n int); insert into kept values (1)')
    const shown = await query(
      server,
      `select name, setting from pg_settings
        where name in ('fsync', 'synchronous_commit', 'listen_addresses', 'unix_socket_directories', 'server_encoding') order by 1`,
    )
    expect(Object.fromEntries(shown.map((row) => Object.values(row as object)))).toEqual({
      fsync: 'on',
      listen_addresses: '127.0.0.1',
      server_encoding: 'UTF8',
      synchronous_commit: 'on',
      unix_socket_directories: '',
    })
    expect(await query(server, "select lower('ÄÉ') as low, 'a' < 'B' as folded")).toEqual([
      { low: 'äé', folded: false },
    ])
  })
  expect((await findPostmaster(dataOf(folder)))?.lives).not.toBe(true)
  await within(folder, async (server) => {
    expect(server.url).toBe(first)
    expect(await query(server, 'select n from kept')).toEqual([{ n: 1 }])
  })
})

test.concurrent('keeps its password from others, and asks for it', async () => {
  await within(join(root, 'private'), async (server) => {
    expect((await stat(join(root, 'private', 'postgres', 'connection.json'))).mode & 0o777).toBe(0o600)
    const wrong = server.url.replace(/:[^:@]+@/, ':wrong@')
    await expect(connect(wrong)).rejects.toMatchObject({ code: '28P01' })
  })
})

test.concurrent('takes another port where a program has taken the last one', async () => {
  const folder = join(root, 'port')
  let port = 0
  await within(folder, async ({ url }) => {
    port = Number(new URL(url).port)
  })
  const other = createServer().listen(port, '127.0.0.1')
  await once(other, 'listening')
  await within(folder, async (server) => {
    expect(Number(new URL(server.url).port)).not.toBe(port)
    expect(await query(server, 'select 1 as one')).toEqual([{ one: 1 }])
  })
  other.close()
})

describe('an Assay that is killed', () => {
  test.concurrent('leaves its server alive, and the next one takes it over, lock and all', async () => {
    const folder = join(root, 'killed')
    const { child, url, locked } = await assay(folder)
    expect(locked).toBe(true)
    const before = await findPostmaster(dataOf(folder))
    child.kill('SIGKILL')
    await once(child, 'exit')
    await within(folder, async (server) => {
      expect(server.url).toBe(url)
      expect(await findPostmaster(dataOf(folder))).toEqual(before)
      const lock = await lockInstance(server.url)
      expect(lock).not.toBeNull()
      await lock?.release()
    })
  })

  test.concurrent('with its server: the next one starts it again over what was left behind', async () => {
    const folder = join(root, 'both-killed')
    const { child, url } = await assay(folder)
    await query({ url }, 'create table kept (n int); insert into kept values (1)')
    const server = await findPostmaster(dataOf(folder))
    process.kill(server?.pid ?? 0, 'SIGKILL')
    child.kill('SIGKILL')
    await once(child, 'exit')
    await within(folder, async (again) => {
      expect((await findPostmaster(dataOf(folder)))?.pid).not.toBe(server?.pid)
      expect(await query(again, 'select n from kept')).toEqual([{ n: 1 }])
    })
  })

  test.concurrent('and whose server’s process number another program has now, is no hindrance', async () => {
    const folder = join(root, 'reused')
    await within(folder, async () => {})
    const someone = spawn('sleep', ['60'], asRoot ? await serverIds(folder) : {})
    await once(someone, 'spawn')
    await writeFile(join(dataOf(folder), 'postmaster.pid'), `${someone.pid}\n${dataOf(folder)}\n0\n1\n\n127.0.0.1\n`)
    await within(folder, async (server) => {
      expect(await query(server, 'select 1 as one')).toEqual([{ one: 1 }])
    })
    expect(someone.exitCode).toBeNull()
    someone.kill()
  })
})

describe('a second live Assay', () => {
  test.concurrent('gets no lock while the first has it, and gets it after', async () => {
    const folder = join(root, 'second')
    await within(folder, async (server) => {
      const first = await lockInstance(server.url)
      const { child, locked } = await assay(folder)
      expect(locked).toBe(false)
      child.kill('SIGKILL')
      await first?.release()
      const second = await lockInstance(server.url)
      expect(second).not.toBeNull()
      await second?.release()
    })
  })

  test.concurrent('that starts at the same moment on an empty folder shares the one server', async () => {
    const folder = join(root, 'race')
    const servers = await Promise.all([1, 2, 3].map(() => assay(folder)))
    expect(new Set(servers.map(({ url }) => url)).size).toBe(1)
    expect(servers.filter(({ locked }) => locked)).toHaveLength(1)
    for (const { child } of servers) child.kill('SIGKILL')
    await within(folder, async () => {})
  })

  test.concurrent('is found out again after the server restarted under the first', async () => {
    const folder = join(root, 'restart')
    const server = await startEmbeddedPostgres(folder)
    const lock = await lockInstance(server.url)
    await server.stop()
    await within(folder, async (again) => {
      await expect
        .poll(() => query(again, "select from pg_locks where locktype = 'advisory'"), { timeout: 5_000 })
        .toHaveLength(1)
      await lock?.release()
    })
  })
})

describe('what it cannot start on is told in one sentence', () => {
  test.runIf(asRoot)('a folder that the server’s user cannot enter', async () => {
    const closed = join(root, 'closed')
    await mkdir(closed)
    await chmod(closed, 0o700)
    const start = startEmbeddedPostgres(join(closed, 'data'))
    await expect(start).rejects.toThrow(StartError)
    await expect(start).rejects.toThrow(`cannot enter ${closed}: choose another data folder with ASSAY_DATA`)
  })

  test.concurrent('a server on the folder that does not know our password', async () => {
    const folder = join(root, 'stranger')
    await within(folder, async () => {
      const file = join(folder, 'postgres', 'connection.json')
      const kept = await readFile(file, 'utf8')
      await writeFile(file, JSON.stringify({ ...JSON.parse(kept), password: 'other' }))
      await expect(startEmbeddedPostgres(folder)).rejects.toThrow('does not take the password in connection.json')
    })
  })

  test.concurrent('a server that ends at once: its own words, and where they stand', async () => {
    const start = startEmbeddedPostgres(join(root, 'broken'), { shared_buffers: 'much' })
    await expect(start).rejects.toThrow(StartError)
    await expect(start).rejects.toThrow(/invalid value for parameter "shared_buffers": "much".*postgres\/log/)
  })
})

async function serverIds(folder: string): Promise<{ uid: number; gid: number }> {
  const { uid, gid } = await stat(dataOf(folder))
  return { uid, gid }
}
