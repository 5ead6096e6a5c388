/** What Atom says of an entry where a product says the same otherwise: an id of the entry, and the address of its page. */
import type { CellValue } from '../../../schemas/pipeline.ts'
import type { Cells } from './flatten.ts'

/** @param google prefixes of the elements that are the product's */
export function atomEntry(cells: Cells, google: ReadonlySet<string>): void {
  ownId(cells, google)
  pageAddress(cells)
}

const isThere = (cell: CellValue | undefined) => [cell ?? ''].flat().some((text) => text.trim() !== '')

/** Atom asks every entry for an id, which is often an address: where the product has one of its own, that is the id. */
function ownId(cells: Cells, google: ReadonlySet<string>): void {
  const own = [...google].map((prefix) => `${prefix}:id`).find((column) => isThere(cells.get(column)))
  if (own === undefined) return
  const entry = cells.get('id')
  cells.set('id', cells.get(own) ?? '')
  cells.delete(own)
  if (entry !== undefined) cells.set('entry.id', entry)
}

/** The one that is no address of anything else. */
function pageAddress(cells: Cells): void {
  if (isThere(cells.get('link'))) return
  const addresses = [cells.get('link.@href') ?? []].flat()
  const relations = [cells.get('link.@rel') ?? []].flat()
  const at = addresses.findIndex((_, i) => ['', 'alternate'].includes(relations[i] ?? ''))
  const address = addresses[at]
  if (address !== undefined) cells.set('link', address)
}
