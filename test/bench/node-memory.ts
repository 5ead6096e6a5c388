/** Watches the resident memory of processes from outside, as the system counts it. */
import { readFile } from 'node:fs/promises'

export interface MemoryWatch {
  /** Peak resident bytes by process name so far; resets. */
  take(): Map<string, number>
  stop(): void
}

/** A process and the Node processes under it: `server` and `transforms`. Postgres, which is a child too, is not among them. */
export function watchMemory(pid: number): MemoryWatch {
  let peaks = new Map<string, number>()
  let busy = false
  const timer = setInterval(async () => {
    if (busy) return
    busy = true
    for (const [name, id] of [
      ['server', pid] as const,
      ...(await children(pid)).map((c) => ['transforms', c] as const),
    ]) {
      const bytes = await resident(id)
      peaks.set(name, Math.max(peaks.get(name) ?? 0, bytes))
    }
    busy = false
  }, 250)
  return {
    take() {
      const taken = peaks
      peaks = new Map()
      return taken
    },
    stop: () => clearInterval(timer),
  }
}

async function resident(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '')
  return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1] ?? 0) * 1024
}

/** Node processes that a process started. */
export async function children(pid: number): Promise<number[]> {
  const found: number[] = []
  // Node starts processes from its first thread. To look through all processes took a quarter of a core.
  const listed = await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8').catch(() => '')
  for (const entry of listed.split(' ').filter(Boolean)) {
    const command = await readFile(`/proc/${entry}/cmdline`, 'utf8').catch(() => '')
    if (command.startsWith(process.execPath)) found.push(Number(entry))
  }
  return found
}
