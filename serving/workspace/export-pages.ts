/** A catalog as an export reads it: by key pages, each a transaction of its own, so that a slow reader holds nothing back. */
import type { PoolClient } from 'pg'
import { type ExportedRow, exportPageRows, workingPage } from '../../infra/catalog/export-queries.ts'
import { publishedPage } from '../../infra/catalog/feed-queries.ts'
import { type ExportRow, exportRow } from '../../transforms/versions/export-row.ts'

type InTenant = <T>(work: (tx: PoolClient) => Promise<T>) => Promise<T>

/**
 * Of the working catalog every product is read once, as it is when its page is; a version does not change.
 * @param version null: the working catalog
 * @param isGone whether nobody reads any more
 */
export async function* exportPages(
  inTenant: InTenant,
  catalog: string,
  version: number | null,
  isGone: () => boolean,
): AsyncGenerator<readonly ExportRow[]> {
  const read = (after: string | null) =>
    inTenant((tx) =>
      version === null ? workingPage(tx, catalog, after, exportPageRows) : versionPage(tx, catalog, version, after),
    )
  let page = await read(null)
  while (page.length > 0 && !isGone()) {
    // The next page is on its way while this one is written.
    const next = page.length < exportPageRows ? null : read(page.at(-1)?.id ?? null)
    next?.catch(() => {})
    yield page.map(exportRow)
    page = next === null ? [] : await next
  }
}

async function versionPage(
  tx: PoolClient,
  catalog: string,
  version: number,
  after: string | null,
): Promise<ExportedRow[]> {
  const rows = await publishedPage(tx, catalog, version, after, exportPageRows)
  return rows.map(({ id, content: { kind, family, product } }) => ({ id, kind, family, product }))
}
