/** The rows of a file that the catalog knows, each with its product: a few are kept here, more of them in a table of the scratch. */
import type { Scratch, ScratchTable } from './scratch.ts'

/** The last says that the row would give the product its first SKU or options. */
export type KnownRow = readonly [seq: number, product: string, gives: boolean]

export interface KnownRows {
  add(rows: readonly KnownRow[]): Promise<void>
  /** Whether two of them are one product. */
  meet(): Promise<boolean>
  /** Those that are one product with another, a bit each; null where there are none. */
  met(): Promise<{ has(seq: number): boolean } | null>
  /** From now on all of them stand in the table `resolved`. */
  keepInTable(): Promise<void>
}

const few = 2_000
const twice = 'select product from resolved group by product having count(*) > 1'

export function openKnownRows(scratch: Scratch): KnownRows {
  let table: ScratchTable | null = null
  let kept: KnownRow[] = []
  const products = new Set<string>()

  async function keepInTable() {
    table ??= await scratch.table('resolved', [
      { name: 'seq', type: 'number' },
      { name: 'product', type: 'text' },
      { name: 'gives', type: 'number' },
    ])
    for (const [seq, product, gives] of kept) table.add([seq, product, gives ? 1 : 0])
    kept = []
    products.clear()
    table.flush()
  }

  async function meet() {
    if (!table) return products.size < kept.length
    await keepInTable()
    for await (const rows of scratch.stream(`${twice} limit 1`)) return rows.length > 0
    return false
  }

  return {
    async add(rows) {
      kept.push(...rows)
      if (table || kept.length > few) return keepInTable()
      for (const [, product] of rows) products.add(product)
    },
    meet,
    async met() {
      if (!(await meet())) return null
      await keepInTable()
      let bits = new Uint8Array(0)
      for await (const rows of scratch.stream(`select seq from resolved where product in (${twice}) order by seq desc`))
        for (const [seq] of rows as number[][]) {
          if (seq === undefined) continue
          if (bits.length === 0) bits = new Uint8Array((seq >> 3) + 1)
          bits[seq >> 3] = (bits[seq >> 3] ?? 0) | (1 << (seq & 7))
        }
      return { has: (seq) => ((bits[seq >> 3] ?? 0) & (1 << (seq & 7))) !== 0 }
    },
    keepInTable,
  }
}
