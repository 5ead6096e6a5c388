/** The independent client, with zstd: it brings gzip alone, and takes any other by its number. */
import { constants, zstdCompressSync, zstdDecompressSync } from 'node:zlib'
import kafkajs from 'kafkajs'

const level = { params: { [constants.ZSTD_c_compressionLevel]: 1 } }
kafkajs.CompressionCodecs[kafkajs.CompressionTypes.ZSTD] = () => ({
  compress: async ({ buffer }: { buffer: Buffer }) => zstdCompressSync(buffer, level),
  decompress: async (buffer: Buffer) => zstdDecompressSync(buffer),
})

export { kafkajs }
