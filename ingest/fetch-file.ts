/** Fetches the file of an import from the address that was given in its place, within the bounds of an upload. */
import type { Fetched, ImportRow, NewImport } from '../infra/catalog/imports.ts'
import type { Answer, Egress } from '../infra/egress/open-egress.ts'
import { type AcceptPorts, takeIn } from './accept.ts'
import { howToRead } from './how-to-read.ts'
import { TableError } from './table-error.ts'

/** As long as an upload may take. */
const withinMs = 4 * 3_600_000

export type FetchedFile = Pick<NewImport, 'source' | 'spool' | 'bytes' | 'sha256' | 'options'>

/** @throws TableError or EgressError where there is no such file, or none that can be an import */
export async function fetchFile(
  row: ImportRow,
  { accept, egress }: { accept: AcceptPorts; egress: Pick<Egress, 'ask'> },
  signal: AbortSignal,
): Promise<FetchedFile> {
  const { workspace, catalog, options } = row
  if (!options.fetch) throw new Error(`import ${row.id} has no file and no address of one`)
  const { url, source } = options.fetch
  return egress.ask(url, { maxBytes: accept.maxUploadBytes, withinMs, signal }, async (answer) => {
    const { status, body } = answer
    if (status !== 200) throw new TableError('http_status', `The host answered ${status} in place of the file.`)
    const offer = { workspace, catalog, ...howToRead(options), source: source ?? undefined, body }
    const { kept, chosen } = await takeIn(offer, accept)
    return {
      ...{ source: chosen.source, spool: kept.path, bytes: kept.bytes, sha256: kept.sha256 },
      options: { ...options, sourceReason: chosen.reason, fetched: fetchedFrom(answer) },
    }
  })
}

function fetchedFrom({ url, headers }: Answer): Fetched {
  const { etag = null, 'last-modified': lastModified = null } = headers
  return { url: `${url.origin}${url.pathname}`, etag, lastModified }
}

/** For people: where a file came from, and which state of it. */
export function fetchedNote({ url, etag, lastModified }: Fetched): string {
  const states = [...(etag ? [`ETag ${etag}`] : []), ...(lastModified ? [`last modified ${lastModified}`] : [])]
  return [`The file was fetched from ${url}`, ...states].join(', ')
}

/** The name that an address gives its file. */
export const fileNameOf = (url: URL) => url.pathname.split('/').findLast((part) => part !== '') ?? url.hostname
