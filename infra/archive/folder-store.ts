/** Keeps the archive in a folder of this machine, or one that all nodes have mounted. */
import { access, glob, mkdir, open, rename, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { ArchiveFileGone, type ArchiveStore } from './store.ts'

export function folderStore(folder: string): ArchiveStore {
  const pathOf = (name: string) => join(folder, name)
  const draftOf = (name: string) => `${pathOf(name)}.draft`
  return {
    place: folder,
    async draft(name) {
      await mkdir(dirname(draftOf(name)), { recursive: true })
      return draftOf(name)
    },
    // On disk before it has its name, and with its name before anything says that it is there.
    async keep(name) {
      await syncPath(draftOf(name))
      await rename(draftOf(name), pathOf(name))
      await syncPath(dirname(pathOf(name)))
    },
    async local(name) {
      await access(pathOf(name)).catch((cause: NodeJS.ErrnoException) => {
        throw cause.code === 'ENOENT' ? new ArchiveFileGone(`${name} is gone from ${folder}`, { cause }) : cause
      })
      return pathOf(name)
    },
    async remove(name) {
      for (const path of [pathOf(name), draftOf(name)]) await rm(path, { force: true })
    },
    async *parquetNames() {
      for await (const path of glob('**/*.parquet', { cwd: folder })) yield path.replaceAll('\\', '/')
    },
  }
}

async function syncPath(path: string): Promise<void> {
  const handle = await open(path)
  await handle.sync().finally(() => handle.close())
}
