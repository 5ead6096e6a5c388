/** Takes a file in: spools it, chooses its source, and starts its import as a job. */
import { randomUUID } from 'node:crypto'
import type { FileSource } from '../infra/catalog/import-sources.ts'
import type { NewImport } from '../infra/catalog/imports.ts'
import type { Notify } from '../infra/catalog/job-table.ts'
import { type Field, isField } from '../schemas/product.ts'
import { chooseSource } from './choose-source.ts'
import { editSource, isEditFile } from './edit-file.ts'
import type { FileKind } from './readers/table.ts'
import { openProductTable } from './rejects-file.ts'
import { spool } from './spool.ts'
import { TableError } from './table-error.ts'

export interface AcceptStore {
  /** Of files that the plan still keeps. */
  bytesLeft(workspace: string): Promise<number>
  fileSources(catalog: string): Promise<FileSource[]>
  /** How columns were mapped for the last import of a source. */
  lastMap(catalog: string, source: string): Promise<Readonly<Record<string, string>>>
  /** Import and job in one transaction, then the queue; a second file of a source waits for the first. */
  start(row: NewImport, notify: Notify | null): Promise<void>
}

export interface AcceptPorts {
  readonly store: AcceptStore
  readonly spoolFolder: string
  readonly maxUploadBytes: number
}

export interface Offer {
  readonly workspace: string
  readonly brand: string
  readonly catalog: string
  readonly by: string
  readonly fileName: string
  readonly kind: FileKind | undefined
  readonly source: string | undefined
  /** `COLUMN=field` */
  readonly map: readonly string[]
  /** What the file lacks is withdrawn. */
  readonly snapshot?: boolean
  /** Whether its end is told by mail. */
  readonly notify?: Notify | null
  readonly body: AsyncIterable<Uint8Array>
  /** Told the file's hash before anything is made of it; what it throws ends the offer. */
  readonly spooled?: (sha256: string) => void
}

/**
 * @returns the job's id
 * @throws TableError where the file cannot be an import at all; then nothing was started
 */
export async function accept(offer: Offer, ports: AcceptPorts): Promise<string> {
  const map = parseMap(offer.map)
  const kept = await spoolWithin(await ports.store.bytesLeft(offer.workspace), offer, ports)
  offer.spooled?.(kept.sha256)
  const table = await openProductTable(kept.path, offer.kind ? { kind: offer.kind } : {})
  const chosen = isEditFile(table.header)
    ? editSource
    : chooseSource(table.header, offer.source, await ports.store.fileSources(offer.catalog))
  const isWhole = !table.ofRejects && chosen !== editSource
  if (offer.snapshot && !isWhole)
    throw new TableError(
      'not_a_snapshot',
      'A file of rejects or of edits has some rows only; send it without mode=snapshot',
    )
  // The caller mapped the file that the rejects come from.
  const own = table.ofRejects && offer.map.length === 0
  const given = own ? await ports.store.lastMap(offer.catalog, chosen.source) : map
  const job = randomUUID()
  const row: NewImport = {
    id: randomUUID(),
    workspace: offer.workspace,
    brand: offer.brand,
    catalog: offer.catalog,
    job,
    source: chosen.source,
    fileName: offer.fileName,
    spool: kept.path,
    bytes: kept.bytes,
    sha256: kept.sha256,
    options: {
      ...{ map: given, sourceReason: chosen.reason },
      ...(offer.kind ? { kind: offer.kind } : {}),
      ...(offer.snapshot ? { snapshot: true } : {}),
      ...(table.ofRejects ? { rejects: true } : {}),
    },
    by: offer.by,
  }
  await ports.store.start(row, offer.notify ?? null)
  return job
}

/** @throws TableError PLAN_LIMIT where the plan, and not the server, is what is too small */
async function spoolWithin(bytesLeft: number, { body }: Offer, { spoolFolder, maxUploadBytes }: AcceptPorts) {
  const most = Math.min(maxUploadBytes, Math.max(0, bytesLeft))
  return spool(spoolFolder, body, most).catch((error: unknown) => {
    if (most === maxUploadBytes || !(error instanceof TableError) || error.code !== 'too_large') throw error
    throw new TableError('PLAN_LIMIT', `The plan keeps ${most} more bytes of files, and this one is larger`)
  })
}

function parseMap(pairs: readonly string[]): Record<string, Field> {
  const map: Record<string, Field> = {}
  for (const pair of pairs) {
    const at = pair.lastIndexOf('=')
    const [column, field] = [pair.slice(0, at).trim(), pair.slice(at + 1).trim()]
    if (at < 1 || !isField(field))
      throw new TableError(
        'bad_mapping',
        `"${pair}" maps nothing; write COLUMN=field, with a field such as sku, title or price.`,
      )
    map[column] = field
  }
  return map
}
