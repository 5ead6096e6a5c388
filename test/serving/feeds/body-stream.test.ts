import { PassThrough, Writable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { pipeline } from 'node:stream/promises'
import { createGzip, gunzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { bodyStream } from '../../../serving/feeds/body-stream.ts'

const parts = Array.from({ length: 50 }, (_, n) => `part ${n} `.repeat(3_000))
const whole = parts.join('')

/** All parts in the same memory. */
async function* inOne(told: string[] = [], fails = false): AsyncGenerator<Buffer> {
  const memory = Buffer.alloc(64 * 1024)
  try {
    for (const part of parts) {
      memory.fill('-')
      yield memory.subarray(0, memory.write(part))
    }
    if (fails) throw new Error('away')
    told.push('whole')
  } finally {
    memory.fill('-')
    told.push('ended')
  }
}

function slow(after = Number.POSITIVE_INFINITY) {
  let text = ''
  const to = new Writable({
    write(chunk: Buffer, _, done) {
      setImmediate(() => {
        text += chunk.toString()
        if (text.length > after) to.destroy()
        done()
      })
    },
  })
  return { to, text: () => text }
}

test('what it is piped to gets every part, though all are made in the same memory', async () => {
  const { to, text } = slow()
  const told: string[] = []
  bodyStream(inOne(told)).pipe(to)
  await new Promise((resolve) => to.on('finish', resolve))
  expect(text()).toBe(whole)
  expect(told).toEqual(['whole', 'ended'])
})

test('so does a packer in a pipeline, and whoever reads it otherwise', async () => {
  const packed = new PassThrough()
  const [read] = await Promise.all([buffer(packed), pipeline(bodyStream(inOne()), createGzip(), packed)])
  expect(gunzipSync(read).toString()).toBe(whole)
  expect((await buffer(bodyStream(inOne()))).toString()).toBe(whole)
})

test('a reader who goes ends the body, which is not whole', async () => {
  const told: string[] = []
  const { to } = slow(100_000)
  const stream = bodyStream(inOne(told))
  stream.pipe(to)
  await new Promise((resolve) => stream.on('close', resolve))
  expect(told).toEqual(['ended'])
})

test('a body that fails breaks off what it is piped through', async () => {
  const { to } = slow()
  await expect(pipeline(bodyStream(inOne([], true)), to)).rejects.toThrow('away')
  expect(to.destroyed).toBe(true)
  await expect(buffer(bodyStream(inOne([], true)))).rejects.toThrow('away')
})
