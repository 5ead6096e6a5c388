/** Test files that need a process of their own: they mock, measure its memory, set what is global to it, or end and start others. */
export const ownProcess: readonly string[] = [
  'test/{contract,faults,kafka}/**/*.test.ts',
  'test/infra/**/*.test.ts',
  'test/ingest/json-documents.test.ts',
  'test/ingest/readers/delimited.test.ts',
  'test/ingest/readers/xlsx/open-xlsx.test.ts',
  'test/ingest/readers/xml/traps.test.ts',
  'test/serving/plugins/metrics.test.ts',
]
