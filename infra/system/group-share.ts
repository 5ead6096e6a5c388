/** A worker's share of the partitions of a topic, as the consumer group on the brokers assigns them. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { PartitionShare } from '../../transforms/ports.ts'
import type { KafkaLog } from '../log/kafka.ts'

interface AtWork {
  readonly stop: AbortController
  readonly ended: Promise<void>
}

/** Lost, or something went wrong: the group has not said that it is another's, so it is claimed anew after this. */
const againMs = 1_000

export function groupShare(
  kafka: Pick<KafkaLog, 'join'>,
  { group, topic }: { readonly group: string; readonly topic: string },
  onError: (error: unknown) => void,
): PartitionShare {
  return {
    join(work) {
      const atWork = new Map<number, AtWork>()
      const keep = async (partition: number, signal: AbortSignal) => {
        while (!signal.aborted) {
          await work(partition, signal).catch(onError)
          await sleep(againMs, undefined, { signal }).catch(() => {})
        }
      }
      const own = async (partitions: readonly number[]) => {
        const letGo = [...atWork].filter(([partition]) => !partitions.includes(partition))
        for (const [partition, { stop }] of letGo) {
          stop.abort()
          atWork.delete(partition)
        }
        await Promise.all(letGo.map(([, { ended }]) => ended))
        for (const partition of partitions) {
          if (atWork.has(partition)) continue
          const stop = new AbortController()
          atWork.set(partition, { stop, ended: keep(partition, stop.signal) })
        }
      }
      const { passed, isMember, close } = kafka.join(group, topic, { own, onError })
      return {
        passed,
        isMember,
        async leave() {
          await close()
          await own([])
        },
      }
    },
  }
}
