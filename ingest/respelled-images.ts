/** Gives addresses of images that a feed of ours has spelled otherwise back as the product has them: some platforms take a comma as `%2C` alone. */
import type { CellValue, ImportContext } from '../schemas/pipeline.ts'
import type { PresentProduct } from './edit-rows.ts'
import type { Resolution } from './identity.ts'

type Present = (ids: readonly string[]) => Promise<ReadonlyMap<string, PresentProduct>>
type Cells = Readonly<Record<string, CellValue>>

const encodedComma = /%2C/gi
const withCommas = (address: string) => address.replaceAll(encodedComma, ',')
const textOf = (cell: CellValue | undefined) => (typeof cell === 'string' ? cell : (cell ?? []).join())

/** Only products with such an address are looked up: few files have any. */
export function respelledImages(
  { mapping }: Pick<ImportContext, 'mapping'>,
  present: Present,
): (resolution: Resolution) => Promise<Resolution> {
  const columns = Object.keys(mapping).filter((column) => /^images?$/.test(mapping[column]?.field ?? ''))
  const encodedIn = (cells: Cells) => columns.filter((column) => /%2C/i.test(textOf(cells[column])))
  return async (resolution) => {
    const asked = resolution.found.filter(
      ({ product, fresh, candidate }) => product !== null && !fresh && encodedIn(candidate.cells).length > 0,
    )
    if (asked.length === 0) return resolution
    const there = await present(asked.map(({ product }) => product ?? ''))
    const found = resolution.found.map((one) => {
      const known = there.get(one.product ?? '')
      if (!known) return one
      const own = new Map(known.product.images.map((address) => [withCommas(address), address]))
      const cells: Record<string, CellValue> = { ...one.candidate.cells }
      for (const column of encodedIn(cells)) cells[column] = respelled(cells[column] ?? '', own)
      return { ...one, candidate: { ...one.candidate, cells } }
    })
    return { ...resolution, found }
  }
}

/** In a text commas part the addresses, since none is in them; addresses with commas again can only be a list. */
function respelled(cell: CellValue, own: ReadonlyMap<string, string>): CellValue {
  const addresses = typeof cell === 'string' ? cell.split(',').map((address) => address.trim()) : cell
  const spelled = addresses.map((address) => own.get(withCommas(address)) ?? address)
  if (spelled.every((address, n) => address === addresses[n])) return cell
  return typeof cell === 'string' && spelled.length === 1 ? (spelled[0] ?? cell) : spelled
}
