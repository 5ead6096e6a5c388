/** Gives a Parquet file whose texts are bytes: a copy of it with another footer, for as long as it is read. */
import { randomUUID } from 'node:crypto'
import { constants } from 'node:fs'
import { copyFile, type FileHandle, open, rm } from 'node:fs/promises'
import { namesInFooter, textsAsBytes } from './parquet-footer.ts'

/** Behind the footer stand its length and the mark `PAR1`. */
const endBytes = 8
/** A file of a thousand columns and a hundred row groups has about ten. */
const mostFooterBytes = 2 ** 26

/** @returns nothing of a file whose footer leaves no room for it */
export async function* withTextsAsBytes<T>(path: string, read: (copy: string) => AsyncIterable<T>): AsyncGenerator<T> {
  // Named as what a killed import leaves behind, which is cleared.
  const copy = `${path}.${randomUUID()}.part`
  try {
    await copyFile(path, copy, constants.COPYFILE_FICLONE)
    if (await changeFooter(copy)) yield* read(copy)
  } finally {
    await rm(copy, { force: true })
  }
}

/** @returns none where its footer cannot be read */
export async function footerNames(path: string): Promise<Buffer[]> {
  const handle = await open(path, 'r')
  try {
    const found = await footerOf(handle)
    return found ? namesInFooter(found.footer) : []
  } finally {
    await handle.close()
  }
}

async function changeFooter(path: string): Promise<boolean> {
  const handle = await open(path, 'r+')
  try {
    const found = await footerOf(handle)
    const changed = found && textsAsBytes(found.footer)
    if (changed) await handle.write(changed, 0, changed.length, found.at)
    return Boolean(changed)
  } finally {
    await handle.close()
  }
}

async function footerOf(handle: FileHandle): Promise<{ footer: Buffer; at: number } | null> {
  const { size } = await handle.stat()
  const end = Buffer.alloc(endBytes)
  await handle.read(end, 0, endBytes, size - endBytes)
  const length = end.readUInt32LE()
  if (length > Math.min(mostFooterBytes, size - endBytes)) return null
  const footer = Buffer.alloc(length)
  const at = size - endBytes - length
  await handle.read(footer, 0, length, at)
  return { footer, at }
}
