/** CPU that a process has used so far, in seconds, as the system counts it: other work on the machine does not spoil it. */
import { readFile } from 'node:fs/promises'

const ticksPerSecond = 100

/** @returns NaN where the system does not tell */
export async function cpuSeconds(pid: number): Promise<number> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '')
  // Behind the name, which may hold anything, the 12th and 13th are its own time and the system's for it.
  const [user, system] = stat
    .slice(stat.lastIndexOf(')') + 2)
    .split(' ')
    .slice(11, 13)
  return (Number(user) + Number(system)) / ticksPerSecond
}
