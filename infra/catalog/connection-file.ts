/** `connection.json` in the data folder: how Assay reaches its embedded Postgres again after a restart. */
import { randomBytes, randomInt, randomUUID } from 'node:crypto'
import { link, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { join } from 'node:path'

export interface Connection {
  readonly port: number
  readonly password: string
}

const nameOf = (folder: string) => join(folder, 'connection.json')

/** The first of two that start at once decides the password, before either makes a cluster with it. */
export async function readConnection(folder: string): Promise<Connection> {
  const known = await readFile(nameOf(folder), 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') throw error
    return null
  })
  if (known !== null) return JSON.parse(known) as Connection
  const fresh: Connection = { port: 0, password: randomBytes(24).toString('base64url') }
  // Linked into place whole: who starts at the same moment must not read half of it.
  const draft = `${nameOf(folder)}.${randomUUID()}`
  await writeFile(draft, JSON.stringify(fresh), { mode: 0o600 })
  await link(draft, nameOf(folder))
    .catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'EEXIST') throw error
    })
    .finally(() => rm(draft))
  return JSON.parse(await readFile(nameOf(folder), 'utf8')) as Connection
}

export async function rememberPort(folder: string, connection: Connection, port: number): Promise<void> {
  const draft = `${nameOf(folder)}.${randomUUID()}`
  await writeFile(draft, JSON.stringify({ ...connection, port }), { mode: 0o600 })
  await rename(draft, nameOf(folder))
}

// Below those that systems give out by themselves, to connections too: nobody takes one between the look and its use.
const [lowest, highest] = [20_000, 32_000]

/** @param wish 0 for none */
export async function freePort(wish: number): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer()
    probe.once('error', (error: NodeJS.ErrnoException) =>
      error.code === 'EADDRINUSE' ? resolve(freePort(0)) : reject(error),
    )
    const port = wish === 0 ? randomInt(lowest, highest) : wish
    probe.listen(port, '127.0.0.1', () => probe.close(() => resolve(port)))
  })
}
