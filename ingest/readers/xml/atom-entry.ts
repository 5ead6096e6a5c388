/** Atom's own link is an attribute: the address of the page is the link that is none to anything else. */
import type { Cells } from './flatten.ts'

export function atomLink(cells: Cells): void {
  if ([cells.get('link') ?? ''].flat().some((text) => text.trim() !== '')) return
  const addresses = [cells.get('link.@href') ?? []].flat()
  const relations = [cells.get('link.@rel') ?? []].flat()
  const at = addresses.findIndex((_, i) => ['', 'alternate'].includes(relations[i] ?? ''))
  const address = addresses[at]
  if (address !== undefined) cells.set('link', address)
}
