/** A port for a server of a test that is started again: below those that the system gives to connections, one of which might have it meanwhile. */
import { randomInt } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { createServer } from 'node:net'

const lowest = 12_000
const tries = 50

export async function quietPort(): Promise<number> {
  const range = await readFile('/proc/sys/net/ipv4/ip_local_port_range', 'utf8').catch(() => '')
  const given = Number(range.split(/\s+/)[0])
  const end = given > lowest + 1_000 ? given : 30_000
  for (let left = tries; left > 0; left--) {
    const port = randomInt(lowest, end)
    if (await isFree(port)) return port
  }
  throw new Error(`no port from ${lowest} to ${end} is free`)
}

const isFree = (port: number) =>
  new Promise<boolean>((resolve) => {
    const probe = createServer()
    probe.once('error', () => resolve(false))
    probe.listen(port, '127.0.0.1', () => probe.close(() => resolve(true)))
  })
