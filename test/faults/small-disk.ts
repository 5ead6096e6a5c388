/** A disk of a few hundred megabytes that can be filled to its last byte and emptied again. */
import { execFile } from 'node:child_process'
import { open, rm, rmdir } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { serverFolder } from '../harness.ts'

const run = promisify(execFile)

export interface SmallDisk {
  readonly folder: string
  /** Leaves so many bytes free. */
  fill(freeBytes: number): Promise<void>
  empty(): Promise<void>
  unmount(): Promise<void>
}

/** @returns why there is none, where this machine does not let us mount one */
export async function smallDisk(megabytes: number): Promise<SmallDisk | string> {
  if (process.getuid?.() !== 0) return 'only root can mount a small disk'
  const folder = await serverFolder('assay-disk-')
  const mounted = await run('mount', ['-t', 'tmpfs', '-o', `size=${megabytes}m,mode=0711`, 'tmpfs', folder]).then(
    () => null,
    (error: Error & { stderr?: string }) => `a small disk cannot be mounted here: ${error.stderr ?? error.message}`,
  )
  if (mounted !== null) {
    await rmdir(folder)
    return mounted
  }
  const filler = join(folder, 'filler')
  return {
    folder,
    async fill(freeBytes) {
      const file = await open(filler, 'w')
      const block = Buffer.alloc(64 * 1024)
      let size = 0
      for (;;) {
        const { bytesWritten } = await file.write(block).catch(() => ({ bytesWritten: 0 }))
        size += bytesWritten
        if (bytesWritten < block.length) break
      }
      await file.truncate(Math.max(0, size - freeBytes))
      await file.close()
    },
    empty: () => rm(filler, { force: true }),
    async unmount() {
      await run('umount', ['-l', folder])
      await rmdir(folder)
    },
  }
}
