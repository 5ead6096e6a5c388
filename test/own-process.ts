/** Test files that need a process of their own: they measure its memory, set what is global to it, or do not leave it as it was. */
export const ownProcess: readonly string[] = [
  'test/infra/{compose,jobs,tokens}.test.ts',
  'test/infra/archive/{archive-log,read-by-others}.test.ts',
  'test/infra/catalog/embedded.test.ts',
  // Questions that they leave waiting are refused after their end.
  'test/infra/events/fair-{queue,store}.test.ts',
  'test/infra/system/{change-relay,event-sink,exports,imports,inbound,take-over,two-processes}.test.ts',
  'test/ingest/json-documents.test.ts',
  'test/ingest/readers/delimited.test.ts',
  'test/ingest/readers/xlsx/open-xlsx.test.ts',
  'test/ingest/readers/xml/traps.test.ts',
  'test/serving/plugins/metrics.test.ts',
]

/** Those that start and end other processes, and leave their own as it was: they share one that stays small, since to start another copies its pages. */
export const besideOthers: readonly string[] = [
  'test/{contract,faults,kafka}/**/*.test.ts',
  'test/infra/{cli,events}/**/*.test.ts',
]
