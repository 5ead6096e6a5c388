import { execFileSync } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { clickhouseEvents } from '../../infra/events/clickhouse.ts'
import { embeddedEvents } from '../../infra/events/embedded.ts'
import { eventStoreContract } from './events.ts'

const folders: string[] = []
const freshFolder = async () => {
  const folder = await mkdtemp(join(tmpdir(), 'assay-events-'))
  folders.push(folder)
  return folder
}
afterAll(() => Promise.all(folders.map((folder) => rm(folder, { recursive: true, force: true }))))

const openOn = (folder: string) => {
  const embedded = embeddedEvents(join(folder, 'events'))
  return { embedded, store: clickhouseEvents(embedded.address, embedded) }
}

describe('the embedded event store', () => {
  eventStoreContract(async () => openOn(await freshFolder()).store)
})

describe('the process of the embedded event store', () => {
  const limits = { seconds: 5, memoryBytes: 1e9 }
  const count = 'select count() as count from events final'

  test('is started anew when it was killed, with what was in it', async () => {
    const { embedded, store } = openOn(await freshFolder())
    try {
      await store.ask(count, {}, limits)
      const before = await embedded.address()
      execFileSync('pkill', ['-9', '-P', String(process.pid), '-f', 'chdb-server'])
      await expect.poll(() => store.ask(count, {}, limits).catch(() => null), { timeout: 20_000 }).not.toBeNull()
      expect(await embedded.address()).not.toBe(before)
    } finally {
      await store.close()
    }
  })

  test('answers only who knows its password', async () => {
    const { embedded, store } = openOn(await freshFolder())
    try {
      const { origin } = new URL(await embedded.address())
      const refused = await fetch(`${origin}/?query=select+1`, { method: 'POST' })
      expect([refused.status, (await refused.text()).includes('AUTHENTICATION_FAILED')]).toEqual([403, true])
    } finally {
      await store.close()
    }
  })

  test('says why it does not start: another has the folder', async () => {
    const folder = await freshFolder()
    const { store } = openOn(folder)
    const second = embeddedEvents(join(folder, 'events'), { tries: 2 })
    try {
      await store.ask(count, {}, limits)
      await expect(second.address()).rejects.toThrow(/does not start: .*lock/is)
      expect(await store.ask(count, {}, limits)).toMatchObject({ rows: [{ count: '0' }] })
    } finally {
      await second.close()
      await store.close()
    }
  })
})
