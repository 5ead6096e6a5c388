/** Where people reach this server, for what is written while nobody asks: mails and events. */
import type { Config } from '../config.ts'

export type OwnAddress = Pick<Config, 'publicUrl' | 'host' | 'port'>

const everywhere = new Set(['0.0.0.0', '::', ''])

/** Where nobody has said, where it listens: who reads the address on this machine gets there. */
export function ownAddress({ publicUrl, host, port }: OwnAddress): string {
  if (publicUrl !== undefined) return publicUrl
  const name = everywhere.has(host) ? 'localhost' : host.includes(':') ? `[${host}]` : host
  return `http://${name}:${port}`
}
