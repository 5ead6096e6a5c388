/** The encoding in which a feed is sent, by \`Accept-Encoding\`, and the stream that makes it. */
import type { Transform } from 'node:stream'
import { constants, createBrotliCompress, createGzip, createZstdCompress } from 'node:zlib'

/** The dearest first among those that are wanted alike. Levels that keep up with the lines: at its own, Brotli is fifty times slower. */
const encoders = {
  zstd: () => createZstdCompress({ params: { [constants.ZSTD_c_compressionLevel]: 3 } }),
  br: () => createBrotliCompress({ params: { [constants.BROTLI_PARAM_QUALITY]: 4 } }),
  gzip: () => createGzip({ level: 5 }),
} as const satisfies Record<string, () => Transform>

export type Encoding = keyof typeof encoders

/** @returns null for the bytes as they are, which is also for who says nothing */
export function askedEncoding(accepted: string | undefined): Encoding | null {
  const wanted = new Map<string, number>()
  for (const part of accepted?.split(',') ?? []) {
    const [name = '', ...more] = part.split(';').map((one) => one.trim().toLowerCase())
    const weight = Number(more.find((one) => one.startsWith('q='))?.slice(2) ?? 1)
    wanted.set(name === 'x-gzip' ? 'gzip' : name, Number.isNaN(weight) ? 0 : weight)
  }
  const weightOf = (name: string) => wanted.get(name) ?? wanted.get('*') ?? 0
  const [best] = (Object.keys(encoders) as Encoding[])
    .filter((name) => weightOf(name) > 0 && weightOf(name) >= (wanted.get('identity') ?? 0))
    .sort((a, b) => weightOf(b) - weightOf(a))
  return best ?? null
}

export const encoder = (encoding: Encoding): Transform => encoders[encoding]()
