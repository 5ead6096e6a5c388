/** A body as a stream whose memory is used again: what it is piped to has taken each part before the next is made. */
import { Readable, type Writable } from 'node:stream'

/** @param body its parts are good until the next is asked for */
export function bodyStream(body: AsyncGenerator<Buffer>): Readable {
  const stream = new Readable({
    highWaterMark: 1,
    // Who reads it otherwise may keep what it reads.
    read() {
      body.next().then(
        ({ done, value }) => stream.push(done ? null : Buffer.from(value)),
        (error) => stream.destroy(error),
      )
    },
    destroy(error, done) {
      body.return(undefined).then(
        () => done(error),
        (cause) => done(error ?? cause),
      )
    },
  })
  stream.pipe = (to, { end = true } = {}) => {
    written(body, to as unknown as Writable).then(
      (isWhole) => {
        if (!isWhole) return stream.destroy()
        stream.push(null)
        stream.resume()
        if (end) to.end()
      },
      (error) => stream.destroy(error),
    )
    return to
  }
  return stream
}

/** @returns false where there is nobody any more to write to */
async function written(body: AsyncGenerator<Buffer>, to: Writable): Promise<boolean> {
  let leave = () => {}
  const left = new Promise<true>((resolve) => {
    leave = () => resolve(true)
  })
  to.once('close', leave)
  try {
    for await (const bytes of body) {
      const taken = new Promise<boolean>((resolve) => to.write(bytes, (error) => resolve(error != null)))
      if (await Promise.race([taken, left])) return false
    }
    return true
  } finally {
    to.off('close', leave)
  }
}
