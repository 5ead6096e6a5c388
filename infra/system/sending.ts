/** Puts on a log apart from the catalog what jobs have recorded, and has what is said after it come after it. */
import type { Pool, PoolClient } from 'pg'
import type { BronzeRecord } from '../../schemas/pipeline.ts'
import { topics } from '../../schemas/topics.ts'
import { inTransaction } from '../catalog/in-transaction.ts'
import { findUnsent, markSent, sendersLeft, type Unsent } from '../catalog/unsent.ts'
import { LogRefused } from '../log/kafka-errors.ts'
import type { Log } from '../log/port.ts'

export interface Sending {
  /** Of whoever says something of products now: what jobs left unsent is sent before it, or it is not taken. */
  readonly log: Log
  /** What this job has just recorded. */
  send(job: string, unsent: Unsent<readonly BronzeRecord[]>): Promise<void>
  /** What this job had recorded when it was cut off, and what is left of others of its workspace. */
  resume(job: string): Promise<void>
  /** What is left of all. */
  sendLeft(signal: AbortSignal): Promise<false>
}

export function openSending({ pool, log }: { pool: Pool; log: Log }): Sending {
  /** Who asks for what is on its way waits for it in place of sending it once more. */
  const underWay = new Map<string, Promise<void>>()

  /** Known as under way once it has a connection: were it waited for before, all connections could be held by those who wait. */
  async function send(job: string, unsent: Unsent<readonly BronzeRecord[]>, tx: PoolClient): Promise<void> {
    const key = `${job} ${unsent.next}`
    const work = async () => {
      await log.append(topics.bronze, unsent.what.map(toRecord), tx)
      await markSent(tx, job, unsent)
    }
    const sent = underWay.get(key) ?? work().finally(() => underWay.delete(key))
    underWay.set(key, sent)
    await sent
  }

  /**
   * What the brokers refuse of one job keeps that of no other back.
   * @param job as `sendersLeft` has it
   * @returns a refusal, for who tells of it
   */
  async function sendAll(job: string | null, { tx, signal }: { tx?: PoolClient | undefined; signal?: AbortSignal }) {
    let refused: LogRefused | undefined
    for (const sender of await sendersLeft(tx ?? pool, job)) {
      signal?.throwIfAborted()
      const unsent = await findUnsent<BronzeRecord[]>(tx ?? pool, sender)
      if (!unsent) continue
      await (tx ? send(sender, unsent, tx) : sendAlone(sender, unsent)).catch((error: unknown) => {
        if (sender === job || !(error instanceof LogRefused)) throw error
        refused = error
      })
    }
    return refused
  }

  const sendAlone: Sending['send'] = (job, unsent) => inTransaction(pool, (tx) => send(job, unsent, tx))

  if (log.transactional) return { log, send: sendAlone, resume: async () => {}, sendLeft: async () => false }
  const append: Log['append'] = async (topic, records, tx) => {
    if (topic === topics.bronze && records.length > 0) await sendAll(null, { tx })
    return log.append(topic, records, tx)
  }
  return {
    log: { ...log, append },
    send: sendAlone,
    async resume(job) {
      await sendAll(job, {})
    },
    async sendLeft(signal) {
      const refused = await sendAll(null, { signal })
      if (refused) throw refused
      return false
    },
  }
}

const toRecord = (record: BronzeRecord) => ({ key: record.product, value: JSON.stringify(record) })
