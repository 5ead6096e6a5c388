/** Imports whose file lies at an address: a job of its own fetches it, so that a slow host keeps no import from its turn. */
import { randomUUID } from 'node:crypto'
import type { PoolClient } from 'pg'
import type { AcceptPorts } from '../../ingest/accept.ts'
import { parseMap } from '../../ingest/column-map.ts'
import { fetchFile, fileNameOf } from '../../ingest/fetch-file.ts'
import type { FetchOffer } from '../../ingest/fetch-route.ts'
import { saidOf } from '../../ingest/how-to-read.ts'
import { findImport, findImportOf, insertImport, type NewImport, setFetchedFile } from '../catalog/imports.ts'
import { type Notify, startJob } from '../catalog/job-table.ts'
import type { Catalog } from '../catalog/postgres.ts'
import type { Egress } from '../egress/open-egress.ts'
import type { JobHandler, JobKind, Jobs } from '../jobs.ts'

export interface Fetching {
  /** An import whose job fetches its file first. @throws TableError `bad_mapping` @returns the job */
  fetch(offer: FetchOffer): Promise<string>
  /** Fetches the file and hands the job on. */
  readonly runFetch: JobHandler
}

interface Parts {
  readonly catalog: Catalog
  readonly accept: AcceptPorts
  readonly egress: Pick<Egress, 'ask'>
  readonly jobs: () => Jobs | null
  readonly queueImport: (
    tx: PoolClient,
    row: NewImport,
    how: { notify: Notify | null; first: JobKind },
  ) => Promise<void>
  /** Ends an import by what is wrong with its file. @throws what is no fault of the file */
  readonly refuse: (id: string, job: string, error: unknown) => Promise<void>
}

export function openFetching({ catalog, accept, egress, jobs, queueImport, refuse }: Parts): Fetching {
  const pool = catalog.pipeline
  return {
    async fetch({ url, kind, encoding, sheet, source, notify, map, ...scope }) {
      const options = {
        map: parseMap(map),
        fetch: { url: url.href, source: source ?? null },
        ...saidOf({ kind, encoding, sheet }),
      }
      const none = { source: '', spool: '', bytes: 0, sha256: '', fileName: fileNameOf(url) }
      const row = { ...scope, ...none, id: randomUUID(), job: randomUUID(), options }
      await catalog.inTransaction(pool, async (tx) => {
        await queueImport(tx, row, { notify: notify ?? null, first: 'fetch_file' })
        await insertImport(tx, row)
      })
      return row.job
    },
    async runFetch(job, signal) {
      if (!(await startJob(pool, job))) return
      const id = await findImportOf(pool, job)
      const row = id === null ? null : await findImport(pool, id)
      // Fetched by a process that died: with the file it handed the job on.
      if (row?.spool !== '') return
      try {
        const file = await fetchFile(row, { accept, egress }, signal)
        await catalog.inTransaction(pool, async (tx) => {
          await setFetchedFile(tx, row.id, file)
          await jobs()?.send('import', job, tx)
        })
      } catch (error) {
        await refuse(row.id, job, error)
      }
    },
  }
}
