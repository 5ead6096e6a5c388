/** Which partitions of a topic are this process's: the group on the brokers shares them out, and tells each change before another has them. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { Consumer, GroupOptions } from '@platformatic/kafka'
import { told } from './kafka-errors.ts'

export interface Membership {
  /** A position that is committed in the catalog, for those who watch the group's lag on the brokers; nothing is read from there. */
  passed(partition: number, next: number): void
  /** Whether the group has given it its partitions, be they none. */
  isMember(): boolean
  /** Leaves the group. */
  close(): Promise<void>
}

export interface MemberOptions {
  /** On the brokers. */
  readonly topic: string
  /** Who is silent for so long has lost its partitions. */
  readonly sessionMs: number
  /** Works on these partitions from now on, and on no other: resolves when those it had besides are let go. One call at a time. */
  readonly own: (partitions: readonly number[]) => Promise<void>
  readonly onError: (error: unknown) => void
}

const rejoinMs = 1_000
/** Lag is looked at by people. */
const commitMs = 1_000

/**
 * The member lets go before it joins anew, so that nobody computes for nothing; what protects the catalog is the owner's number in
 * `sink_position` alone (KF-46), for a process that was stopped in between comes back without having been asked.
 * @param open a consumer of the group, which is this member's alone
 */
export function joinGroup(
  open: (options: GroupOptions) => Consumer,
  { topic, sessionMs, own, onError }: MemberOptions,
): Membership {
  const stop = new AbortController()
  const positions = new Map<number, number>()
  let last: Promise<void> = Promise.resolve()
  let joined = false
  const change = (partitions: readonly number[], member = false) => {
    joined = member
    positions.clear()
    last = last.then(() => own(partitions)).catch(onError)
    return last
  }
  const consumer = open({
    sessionTimeout: sessionMs,
    // A batch ends in about a second.
    rebalanceTimeout: sessionMs,
    heartbeatInterval: Math.ceil(sessionMs / 5),
    // Asked before each join. A batch that hangs must not cost the place in the group.
    protocolsMetadata: async () => {
      await Promise.race([change([]), sleep(sessionMs / 3, undefined, { ref: false })])
      return Buffer.alloc(0)
    },
  })
  consumer.topics.track(topic)
  consumer.on('consumer:group:join', ({ assignments }) => {
    if (!stop.signal.aborted) void change(assignments?.find((one) => one.topic === topic)?.partitions ?? [], true)
  })
  const join = async () => {
    while (!stop.signal.aborted)
      try {
        return await consumer.joinGroup({})
      } catch (error) {
        if (stop.signal.aborted) return
        onError(told(error))
        await sleep(rejoinMs, undefined, { signal: stop.signal }).catch(() => {})
      }
  }
  // A join that the driver tried by itself, and gave up.
  consumer.on('error', (error) => {
    if (stop.signal.aborted) return
    onError(told(error))
    void change([]).then(join)
  })
  void join()

  const commit = async () => {
    const offsets = [...positions].map(([partition, next]) => ({
      topic,
      partition,
      offset: BigInt(next),
      leaderEpoch: -1,
    }))
    positions.clear()
    // What is not told now is told with the next batch.
    if (offsets.length > 0 && consumer.isActive()) await consumer.commit({ offsets }).catch(() => {})
  }
  const timer = setInterval(commit, commitMs)

  return {
    passed: (partition, next) => void positions.set(partition, next),
    isMember: () => joined,
    async close() {
      stop.abort()
      clearInterval(timer)
      const told = commit()
      await change([])
      await told
      await consumer.close(true)
    },
  }
}
