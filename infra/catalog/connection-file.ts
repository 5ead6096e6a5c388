/** `connection.json` in the data folder: how Assay reaches its embedded Postgres again after a restart. */
import { randomBytes, randomUUID } from 'node:crypto'
import { readFile, rename, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { join } from 'node:path'

export interface Connection {
  readonly port: number
  readonly password: string
}

const nameOf = (folder: string) => join(folder, 'connection.json')

/** The first of two that start at once decides the password, before either makes a cluster with it. */
export async function readConnection(folder: string): Promise<Connection> {
  const fresh: Connection = { port: 0, password: randomBytes(24).toString('base64url') }
  await writeFile(nameOf(folder), JSON.stringify(fresh), { flag: 'wx', mode: 0o600 }).catch((error: Error) => {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  })
  return JSON.parse(await readFile(nameOf(folder), 'utf8')) as Connection
}

export async function rememberPort(folder: string, connection: Connection, port: number): Promise<void> {
  const draft = `${nameOf(folder)}.${randomUUID()}`
  await writeFile(draft, JSON.stringify({ ...connection, port }), { mode: 0o600 })
  await rename(draft, nameOf(folder))
}

/** @param wish 0 for none */
export async function freePort(wish: number): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer()
    probe.once('error', (error) => (wish === 0 ? reject(error) : resolve(freePort(0))))
    probe.listen(wish, '127.0.0.1', () => {
      const address = probe.address()
      probe.close(() => resolve(typeof address === 'object' && address ? address.port : 0))
    })
  })
}
