/** What a `COPY … TO STDOUT` gives, joined as it comes: its stream hands each row on in several pieces, which costs more than the rows of a feed do. */
import type { ClientBase, Submittable } from 'pg'

const firstBytes = 256 * 1024

/** Told by the driver of what the server answers. */
interface Answered extends Submittable {
  handleCopyData(message: { readonly chunk: Buffer }): void
  handleCommandComplete(): void
  handleReadyForQuery(): void
  handleError(error: Error): void
}

/** For what fits the memory: pages. @returns bytes that are the caller's alone */
export function copiedBytes(client: ClientBase, sql: string): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    let [bytes, end] = [Buffer.allocUnsafeSlow(firstBytes), 0]
    const answered: Answered = {
      submit: (connection) => connection.query(sql),
      // The chunk is the driver's, which uses it again.
      handleCopyData({ chunk }) {
        if (end + chunk.length > bytes.length) {
          const larger = Buffer.allocUnsafeSlow(Math.max(2 * bytes.length, end + chunk.length))
          bytes.copy(larger, 0, 0, end)
          bytes = larger
        }
        end += chunk.copy(bytes, end)
      },
      handleCommandComplete() {},
      handleReadyForQuery: () => resolve(bytes.subarray(0, end)),
      handleError: reject,
    }
    client.query(answered)
  })
}
