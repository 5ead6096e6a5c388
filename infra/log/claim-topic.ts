/** Claims a topic on the brokers for one database, so that of several which find it empty one has it. */
import { setTimeout as sleep } from 'node:timers/promises'
import { z } from 'zod'
import { ownersTopic } from '../../schemas/topics.ts'
import type { Log } from './port.ts'

const claim = z.object({ topic: z.string(), owner: z.string() })
/** Any: all claims stand in one partition, and their order there decides. */
const key = '00000000-0000-0000-0000-000000000000'
const readRecords = 1_000
const askEveryMs = 50

/** @param topic as the brokers know it: one that was made anew is another @returns whether it is the owner's */
export async function claimTopic(
  log: Pick<Log, 'append' | 'read' | 'partitionOf'>,
  topic: string,
  owner: string,
): Promise<boolean> {
  const [claimed] = await log.append(ownersTopic, [{ key, value: JSON.stringify({ v: 1, topic, owner }) }])
  if (!claimed) throw new Error('the log gave no offset')
  for (let next = 0; ; ) {
    const records = await log.read(ownersTopic, log.partitionOf(key), next, readRecords)
    for (const { value } of records) {
      const found = claimIn(value)
      if (found?.topic === topic) return found.owner === owner
    }
    next = (records.at(-1)?.offset ?? next - 1) + 1
    if (next > claimed.from) throw new Error(`the claim of ${topic} is not where it was written`)
    // What was acknowledged can be seen, but it may take a moment.
    if (records.length === 0) await sleep(askEveryMs)
  }
}

function claimIn(value: Buffer) {
  try {
    return claim.safeParse(JSON.parse(value.toString())).data
  } catch {
    return undefined
  }
}
