/** Starts the server process so that it outlives this one: in a process group of its own, writing to a file. */
import { execFile, spawn } from 'node:child_process'
import { open } from 'node:fs/promises'
import { promisify } from 'node:util'
import { asUser, serverEnv } from './create-cluster.ts'
import type { ServerUser } from './server-user.ts'

export interface Launch {
  readonly postgres: string
  readonly user: ServerUser | null
  readonly data: string
  readonly logFile: string
  readonly port: number
  /** Over `settings`. */
  readonly settings: Readonly<Record<string, string>>
}

const settings = {
  listen_addresses: '127.0.0.1',
  unix_socket_directories: '',
  // The server's process has up to 40, its transforms 18, and others that transform may join.
  max_connections: '100',
  shared_buffers: '256MB',
  max_wal_size: '4GB',
  checkpoint_timeout: '15min',
  jit: 'off',
  timezone: 'UTC',
  log_timezone: 'UTC',
  log_min_messages: 'warning',
  // The client has the detail of its own errors, and rows of products are not for the log.
  log_error_verbosity: 'terse',
  log_min_error_statement: 'panic',
}

/** @returns whether the process has ended */
export async function launchPostgres(launch: Launch): Promise<() => boolean> {
  const { postgres, user, data, port } = launch
  const all = { ...settings, port: String(port), wal_compression: await walCompression(launch), ...launch.settings }
  const log = await open(launch.logFile, 'a', 0o600)
  try {
    const child = spawn(
      postgres,
      ['-D', data, ...Object.entries(all).flatMap(([name, value]) => ['-c', `${name}=${value}`])],
      {
        ...asUser(user),
        env: serverEnv,
        cwd: data,
        detached: true,
        stdio: ['ignore', log.fd, log.fd],
      },
    )
    let ended = false
    child.once('error', () => {
      ended = true
    })
    child.once('exit', () => {
      ended = true
    })
    child.unref()
    return () => ended
  } finally {
    await log.close()
  }
}

/** lz4 where the server was built with it; its own slower method costs more than the bytes it saves. */
async function walCompression({ postgres, user, data }: Launch): Promise<string> {
  const ask = ['-D', data, '-C', 'wal_compression', '-c', 'wal_compression=lz4']
  return promisify(execFile)(postgres, ask, { ...asUser(user), env: serverEnv, cwd: data }).then(
    () => 'lz4',
    () => 'off',
  )
}
