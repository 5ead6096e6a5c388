/** The keys that seal secrets: from the configuration, or from a file that the first start makes in the data folder. */
import { randomBytes, randomUUID } from 'node:crypto'
import { link, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { StartError } from './start-error.ts'

export const secretKeyFile = 'secret-key'
const keyForm = /^[A-Za-z0-9+/]{43}=$/

/** @param configured base64 of 32 bytes each @returns what seals first; where one is configured, a file that there is only opens */
export async function secretKeys(
  dataFolder: string,
  { present, former }: { present: string | undefined; former: readonly string[] },
): Promise<[Buffer, ...Buffer[]]> {
  const path = join(dataFolder, secretKeyFile)
  const opens = former.map((key) => Buffer.from(key, 'base64'))
  if (present === undefined) return [(await readKey(path)) ?? (await makeKey(path)), ...opens]
  const file = await readKey(path)
  return [Buffer.from(present, 'base64'), ...opens, ...(file ? [file] : [])]
}

async function readKey(path: string): Promise<Buffer | null> {
  const text = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') throw error
    return null
  })
  if (text === null) return null
  if (!keyForm.test(text.trim())) throw new StartError(`${path} holds no key: 32 bytes in base64.`)
  return Buffer.from(text.trim(), 'base64')
}

/** Linked into place whole: another process may be reading it, and this one may be killed. */
async function makeKey(path: string): Promise<Buffer> {
  const draft = `${path}.${randomUUID()}`
  await writeFile(draft, `${randomBytes(32).toString('base64')}\n`, { mode: 0o600 })
  await link(draft, path)
    .catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'EEXIST') throw error
    })
    .finally(() => rm(draft))
  const made = await readKey(path)
  if (!made) throw new StartError(`${path} went while it was made.`)
  return made
}
