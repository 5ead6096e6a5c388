/** What `postmaster.pid` says of the server on a data folder, and whether that server lives. */
import { execFile } from 'node:child_process'
import { link, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'

export interface Postmaster {
  readonly pid: number
  /** 0 until the file says it. */
  readonly port: number
  /** False where the number belongs to a process that is not this folder's server. */
  readonly lives: boolean
}

const pidFile = (data: string) => join(data, 'postmaster.pid')

/** @returns null where the folder has no pid file or its process has ended and is forgotten */
export async function findPostmaster(data: string): Promise<Postmaster | null> {
  const lines = await readFile(pidFile(data), 'utf8').then(
    (text) => text.split('\n'),
    () => [],
  )
  const pid = Number(lines[0])
  if (!pid || !exists(pid)) return null
  // A process number is used again, in a restarted container even at once, so the command line decides. That of a process
  // that has ended and that nobody collected, as under a container's first process, is empty.
  const command = await commandLine(pid)
  return command === null ? null : { pid, port: Number(lines[3]) || 0, lives: command.includes(data) }
}

/** Beyond what any system numbers its processes with. */
const nobody = 2_147_483_647

/**
 * Takes the process number out of the file of a server that died: Postgres would not start while something has that number.
 * The rest stays, by which Postgres knows whether processes of the dead server still work on the data. Renamed first and
 * read again, since the file of a server that has just started must stay as it is.
 */
export async function disownPidFile(data: string, of: Postmaster): Promise<void> {
  const aside = `${pidFile(data)}.${process.pid}`
  await rename(pidFile(data), aside)
  const [pid, ...rest] = (await readFile(aside, 'utf8')).split('\n')
  if (Number(pid) === of.pid) await writeFile(aside, [nobody, ...rest].join('\n'))
  // Unlike a rename, never over a file that has been made meanwhile.
  await link(aside, pidFile(data)).catch(() => {})
  await rm(aside)
}

export function exists(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}

async function commandLine(pid: number): Promise<string | null> {
  const read =
    process.platform === 'linux'
      ? readFile(`/proc/${pid}/cmdline`, 'utf8')
      : promisify(execFile)('ps', ['-p', String(pid), '-o', 'command=']).then(({ stdout }) => stdout.trim())
  return read.catch(() => null)
}
