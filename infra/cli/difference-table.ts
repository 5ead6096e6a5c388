/** Products that differ as a table for a terminal: which, at which step, and both values cut to what fits a line. */
import { grouped } from './progress.ts'
import { table } from './table.ts'

export interface ShownDifference {
  readonly productId: string
  readonly sku: string | null
  readonly step: string
  readonly at: string
  readonly stored: unknown
  readonly computed: unknown
}

/** Differences that are shown, and characters of each of their values; --json has what the job has. */
const shown = 20
const mostCharacters = 40

/** @param all how many differ @returns nothing where there is none */
export function differenceTable(examples: readonly ShownDifference[], all: number): string[] {
  if (examples.length === 0) return []
  const heads = ['product', 'sku', 'step', 'at', 'stored', 'computed']
  const rows = examples.slice(0, shown).map(({ productId, sku, step, at, stored, computed }) => {
    return [productId, sku ?? '-', step, at, cut(stored), cut(computed)]
  })
  return [table([heads, ...rows]), ...(all > shown ? [`… and ${grouped(all - shown)} more`] : [])]
}

function cut(value: unknown): string {
  const text = JSON.stringify(value)
  return text.length > mostCharacters ? `${text.slice(0, mostCharacters - 1)}…` : text
}
