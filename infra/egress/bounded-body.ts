/** The body of an answer as it is read: unpacked, and cut off at a bound of bytes both packed and unpacked. */
import type { IncomingMessage } from 'node:http'
import { pipeline, type Transform } from 'node:stream'
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib'
import { EgressError } from '../../schemas/egress-error.ts'

const unpackers: Readonly<Record<string, () => Transform>> = {
  gzip: createGunzip,
  'x-gzip': createGunzip,
  deflate: createInflate,
  br: createBrotliDecompress,
}

/** What is asked for; what else comes is refused. */
export const acceptEncoding = 'gzip, deflate, br'

/** @throws EgressError `too_large` once more than `most` bytes came, `bad_answer` for a packing that was not asked for */
export function boundedBody(answer: IncomingMessage, most: number): AsyncIterable<Uint8Array> {
  if (Number(answer.headers['content-length']) > most) throw new EgressError('too_large')
  const coding = answer.headers['content-encoding']?.trim().toLowerCase() ?? 'identity'
  const plain = counted(answer, most)
  if (coding === 'identity' || coding === '') return plain
  const unpack = Object.hasOwn(unpackers, coding) ? unpackers[coding]?.() : undefined
  if (!unpack) throw new EgressError('bad_answer')
  // A packed body may also go on for ever and unpack to nothing.
  return counted(
    pipeline(plain, unpack, () => {}),
    most,
  )
}

async function* counted(from: AsyncIterable<Uint8Array>, most: number): AsyncGenerator<Uint8Array> {
  let bytes = 0
  for await (const chunk of from) {
    bytes += chunk.length
    if (bytes > most) throw new EgressError('too_large')
    yield chunk
  }
}
