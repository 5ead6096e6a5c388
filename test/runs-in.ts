/** Where the run's server has its folder: in memory where there is plenty, else in the system's temporary folder. */
import { statfs } from 'node:fs/promises'
import { tmpdir } from 'node:os'

const memory = '/dev/shm'
const gibibyte = 2 ** 30
/** Databases come and go by the hundred, with 640 files each; ext4 seeks long for a file that was not deleted just now. */
const [roomBytes, memoryBytes] = [6 * gibibyte, 8 * gibibyte]

export async function runsIn(): Promise<string> {
  const room = await statfs(memory).then(
    ({ bavail, bsize }) => bavail * bsize,
    () => 0,
  )
  return room >= roomBytes && process.availableMemory() >= memoryBytes ? memory : tmpdir()
}
