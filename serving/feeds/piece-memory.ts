/** Memory that one reader's pieces use one after another. */

export interface PieceMemory {
  take(bytes: number): Buffer
  /** What lies in it is gone. */
  give(room: Buffer): void
}

/** Pieces are never of quite the same length. */
const stepBytes = 16 * 1024

export function pieceMemory(): PieceMemory {
  const free: Buffer[] = []
  return {
    take(bytes) {
      const at = free.findIndex((room) => room.length >= bytes)
      // What is too small for this one makes way for it.
      const [room] = free.splice(Math.max(at, 0), 1)
      return room && at >= 0 ? room : Buffer.allocUnsafeSlow(Math.ceil(bytes / stepBytes) * stepBytes)
    },
    give: (room) => free.push(room),
  }
}
