/** Takes a file in: spools it, chooses its source, and starts its import as a job. */
import { randomUUID } from 'node:crypto'
import { link, utimes } from 'node:fs/promises'
import { join } from 'node:path'
import type { FileSource } from '../infra/catalog/import-sources.ts'
import type { NewImport } from '../infra/catalog/imports.ts'
import type { Notify } from '../infra/catalog/job-table.ts'
import type { PreviewRow } from '../infra/catalog/previews.ts'
import type { PipelineSettings } from '../schemas/settings.ts'
import { parseMap } from './column-map.ts'
import { editSource } from './edit-file.ts'
import { howToRead, type Said, saidOf } from './how-to-read.ts'
import { defaultBounds } from './packing/bounds.ts'
import { openProductTable, type ProductTable } from './rejects-file.ts'
import { sourceOf } from './source-of.ts'
import { spool } from './spool.ts'
import { TableError } from './table-error.ts'

export interface AcceptStore {
  /** Of files that the plan still keeps. */
  bytesLeft(workspace: string): Promise<number>
  fileSources(catalog: string): Promise<FileSource[]>
  settings(workspace: string): Promise<PipelineSettings>
  /** How columns were mapped for the last import of a source. */
  lastMap(catalog: string, source: string): Promise<Readonly<Record<string, string>>>
  /**
   * Import and job in one transaction, then the queue; a second file of a source waits for the first.
   * @returns the job: that of the first who asked where an origin has become an import before
   */
  start(row: NewImport, notify: Notify | null, origin: Origin | null): Promise<string>
  startPreview(row: NewImport, notify: Notify | null): Promise<void>
}

export interface AcceptPorts {
  readonly store: AcceptStore
  readonly spoolFolder: string
  readonly maxUploadBytes: number
}

/** Where a file lay before; it becomes one import, however often it is asked for. */
export interface Origin {
  readonly kind: 'preview' | 'upload'
  readonly id: string
  /** What the plan counts of it already. */
  readonly bytes: number
}

export interface Wanted extends Said {
  readonly by: string
  readonly source: string | undefined
  /** `COLUMN=field` */
  readonly map: readonly string[]
  /** What the file lacks is withdrawn. */
  readonly snapshot?: boolean
  /** Whether its end is told by mail. */
  readonly notify?: Notify | null
  /** Told the file's hash before anything is made of it; what it throws ends the offer. */
  readonly spooled?: (sha256: string) => void
}

export interface Offer extends Wanted {
  readonly workspace: string
  readonly brand: string
  readonly catalog: string
  readonly fileName: string
  readonly body: AsyncIterable<Uint8Array>
  readonly origin?: Origin
}

/**
 * @returns the job's id
 * @throws TableError where the file cannot be an import at all; then nothing was started
 */
export async function accept(offer: Offer, ports: AcceptPorts): Promise<string> {
  const { row } = await receive(offer, ports, randomUUID())
  return ports.store.start(row, offer.notify ?? null, offer.origin ?? null)
}

/**
 * Spools a file and reads as much of it as tells whose it is.
 * @param name of the file in the spool, where it is not kept under its hash
 */
export async function receive(
  offer: Offer,
  ports: AcceptPorts,
  id: string,
  name?: string,
): Promise<{ row: NewImport; table: ProductTable }> {
  const map = parseMap(offer.map)
  const { kept, table, chosen } = await takeIn(offer, ports, name)
  const isWhole = !table.ofRejects && chosen.source !== editSource.source
  if (offer.snapshot && !isWhole)
    throw new TableError(
      'not_a_snapshot',
      'A file of rejects or of edits has some rows only; send it without mode=snapshot',
    )
  // The caller mapped the file that the rejects come from.
  const own = table.ofRejects && offer.map.length === 0
  const given = own ? await ports.store.lastMap(offer.catalog, chosen.source) : map
  const row: NewImport = {
    id,
    workspace: offer.workspace,
    brand: offer.brand,
    catalog: offer.catalog,
    job: randomUUID(),
    source: chosen.source,
    fileName: offer.fileName,
    spool: kept.path,
    bytes: kept.bytes,
    sha256: kept.sha256,
    options: {
      ...{ map: given, sourceReason: chosen.reason },
      ...saidOf(offer),
      ...(table.found ? { found: table.found } : {}),
      ...(offer.snapshot ? { snapshot: true } : {}),
      ...(table.ofRejects ? { rejects: true } : {}),
    },
    by: offer.by,
  }
  return { row, table }
}

/** Keeps the file and tells whose it is. */
export async function takeIn(
  offer: Pick<Offer, 'workspace' | 'catalog' | 'source' | 'body' | 'spooled' | 'origin' | keyof Said>,
  ports: AcceptPorts,
  name?: string,
) {
  const kept = await spoolWithin(await ports.store.bytesLeft(offer.workspace), offer, ports, name)
  offer.spooled?.(kept.sha256)
  const table = await openProductTable(kept.path, { ...saidOf(offer), bounds: boundsOf(ports) })
  return { kept, table, chosen: await sourceOf(table.header, offer, ports.store) }
}

/** What a packed file may hold: as much as a file that is sent unpacked. */
const boundsOf = ({ maxUploadBytes }: AcceptPorts) => ({ ...defaultBounds, mostBytes: maxUploadBytes })

/**
 * Imports a file as it was previewed, but for what is asked otherwise.
 * @returns null where the file is kept no longer
 */
export async function acceptPreviewed(
  { importJob, ...preview }: PreviewRow,
  wanted: Wanted,
  ports: AcceptPorts,
): Promise<string | null> {
  wanted.spooled?.(preview.sha256)
  if (importJob !== null) return importJob
  // What was found holds for what was said then.
  const { found, ...before } = howToRead(preview.options)
  const now = saidOf(wanted)
  const said = { ...before, ...now, ...(found && Object.keys(now).length === 0 ? { found } : {}) }
  const { found: _found, ...options } = preview.options
  const spooled = join(ports.spoolFolder, preview.sha256)
  if (!(await linked(preview.spool, spooled))) return null
  const map = wanted.map.length > 0 ? parseMap(wanted.map) : (preview.options.map ?? {})
  const chosen = { source: preview.source, reason: preview.options.sourceReason ?? '' }
  const { source, reason } =
    wanted.source === undefined
      ? chosen
      : await sourceOf(
          (await openProductTable(spooled, { ...said, bounds: boundsOf(ports) })).header,
          { ...preview, ...wanted },
          ports.store,
        )
  const row: NewImport = {
    ...preview,
    id: randomUUID(),
    job: randomUUID(),
    source,
    spool: spooled,
    options: { ...options, map, sourceReason: reason, ...said },
    by: wanted.by,
  }
  const origin = { kind: 'preview', id: preview.id, bytes: preview.bytes } as const
  return ports.store.start(row, wanted.notify ?? null, origin)
}

/** The same bytes under their hash: no byte is copied, and the preview's own name may go when it must. */
async function linked(from: string, to: string): Promise<boolean> {
  try {
    await link(from, to)
    // Of now, as if it had just been sent: whoever removes what no import has leaves it alone.
    await utimes(to, new Date(), new Date())
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'ENOENT') return false
    if (code !== 'EEXIST') throw error
  }
  return true
}

/** @throws TableError PLAN_LIMIT where the plan, and not the server, is what is too small */
async function spoolWithin(
  bytesLeft: number,
  { body, origin }: Pick<Offer, 'body' | 'origin'>,
  { spoolFolder, maxUploadBytes }: AcceptPorts,
  name: string | undefined,
) {
  const most = Math.min(maxUploadBytes, Math.max(0, bytesLeft + (origin?.bytes ?? 0)))
  return spool(spoolFolder, body, most, name).catch((error: unknown) => {
    if (most === maxUploadBytes || !(error instanceof TableError) || error.code !== 'too_large') throw error
    throw new TableError('PLAN_LIMIT', `The plan keeps ${most} more bytes of files, and this one is larger`)
  })
}
