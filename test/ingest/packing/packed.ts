/** Files packed in each of the ways that are unpacked. */
import { gzipSync, zstdCompressSync } from 'node:zlib'
import yazl from 'yazl'

export async function zipped(files: Readonly<Record<string, Uint8Array | string>>, compress = true): Promise<Buffer> {
  const zip = new yazl.ZipFile()
  for (const [name, content] of Object.entries(files))
    if (name.endsWith('/')) zip.addEmptyDirectory(name)
    else zip.addBuffer(Buffer.from(content), name, { compress })
  zip.end()
  const chunks: Buffer[] = []
  for await (const chunk of zip.outputStream) chunks.push(Buffer.from(chunk))
  return Buffer.concat(chunks)
}

export const packers: readonly (readonly [name: string, pack: (bytes: Uint8Array) => Promise<Buffer>])[] = [
  ['gzip', async (bytes) => gzipSync(bytes)],
  ['zstd', async (bytes) => zstdCompressSync(bytes)],
  ['ZIP', (bytes) => zipped({ 'products.csv': bytes })],
]
