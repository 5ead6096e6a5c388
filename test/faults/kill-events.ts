/** Events that come when Assay is killed, and go on coming. */
import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect } from 'vitest'
import { demo } from './assay-process.ts'
import type { KilledAssay, Struck } from './killed-assay.ts'

const perSend = 500
/** By round. */
const sendingMs = [900, 300, 2_000]

export function killEvents(killed: () => KilledAssay): Struck {
  const question = { event_types: ['order'], group_by: 'none', aggregation: 'count', time_window_days: 30 }
  const count = async () => {
    const path = `/api/workspace/${demo}/dashboards/aggregate?fresh=true`
    const { body } = await killed().assay.call('POST', path, question)
    return { value: body.rows?.[0]?.value ?? 0, lag: body.lag }
  }
  let sent = 0
  let sending = Promise.resolve()

  /** Until one that was cut off has been taken after all. */
  async function send(): Promise<void> {
    for (let wasCutOff = false; !wasCutOff; sent += perSend) {
      const time = new Date().toISOString()
      const events = Array.from({ length: perSend }, () => ({ id: randomUUID(), time, type: 'order', value: 1 }))
      const isTaken = () =>
        killed()
          .assay.call('POST', '/api/v1/events', events)
          .then(
            ({ status }) => status === 202,
            () => false,
          )
      // One whose answer was lost may be on the log or not: it is sent again until it is answered.
      for (; !(await isTaken()); await sleep(50)) wasCutOff = true
    }
  }

  return {
    promise: 'an Assay that is killed while events come counts each that it took, and none twice',
    prepare: async () => {},
    async middle(round) {
      await sending
      sending = send()
      await sleep(sendingMs[round] ?? 0)
    },
    async check() {
      await sending
      await expect
        .poll(() => count().catch(() => null), { timeout: 60_000, interval: 300 })
        .toEqual({ value: sent, lag: 0 })
    },
  }
}
