/** An import as callers read it: its ledger, how its file was read, what the guard saw, and where to read more. */
import { z } from 'zod'
import type { RowNote } from '../../infra/catalog/import-ledger.ts'
import type { LedgerRow } from '../../infra/catalog/import-queries.ts'
import { brandId, catalogId, importId } from '../../schemas/ids.ts'
import { guardSeen, importStates, noteResults } from '../../schemas/import.ts'

const count = z.int()
const reasoned = z.object({ reason: z.string() })

/** `noted`: results were not kept by row when it ran, so only rows that have something to say can be listed. */
export const rowsListed = z.enum(['all', 'noted'])
export const rowsListedOf = ({ notedOnly }: LedgerRow): z.infer<typeof rowsListed> => (notedOnly ? 'noted' : 'all')

export const importResource = z.object({
  id: importId,
  catalogId,
  brandId,
  state: z.enum(importStates),
  /** snapshot: what the file lacks is withdrawn. */
  mode: z.enum(['merge', 'snapshot']),
  source: z.string(),
  sourceReason: z.string().nullable(),
  fileName: z.string(),
  bytes: count,
  /** Of the file as it was sent. */
  sha256: z.string(),
  /** Of the file; null until it was read to its end. */
  rows: count.nullable(),
  /** Rows with a result so far: always created + updated + unchanged + duplicate + rejected. */
  read: count,
  created: count,
  updated: count,
  unchanged: count,
  duplicate: count,
  rejected: count,
  /** Products whose listing a snapshot ended; they are no rows. */
  removed: count,
  /** By kind. */
  warnings: z.record(z.string(), count),
  /** Which of its rows can be listed. */
  rowsListed,
  context: z
    .object({
      platform: z.string(),
      /** Encoding, delimiter and the like. */
      notes: z.array(z.string()),
      mapping: z.record(z.string(), reasoned.extend({ field: z.string() })),
      numbers: z.record(z.string(), reasoned.extend({ decimal: z.string().nullable() })),
      currencies: z.record(z.string(), reasoned.extend({ code: z.string(), guess: z.boolean() })),
      /** Of columns of dates whose numbers alone do not tell the day. */
      dates: z.record(z.string(), reasoned.extend({ order: z.string().nullable() })),
      /** Of columns of texts; imports from before it was looked at have none. */
      languages: z.record(z.string(), reasoned.extend({ language: z.string().nullable(), confidence: z.number() })),
    })
    .nullable(),
  guard: guardSeen.nullable(),
  error: z.string().nullable(),
  undone: z.boolean(),
  undoneAt: z.iso.datetime().nullable(),
  /** When a person let a held import go on. */
  releasedAt: z.iso.datetime().nullable(),
  createdBy: z.string().nullable(),
  createdAt: z.iso.datetime(),
  finishedAt: z.iso.datetime().nullable(),
  links: z.object({
    self: z.string(),
    rows: z.string(),
    /** null where no row was rejected, or the file is kept no longer. */
    rejects: z.string().nullable(),
    file: z.string().nullable(),
    catalog: z.string(),
    job: z.string(),
  }),
})

export const noteResource = z.object({
  /** Data record of the file, from 1. */
  row: count,
  result: z.enum(noteResults),
  code: z.string().nullable(),
  reason: z.string().nullable(),
  field: z.string().nullable(),
  column: z.string().nullable(),
  /** The cell as it stands in the file; the row, where no one cell is at fault; its first 500 characters. */
  raw: z.string().nullable(),
})

export function toImportResource(row: LedgerRow): z.infer<typeof importResource> {
  const { created, updated, unchanged, duplicate, rejected, removed } = row.sums
  const self = `/api/workspace/${row.workspace}/imports/${row.id}`
  const { context } = row
  return {
    id: row.id,
    catalogId: row.catalog,
    brandId: row.brand,
    state: z.enum(importStates).parse(row.state),
    mode: row.options.snapshot ? 'snapshot' : 'merge',
    source: row.source.replace(/^file:/, ''),
    sourceReason: row.options.sourceReason ?? null,
    fileName: row.fileName,
    bytes: row.bytes,
    sha256: row.sha256,
    rows: row.rows === 0 && context === null ? null : row.rows,
    read: created + updated + unchanged + duplicate + rejected,
    ...{ created, updated, unchanged, duplicate, rejected, removed },
    warnings: row.warnings,
    rowsListed: rowsListedOf(row),
    context: context && {
      platform: context.platform,
      notes: [...context.notes],
      mapping: context.mapping,
      numbers: context.numbers,
      currencies: context.currencies,
      dates: context.dates ?? {},
      languages: context.languages ?? {},
    },
    guard: row.guard,
    error: row.error,
    undone: row.undoneAt !== null,
    undoneAt: row.undoneAt?.toISOString() ?? null,
    releasedAt: row.releasedAt?.toISOString() ?? null,
    createdBy: row.by,
    createdAt: row.createdAt.toISOString(),
    finishedAt: row.finishedAt?.toISOString() ?? null,
    links: {
      self,
      rows: `${self}/rows`,
      rejects: rejected > 0 && !row.fileGone ? `${self}/rejects` : null,
      file: row.fileGone ? null : `${self}/file`,
      catalog: `/api/workspace/${row.workspace}/catalogs/${row.catalog}`,
      job: `/jobs/${row.job}`,
    },
  }
}

export function toNoteResource({ row, result, code, says, field, column, raw }: RowNote): z.infer<typeof noteResource> {
  return { row, result: z.enum(noteResults).parse(result), code, reason: says, field, column: column || null, raw }
}
