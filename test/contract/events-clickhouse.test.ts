import { describe, test } from 'vitest'
import { clickhouseEvents } from '../../infra/events/clickhouse.ts'
import { eventStoreContract } from './events.ts'

/** A server that the tests may write to; there is none on most machines. */
const url = process.env.ASSAY_TEST_CLICKHOUSE_URL

describe.skipIf(url === undefined)('a ClickHouse server', () => {
  if (url !== undefined) eventStoreContract(async () => clickhouseEvents(async () => url))
  else test('is named by ASSAY_TEST_CLICKHOUSE_URL: no server is named, so none is tested', () => {})
})
