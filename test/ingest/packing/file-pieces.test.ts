import { readdirSync, readlinkSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { filePieces, pieceBytes } from '../../../ingest/packing/file-pieces.ts'

let path: string
beforeAll(async () => {
  path = join(await mkdtemp(join(tmpdir(), 'pieces-')), 'file')
})
afterAll(() => rm(join(path, '..'), { recursive: true }))

const isOpen = () =>
  readdirSync('/proc/self/fd').some((fd) => {
    try {
      return readlinkSync(`/proc/self/fd/${fd}`) === path
    } catch {
      return false
    }
  })

test.each([0, 1, pieceBytes - 1, pieceBytes, pieceBytes + 1, 3 * pieceBytes + 7])(
  'a file of %d bytes comes whole, and is closed at its end',
  async (size) => {
    const bytes = Buffer.from(Uint8Array.from({ length: size }, (_, i) => (i * 7) % 251))
    await writeFile(path, bytes)
    const read: Buffer[] = []
    for await (const piece of filePieces(path)) {
      expect(piece.length).toBeLessThanOrEqual(pieceBytes)
      // While the next is read.
      await new Promise(setImmediate)
      read.push(Buffer.from(piece))
    }
    expect(Buffer.concat(read).equals(bytes)).toBe(true)
    expect(isOpen()).toBe(false)
  },
)

test('one that is left in its middle is closed', async () => {
  await writeFile(path, Buffer.alloc(5 * pieceBytes))
  for await (const _ of filePieces(path)) {
    expect(isOpen()).toBe(true)
    break
  }
  expect(isOpen()).toBe(false)
})

test('one that is not there is an error of the disk', async () => {
  await expect(filePieces(`${path}.gone`).next()).rejects.toMatchObject({ code: 'ENOENT', syscall: 'open' })
})
