/** What an Assay does while its Postgres is away. */
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import { enough } from '../enough.ts'
import { type AssayFolder, type AssayProcess, demo } from './assay-process.ts'
import { ended, feedFaults, ledgerFaults, newCatalog, publish, sendFile, storeFaults, until } from './exact.ts'
import { supplierFile } from './supplier-file.ts'

const brands = `/api/workspace/${demo}/brands`

export function postgresAway(running: () => { readonly ground: AssayFolder; readonly assay: AssayProcess }): void {
  const answers = () =>
    expect.poll(async () => (await running().assay.call('GET', brands)).status, { timeout: 20_000 }).toBe(200)

  test('Postgres killed with -9 in the middle of an import comes back at once, and nothing is lost or comes twice', async () => {
    const { ground, assay } = running()
    const file = supplierFile(enough(3_000, 9_000))
    const url = await ground.databaseUrl()
    const catalog = await newCatalog(assay)
    const job = await sendFile(assay, file, catalog)
    const sql = 'select state, appended_seq as appended from import where job_id = $1'
    await until(ground, sql, job, ({ appended }) => appended >= 0)
    const [before] = await ground.postgres()
    await ground.signalPostgres('SIGKILL')
    const imported = await ended(assay, job)
    expect(ledgerFaults(imported, file, 'created')).toEqual([])
    const [after] = await ground.postgres()
    expect(after).not.toBe(before)
    expect(await ground.databaseUrl()).toBe(url)
    expect(await storeFaults(url, catalog, imported.result?.importId ?? '', file)).toEqual([])

    const publishing = await publish(assay, catalog)
    await ground.signalPostgres('SIGKILL')
    expect(await ended(assay, publishing)).toMatchObject({
      status: 'completed',
      result: { added: file.products.length },
    })
    expect(await feedFaults(assay, catalog, file)).toEqual([])
    expect(assay.err()).not.toMatch(/\\n\s+at /)
  })

  describe('while Postgres is away', () => {
    test('requests are answered 503 SERVER_002 with Retry-After, and work again afterwards', async () => {
      const { ground, assay } = running()
      await answers()
      const seen: number[] = []
      await ground.signalPostgres('SIGKILL')
      const away = await firstThat(assay, seen, (status) => status === 503)
      expect(away.headers.get('retry-after')).toMatch(/^\d+$/)
      expect(away.body).toMatchObject({ error: 'SERVER_002' })
      await answers()
      expect(seen.filter((status) => status !== 200 && status !== 503)).toEqual([])
    })

    test('that stands still, readiness says so within seconds, liveness stays, and all goes on where it was', async () => {
      const { ground, assay } = running()
      await answers()
      await ground.signalPostgres('SIGSTOP')
      try {
        const began = Date.now()
        const ready = await fetch(`${assay.url}/health/ready`)
        expect(Date.now() - began).toBeLessThan(5_000)
        expect({ status: ready.status, retry: ready.headers.get('retry-after') }).toEqual({ status: 503, retry: '5' })
        expect((await fetch(`${assay.url}/health/live`)).status).toBe(200)
        const waiting = assay.call('GET', brands)
        await sleep(300)
        await ground.signalPostgres('SIGCONT')
        expect((await waiting).status).toBe(200)
      } finally {
        await ground.signalPostgres('SIGCONT')
      }
      await answers()
    })
  })
}

/** Asks without pause, so that a moment of absence is met. */
async function firstThat(assay: AssayProcess, seen: number[], met: (status: number) => boolean) {
  for (;;) {
    const answer = await assay.call('GET', brands)
    seen.push(answer.status)
    if (met(answer.status)) return answer
  }
}
