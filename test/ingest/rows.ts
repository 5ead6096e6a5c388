/** Rows of files as the tests of identity write them: what identifiers they have, and nothing else that matters. */
import fc from 'fast-check'
import type { Candidate } from '../../ingest/candidate.ts'
import type { Identifiers } from '../../ingest/identifiers.ts'
import type { SharedFlags } from '../../ingest/verdicts.ts'

const none: Identifiers = {
  sku: null,
  sourceId: null,
  family: null,
  options: null,
  gtin: null,
  mpnBrand: null,
  url: null,
}

export const row = (ids: Partial<Identifiers>, seq = 0, cells: Candidate['cells'] = { title: 'Mug' }): Candidate => ({
  seq,
  rows: [seq + 1],
  kind: 'single',
  cells,
  ids: { ...none, ...ids },
})

export const notShared: SharedFlags = {
  sku: false,
  sourceId: false,
  family: false,
  gtin: false,
  mpnBrand: false,
  url: false,
}

/** Few values, so that rows meet, and most cells blank, so that not everything is shared. */
const some = (...values: string[]) => fc.constantFrom(null, null, null, ...values)
const anyIds: fc.Arbitrary<Identifiers> = fc
  .record({
    sku: some('A', 'B', 'C'),
    sourceId: some('1', '2'),
    family: some('F', 'G'),
    options: fc.constantFrom('', 'color=red', 'color=blue'),
    gtin: some('04006381333931', '05901234123457'),
    mpnBrand: some('m1', 'm2'),
    url: some('u1', 'u2'),
  })
  .map((ids) => (ids.family === null ? { ...ids, options: null } : ids))

/** Many small files in one, for a judgement costs more than a row: what stands in two of them has nothing in common. */
export const anyFiles: fc.Arbitrary<Candidate[]> = fc
  .array(fc.array(anyIds, { minLength: 1, maxLength: 8, size: 'max' }), { minLength: 1, maxLength: 60, size: 'max' })
  .map((files) =>
    files
      .flatMap((rows, file) => rows.map((ids) => inFile(ids, file)))
      .map((ids, seq) => row(ids, seq, { title: String(seq) })),
  )

const inFile = (ids: Identifiers, file: number): Identifiers => {
  const mark = (value: string | null) => (value === null ? null : `${file}/${value}`)
  return {
    sku: mark(ids.sku),
    sourceId: mark(ids.sourceId),
    family: mark(ids.family),
    options: ids.options,
    gtin: mark(ids.gtin),
    mpnBrand: mark(ids.mpnBrand),
    url: mark(ids.url),
  }
}
