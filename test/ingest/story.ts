/** What happens to one catalog of a running Assay: files, edits, deletions, undo; in the end its rows must be what its log says. */
import { expect } from 'vitest'
import type { ProductResource } from '../../serving/workspace/product-resource.ts'
import type { Answer, Ledger, Running } from '../running.ts'
import { differences } from '../verified.ts'
import { storedAndRefolded } from './refolded.ts'

export interface Story {
  readonly catalog: string
  ingest(file: string, query?: Record<string, string>): Promise<Ledger>
  products(): Promise<ProductResource[]>
  /** The one product that there is. */
  only(): Promise<ProductResource>
  create(body: object): Promise<Answer>
  /** Edits the one product. */
  patch(body: object): Promise<ProductResource>
  /** Deletes the one product. */
  remove(): Promise<void>
  undo(of: Ledger): Promise<void>
  redo(of: Ledger): Promise<void>
}

/** @returns a test that tells its story in a catalog of its own */
export function telling(assay: () => Running, tell: (story: Story) => Promise<void>): () => Promise<void> {
  return async () => {
    const story = await open(assay())
    await tell(story)
    const { stored, refolded } = await storedAndRefolded(assay().system, story.catalog)
    expect(stored).toEqual(refolded)
    const products = Object.keys(stored).length
    expect(await differences(assay().system, story.catalog)).toMatchObject({ compared: products, differing: [] })
  }
}

async function open(assay: Running): Promise<Story> {
  const path = `/api/workspace/${assay.workspace}/catalog/products`
  const catalog = await assay.newCatalog()
  const only = async () => {
    const found = await assay.products(catalog)
    expect(found).toHaveLength(1)
    return found[0] as ProductResource
  }
  return {
    catalog,
    only,
    products: () => assay.products(catalog),
    async ingest(file, query) {
      const { error, result } = await assay.ingest(catalog, file, query)
      expect(error).toBeNull()
      return result
    },
    create: (body) => assay.call('POST', path, { catalog_id: catalog, ...body }),
    async patch(body) {
      const answer = await assay.call('PATCH', `${path}/${(await only()).id}`, body)
      expect(answer.status, answer.text).toBe(200)
      return answer.body.product
    },
    async remove() {
      expect((await assay.call('DELETE', `${path}/${(await only()).id}`)).status).toBe(200)
    },
    undo: ({ importId }) => assay.change(importId, 'undo'),
    redo: ({ importId }) => assay.change(importId, 'redo'),
  }
}
