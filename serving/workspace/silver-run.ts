/** One batch run over silver: pages over what is stale, or over a selection, and counts what it did. */
import type { Stage } from '../../schemas/product.ts'
import type { ProductWrite } from '../../transforms/ports.ts'
import type { BatchRun } from './batch-answer.ts'
import type { GoldRequest } from './gold.ts'
import type { SilverResult, SilverSummary } from './silver.ts'

/** Over one catalog, which the caller has checked. */
export interface SilverPages {
  /** Ids of stale products in order. */
  stale(after: string | null, limit: number): Promise<string[]>
  /** Those of the products that are there. */
  stages(products: readonly string[]): Promise<readonly { readonly id: string; readonly stage: Stage }[]>
  refresh(
    products: readonly string[],
  ): Promise<{ readonly writes: readonly ProductWrite[]; readonly failed: readonly string[] }>
}

const pageRows = 500
const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i
const notThere = 'No such product in this catalog'
const unreadable = 'Its cells cannot be refined; it stays as it was'

export function silverRun(
  pages: SilverPages,
  what: GoldRequest,
  close: () => Promise<void>,
): BatchRun<SilverResult, SilverSummary> {
  const count = { refined: 0, changed: 0, current: 0, failed: 0 }

  async function refresh(products: readonly string[]): Promise<Map<string, SilverResult>> {
    const { writes, failed } = await pages.refresh(products)
    count.refined += writes.length
    count.changed += writes.filter(({ contentChanged }) => contentChanged).length
    count.failed += failed.length
    return new Map([
      ...writes.map(({ product, stage, contentChanged }): [string, SilverResult] => [
        product,
        { productId: product, status: 'success', stage, refined: true, changed: contentChanged },
      ]),
      ...failed.map((id): [string, SilverResult] => [id, { productId: id, status: 'error', error: unreadable }]),
    ])
  }

  async function* selection(asked: readonly string[]) {
    for (let i = 0; i < asked.length; i += pageRows) {
      const ids = asked.slice(i, i + pageRows)
      const known = ids.filter((id) => uuid.test(id)).map((id) => id.toLowerCase())
      const done = await refresh(known)
      const there = new Map((await pages.stages(known)).map(({ id, stage }) => [id, stage]))
      yield ids.map((id): SilverResult => {
        const result = done.get(id.toLowerCase())
        if (result) return { ...result, productId: id }
        const stage = there.get(id.toLowerCase())
        if (stage === undefined) {
          count.failed++
          return { productId: id, status: 'error', error: notThere }
        }
        count.current++
        return { productId: id, status: 'success', stage, refined: false, changed: false }
      })
    }
  }

  async function* all() {
    for (let after: string | null = null; ; ) {
      const ids: string[] = await pages.stale(after, pageRows)
      const last = ids.at(-1)
      if (last === undefined) return
      yield [...(await refresh(ids)).values()]
      after = last
    }
  }

  return {
    results: () => (what.scope === 'all' ? all() : selection([...new Set(what.productIds)])),
    summary: () => count,
    close,
  }
}
