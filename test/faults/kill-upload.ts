/** A file that is sent in parts when Assay is killed, and killed once more while it is put together. */
import { hash } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect } from 'vitest'
import { enough } from '../enough.ts'
import { demo } from './assay-process.ts'
import type { KilledAssay, Struck } from './killed-assay.ts'

const base = `/api/workspace/${demo}/datasets/uploads`
const rows = Array.from({ length: 400 }, (_, i) => `K-${i},${'Enamel mug '.repeat(300)}${i},1.50\n`)
const file = `sku,title,price\n${rows.join('')}`
const partBytes = 50_000
const parts = Array.from({ length: Math.ceil(file.length / partBytes) }, (_, i) =>
  file.slice(i * partBytes, (i + 1) * partBytes),
)
const sha256 = (text: string) => hash('sha256', text, 'hex')
const whole = { file_name: 'killed.csv', size: file.length, sha256: sha256(file) }
/** By round; of what is left there is less each time. */
const cutAfterMs = [150, 40]

export function killUpload(killed: () => KilledAssay): Struck {
  let path: string
  let before: number
  let sending: Promise<unknown> = Promise.resolve()
  const answered = new Set<number>()
  const imports = async () =>
    (await killed().assay.call('GET', `/api/workspace/${demo}/jobs?kind=import&limit=200`)).body.jobs.length

  /** Whatever was answered is there. */
  async function answeredIsThere(): Promise<void> {
    await sending
    const { parts: there } = (await killed().assay.call('GET', path)).body.upload
    const found = new Map(there.map((one: { part: number; sha256: string }) => [one.part, one.sha256]))
    for (const part of answered) expect(found.get(part)).toBe(sha256(parts[part - 1] ?? ''))
  }

  return {
    promise: 'a part that was answered outlives every kill, and a complete that was cut off is one import',
    async prepare() {
      const { upload } = (await killed().assay.call('POST', base, whole)).body
      path = `${base}/${upload.id}`
      before = await imports()
    },
    async middle(round) {
      await answeredIsThere()
      const { assay } = killed()
      const missing = parts.flatMap((text, i) => (answered.has(i + 1) ? [] : [{ part: i + 1, text }]))
      sending = Promise.allSettled(
        missing.map(async ({ part, text }) => {
          const { status } = await assay.call('PUT', `${path}/parts/${part}`, text)
          if (status === 200) answered.add(part)
        }),
      )
      await sleep(cutAfterMs[round] ?? 5)
    },
    async check() {
      await answeredIsThere()
      for (const [i, text] of parts.entries())
        expect((await killed().assay.call('PUT', `${path}/parts/${i + 1}`, text)).status).toBe(200)
      const order = { parts: parts.length, sha256: whole.sha256 }
      for (const afterMs of enough([25], [5, 25])) {
        const { assay } = killed()
        const completing = assay.call('POST', `${path}/complete`, order).catch(() => null)
        await sleep(afterMs)
        await assay.kill()
        await completing
        await killed().start()
      }
      const { assay } = killed()
      const { body, status } = await assay.call('POST', `${path}/complete`, order)
      expect(status).toBe(202)
      for (let ended = false; !ended; await sleep(100)) {
        const { job } = (await assay.call('GET', `/jobs/${body.job.id}`)).body
        ended = job.status === 'completed' || job.status === 'failed'
        if (ended) expect(job).toMatchObject({ status: 'completed', result: { read: 400, created: 400 } })
      }
      expect(await imports()).toBe(before + 1)
    },
  }
}
