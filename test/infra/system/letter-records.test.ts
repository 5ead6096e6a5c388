import { expect, test } from 'vitest'
import type { DeadLetterRow } from '../../../infra/catalog/dead-letters.ts'
import { letterRecords } from '../../../infra/system/letter-records.ts'

test('a letter whose record is not to be had is told why, and says no other kind than that of which it died', async () => {
  const place = { topic: 'inbound.ws_mugs', epoch: 0, partition: 0, offset: 3 }
  const letter = { ...place, kind: 'not_json', place: null } as DeadLetterRow
  const inbound = { lookUp: async () => ({ missing: 'it is elsewhere' }) }
  const parts = { inbound } as unknown as Parameters<typeof letterRecords>[1]
  const by = { job: 'a', by: 'b', at: '2026-01-01T00:00:00.000Z' }
  const [found] = await letterRecords([letter], parts, by)
  expect(found?.made).toEqual({ reason: 'it is elsewhere', as: null })
})
