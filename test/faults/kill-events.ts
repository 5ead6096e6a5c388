/** Kills an Assay while events come. */
import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { enough } from '../enough.ts'
import { demo } from './assay-process.ts'
import type { KilledAssay } from './killed-assay.ts'

const perSend = 500

export function killEvents(killed: () => KilledAssay): void {
  test('an Assay that is killed while events come counts each that it took, and none twice', {
    timeout: 180_000,
  }, async () => {
    let { assay } = killed()
    const question = { event_types: null, group_by: 'none', aggregation: 'count', time_window_days: 30 }
    const count = async () => {
      const { body } = await assay.call('POST', `/api/workspace/${demo}/dashboards/aggregate?fresh=true`, question)
      return { value: body.rows?.[0]?.value ?? 0, lag: body.lag }
    }
    let sent = 0
    for (const killAfterMs of enough([900], [300, 900, 2_000])) {
      let running = true
      const sending = (async () => {
        while (running) {
          const time = new Date().toISOString()
          const events = Array.from({ length: perSend }, () => ({ id: randomUUID(), time, type: 'order', value: 1 }))
          // One whose answer was lost may be on the log or not: it is sent again until it is answered.
          while (
            !(await assay.call('POST', '/api/v1/events', events).then(
              ({ status }) => status === 202,
              () => false,
            ))
          )
            await sleep(50)
          sent += perSend
        }
      })()
      await sleep(killAfterMs)
      await assay.kill()
      assay = await killed().start()
      running = false
      await sending
    }
    await expect
      .poll(() => count().catch(() => null), { timeout: 60_000, interval: 300 })
      .toEqual({ value: sent, lag: 0 })
  })
}
