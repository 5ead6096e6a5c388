/** Makes the data folder, the first time. */
import { mkdir } from 'node:fs/promises'
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
