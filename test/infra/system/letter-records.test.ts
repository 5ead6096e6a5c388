import { expect, test } from 'vitest'
import type { DeadLetterRow } from '../../../infra/catalog/dead-letters.ts'
import { letterRecords } from '../../../infra/system/letter-records.ts'

test('a letter whose record is not to be had keeps the kind of which it died', async () => {
  const place = { topic: 'inbound.ws_mugs', epoch: 0, partition: 0, offset: 3 }
  const letter = { ...place, kind: 'not_json', place: null } as DeadLetterRow
  const inbound = { epoch: async () => null, read: async () => [] }
  const parts = { inbound } as unknown as Parameters<typeof letterRecords>[1]
  const by = { job: 'a', by: 'b', at: '2026-01-01T00:00:00.000Z' }
  const [found] = await letterRecords([letter], parts, by)
  expect(found?.made).toEqual({ reason: 'the log no longer has it', as: 'not_json' })
})
