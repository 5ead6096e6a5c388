/** Makes the data folder, the first time, and tells one that a restore left half-done. */
import { access, mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { StartError } from './start-error.ts'

/**
 * @returns whether it was not there
 * @throws StartError
 */
export async function makeDataFolder(folder: string): Promise<boolean> {
  const made = await mkdir(folder, { recursive: true }).catch((cause: NodeJS.ErrnoException) => {
    throw new StartError(`The data folder ${folder} cannot be made (${cause.code}).`, { cause })
  })
  return made !== undefined
}

/** Lies in a data folder while something is restored into it. */
export const restoreMark = (folder: string): string => join(folder, 'RESTORING')

export const isBeingRestored = (folder: string): Promise<boolean> =>
  access(restoreMark(folder)).then(
    () => true,
    () => false,
  )

/** @throws StartError */
export async function refuseHalfRestored(folder: string): Promise<void> {
  if (await isBeingRestored(folder))
    throw new StartError(`A restore into ${folder} did not come to its end; run assay restore again.`)
}
