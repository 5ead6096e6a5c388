/** All lanes of the inbound topics for whoever asks, however many do: as two processes have them for a moment of which one is stopped. */
import type { PartitionShare } from '../../../transforms/ports.ts'

const lanes = 8

export const allLanes: PartitionShare = {
  join(work) {
    const stop = new AbortController()
    const working = Array.from({ length: lanes }, (_, lane) => work(lane, stop.signal))
    return {
      isMember: () => true,
      async leave() {
        stop.abort()
        await Promise.all(working)
      },
    }
  },
}
