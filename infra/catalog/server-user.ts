/** Postgres refuses to run as root: the unprivileged user that the embedded server runs as there. */
import { execFile } from 'node:child_process'
import { dirname } from 'node:path'
import { promisify } from 'node:util'
import { StartError } from '../start-error.ts'

const run = promisify(execFile)

export interface ServerUser {
  readonly name: string
  readonly uid: number
  readonly gid: number
}

/** Tried in this order; made by the first of `makers` that the system has. */
const names = ['postgres', 'assay']
const makers: readonly (readonly [command: string, ...args: string[]])[] = [
  ['useradd', '--system', '--user-group', '--no-create-home', '--shell', '/bin/false', 'assay'],
  ['adduser', '-S', '-D', '-H', '-s', '/bin/false', 'assay'],
]

/** @returns null where this process is not root and Postgres runs as its own user */
export async function findServerUser(): Promise<ServerUser | null> {
  if (process.getuid?.() !== 0) return null
  for (const name of names) {
    const user = await lookUp(name)
    if (user) return user
  }
  for (const [command, ...args] of makers) await run(command, args).catch(() => {})
  const made = await lookUp('assay')
  if (made) return made
  throw new StartError('Postgres does not run as root and no user could be made for it; run Assay as another user')
}

async function lookUp(name: string): Promise<ServerUser | null> {
  try {
    const [uid, gid] = await Promise.all(
      ['-u', '-g'].map(async (what) => Number((await run('id', [what, name])).stdout)),
    )
    return uid && gid ? { name, uid, gid } : null
  } catch {
    return null
  }
}

/** Asks the system itself, as that user: modes alone do not know of access lists. */
export async function canEnter(user: ServerUser, folder: string): Promise<boolean> {
  const { uid, gid } = user
  return run('test', ['-x', folder], { uid, gid, cwd: '/' }).then(
    () => true,
    () => false,
  )
}

/** The outermost folder on the way that the user cannot enter. */
export async function firstClosedFolder(user: ServerUser, folder: string): Promise<string | null> {
  if (await canEnter(user, folder)) return null
  const above = dirname(folder)
  return above === folder ? folder : ((await firstClosedFolder(user, above)) ?? folder)
}
