/** A connection's socket, from which the bytes of a COPY can be taken as they come: memory of their own for each part had the collector go through the whole heap every few thousand rows. */
import { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { copiedData, type TakeCopied } from './copied-data.ts'

type Read = (bytes: Buffer) => void

/** Who reads a socket in place of the driver. */
const readers = new WeakMap<Duplex, { read: Read | null }>()
/** What is read is taken or copied before anything else is. */
const memory = Buffer.allocUnsafeSlow(256 * 1024)

/** For the driver to connect. */
export function copySocket(): Socket {
  const reader: { read: Read | null } = { read: null }
  const socket = new Socket({
    onread: {
      buffer: memory,
      callback: (length) => {
        const bytes = memory.subarray(0, length)
        if (reader.read === null) return socket.push(Buffer.from(bytes))
        try {
          reader.read(bytes)
        } catch (error) {
          // Nobody else would hear of it.
          socket.destroy(error as Error)
        }
        return true
      },
    },
  })
  readers.set(socket, reader)
  return socket
}

/** Whether its bytes can be taken: those of an encrypted connection cannot. */
export const isCopySocket = (stream: Duplex): boolean => readers.has(stream)

/**
 * While the work goes on, what a COPY sends is taken and all else is the driver's.
 * @param stream of a connection with nothing under way
 */
export async function taking(stream: Duplex, take: TakeCopied, work: () => Promise<unknown>): Promise<void> {
  const reader = readers.get(stream)
  if (!reader) throw new TypeError('This is no socket whose bytes can be taken')
  reader.read = copiedData(take, (bytes) => stream.push(bytes))
  try {
    await work()
  } finally {
    reader.read = null
  }
}
