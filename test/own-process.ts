/** Test files that need a process of their own: they mock, measure its memory, set what is global to it, or end and start others. */
export const ownProcess: readonly string[] = [
  'test/{contract,faults,kafka}/**/*.test.ts',
  'test/infra/{cli,events}/**/*.test.ts',
  'test/infra/{compose,jobs,tokens}.test.ts',
  'test/infra/archive/{archive-log,read-by-others}.test.ts',
  'test/infra/catalog/embedded.test.ts',
  'test/infra/system/{change-relay,event-sink,exports,imports,inbound,take-over,two-processes}.test.ts',
  'test/ingest/json-documents.test.ts',
  'test/ingest/readers/delimited.test.ts',
  'test/ingest/readers/xlsx/open-xlsx.test.ts',
  'test/ingest/readers/xml/traps.test.ts',
  'test/serving/plugins/metrics.test.ts',
]
