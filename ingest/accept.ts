/** Takes a file in: spools it, chooses its source, and starts its import as a job. */
import { randomUUID } from 'node:crypto'
import type { FileSource } from '../infra/catalog/import-sources.ts'
import type { NewImport } from '../infra/catalog/imports.ts'
import type { Notify } from '../infra/catalog/job-table.ts'
import { type Field, isField } from '../schemas/product.ts'
import { chooseSource } from './choose-source.ts'
import { editSource, isEditFile } from './edit-file.ts'
import type { EncodingName } from './encoding/names.ts'
import { defaultBounds } from './packing/bounds.ts'
import { type FileKind, openTable } from './readers/table.ts'
import { spool } from './spool.ts'
import { TableError } from './table-error.ts'

export interface AcceptStore {
  /** Of files that the plan still keeps. */
  bytesLeft(workspace: string): Promise<number>
  fileSources(catalog: string): Promise<FileSource[]>
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
  readonly encoding?: EncodingName | undefined
  readonly sheet?: string | undefined
  readonly source: string | undefined
  /** `COLUMN=field` */
  readonly map: readonly string[]
  /** Whether its end is told by mail. */
  readonly notify?: Notify | null
  readonly body: AsyncIterable<Uint8Array>
  /** Told the file's hash before anything is made of it; what it throws ends the offer. */
  readonly spooled?: (sha256: string) => void
}

type OfferedFile = Pick<Offer, 'workspace' | 'catalog' | 'source' | 'body' | 'spooled' | keyof Said>

/** What the caller says of how the file is read; the rest is found out. */
type Said = Pick<Offer, 'kind' | 'encoding' | 'sheet'>

export const saidOf = ({ kind, encoding, sheet }: Said) => ({
  ...(kind ? { kind } : {}),
  ...(encoding ? { encoding } : {}),
  ...(sheet === undefined ? {} : { sheet }),
})

/**
 * @returns the job's id
 * @throws TableError where the file cannot be an import at all; then nothing was started
 */
export async function accept(offer: Offer, ports: AcceptPorts): Promise<string> {
  const map = parseMap(offer.map)
  const { kept, chosen } = await takeIn(offer, ports)
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
    options: { map, sourceReason: chosen.reason, ...saidOf(offer) },
    by: offer.by,
  }
  await ports.store.start(row, offer.notify ?? null)
  return job
}

/** Keeps the file and tells whose it is. */
export async function takeIn(offer: OfferedFile, ports: AcceptPorts) {
  const kept = await spoolWithin(await ports.store.bytesLeft(offer.workspace), offer, ports)
  offer.spooled?.(kept.sha256)
  const bounds = { ...defaultBounds, mostBytes: ports.maxUploadBytes }
  const table = await openTable(kept.path, { ...saidOf(offer), bounds })
  const chosen = isEditFile(table.header)
    ? editSource
    : chooseSource(table.header, offer.source, await ports.store.fileSources(offer.catalog))
  return { kept, chosen }
}

/** @throws TableError PLAN_LIMIT where the plan, and not the server, is what is too small */
async function spoolWithin(
  bytesLeft: number,
  { body }: Pick<Offer, 'body'>,
  { spoolFolder, maxUploadBytes }: AcceptPorts,
) {
  const most = Math.min(maxUploadBytes, Math.max(0, bytesLeft))
  return spool(spoolFolder, body, most).catch((error: unknown) => {
    if (most === maxUploadBytes || !(error instanceof TableError) || error.code !== 'too_large') throw error
    throw new TableError('PLAN_LIMIT', `The plan keeps ${most} more bytes of files, and this one is larger`)
  })
}

/** @throws TableError `bad_mapping` */
export function parseMap(pairs: readonly string[]): Record<string, Field> {
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
