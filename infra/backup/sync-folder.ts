/** A name outlasts a power cut only once its folder is on disk too. */
import { open } from 'node:fs/promises'

export async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder)
  await handle.sync().finally(() => handle.close())
}
