/** Sends a large file in parts, and goes on where it was when it was sent before and broke off. */
import { createHash, hash } from 'node:crypto'
import { type FileHandle, open } from 'node:fs/promises'
import { basename } from 'node:path'
import { type Client, patiently } from './client.ts'
import { CommandError } from './command-error.ts'

interface Upload {
  readonly id: string
  readonly parts: readonly { readonly part: number; readonly sha256: string }[]
}

/** One part is held in memory. */
const defaultPartBytes = 16 * 1024 ** 2

/**
 * @param base of the workspace's endpoints
 * @param query of the import
 * @param tell bytes that the server has, and bytes in all
 */
export async function sendInParts(
  server: Client,
  base: string,
  query: URLSearchParams,
  file: string,
  tell: (done: number, total: number) => void,
  partBytes = defaultPartBytes,
): Promise<{ job: { id: string } }> {
  const handle = await open(file)
  try {
    const { size, sha256, parts } = await measure(handle, partBytes)
    const { upload } = await server.post<{ upload: Upload }>(`${base}/datasets/uploads`, {
      file_name: basename(file).slice(-255),
      size,
      sha256,
      ...(query.has('catalog_id') ? { catalog_id: query.get('catalog_id') } : {}),
    })
    const there = new Map(upload.parts.map((one) => [one.part, one.sha256]))
    const path = `${base}/datasets/uploads/${upload.id}`
    let done = 0
    for (const [i, digest] of parts.entries()) {
      if (there.get(i + 1) !== digest.toString('hex')) {
        const bytes = await readPart(handle, i, partBytes)
        if (!hash('sha256', bytes, 'buffer').equals(digest))
          throw new CommandError(`${file} has changed while it was sent; send it again.`)
        await patiently(() => server.put(`${path}/parts/${i + 1}`, bytes, digest.toString('base64')))
      }
      done = Math.min(size, done + partBytes)
      tell(done, size)
    }
    return await patiently(() => server.post(`${path}/complete?${query}`, { parts: parts.length, sha256 }))
  } finally {
    await handle.close()
  }
}

async function measure(handle: FileHandle, partBytes: number) {
  const whole = createHash('sha256')
  const parts: Buffer[] = []
  let size = 0
  for (;;) {
    const bytes = await readPart(handle, parts.length, partBytes)
    if (bytes.length === 0) return { size, sha256: whole.digest('hex'), parts }
    whole.update(bytes)
    parts.push(hash('sha256', bytes, 'buffer'))
    size += bytes.length
  }
}

async function readPart(handle: FileHandle, i: number, partBytes: number): Promise<Buffer> {
  const bytes = Buffer.alloc(partBytes)
  let length = 0
  while (length < partBytes) {
    const { bytesRead } = await handle.read(bytes, length, partBytes - length, i * partBytes + length)
    if (bytesRead === 0) break
    length += bytesRead
  }
  return bytes.subarray(0, length)
}
