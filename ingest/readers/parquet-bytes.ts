/** Gives a Parquet file whose texts are bytes: a copy of it with another footer, for as long as it is read. */
import { randomUUID } from 'node:crypto'
import { constants } from 'node:fs'
import { copyFile, open, rm } from 'node:fs/promises'
import { TableError } from '../table-error.ts'
import { textsAsBytes } from './parquet-footer.ts'

/** Behind the footer stand its length and the mark `PAR1`. */
const endBytes = 8
/** A file of a thousand columns and a hundred row groups has about ten. */
const mostFooterBytes = 2 ** 26

/** @throws TableError where the footer leaves no room for it */
export async function* withTextsAsBytes<T>(path: string, read: (copy: string) => AsyncIterable<T>): AsyncGenerator<T> {
  const copy = `${path}.${randomUUID()}.bytes`
  try {
    await copyFile(path, copy, constants.COPYFILE_FICLONE)
    await changeFooter(copy)
    yield* read(copy)
  } finally {
    await rm(copy, { force: true })
  }
}

async function changeFooter(path: string): Promise<void> {
  const handle = await open(path, 'r+')
  try {
    const { size } = await handle.stat()
    const end = Buffer.alloc(endBytes)
    await handle.read(end, 0, endBytes, size - endBytes)
    const length = end.readUInt32LE()
    if (length > Math.min(mostFooterBytes, size - endBytes)) throw noText()
    const footer = Buffer.alloc(length)
    await handle.read(footer, 0, length, size - endBytes - length)
    const changed = textsAsBytes(footer)
    if (!changed) throw noText()
    await handle.write(changed, 0, length, size - endBytes - length)
  } finally {
    await handle.close()
  }
}

const noText = () =>
  new TableError('not_text', 'A text of the Parquet file is not valid UTF-8; write its columns as text in UTF-8')
