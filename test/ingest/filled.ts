/** Files imported one after another into a catalog of their own, and what came of them. */
import { expect } from 'vitest'
import type { ProductResource } from '../../serving/workspace/product-resource.ts'
import type { Running } from '../running.ts'

export type File = string | Buffer | readonly [file: string | Buffer, source: string]

export const table = (...rows: string[]) => `${rows.join('\n')}\n`

/** Products come in order of SKU, else of title. */
export async function filled(assay: Running, ...files: File[]) {
  const catalog = await assay.newCatalog()
  const results = []
  for (const file of files) {
    const [bytes, source] = typeof file === 'string' || Buffer.isBuffer(file) ? [file, undefined] : file
    const { status, result, error } = await assay.ingest(catalog, bytes, source === undefined ? {} : { source })
    expect({ status, error }).toEqual({ status: 'completed', error: null })
    results.push(result)
  }
  return { catalog, results, products: sorted(await assay.products(catalog)) }
}

const sorted = (products: readonly ProductResource[]) =>
  products.toSorted((a, b) => String(a.sku ?? a.title).localeCompare(String(b.sku ?? b.title)))
