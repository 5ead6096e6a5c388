/** Leaves out of a feed of ours what its product has by default, and options that it has under other names: a feed says these as if a file had, and in its own words. */
import { type CellValue, type ImportContext, optionsColumn, type SilverSettings } from '../schemas/pipeline.ts'
import type { RefinedProduct } from '../schemas/product.ts'
import { jsonObject, optionField } from '../transforms/silver/variants.ts'
import type { PresentProduct } from './edit-rows.ts'
import type { Resolution } from './identity.ts'

type Present = (ids: readonly string[]) => Promise<ReadonlyMap<string, PresentProduct>>
type Cells = Readonly<Record<string, CellValue>>

/** What the settings can say where no source does. */
export type Defaults = Pick<SilverSettings, 'linkTemplate' | 'condition'>

/** Only products of which something may be left out are looked up. */
export function withoutKnown(
  { mapping }: Pick<ImportContext, 'mapping'>,
  present: Present,
  settings: () => Promise<Defaults>,
): (resolution: Resolution) => Promise<Resolution> {
  return async (resolution) => {
    const { linkTemplate, condition } = await settings()
    const columns = Object.entries(mapping).flatMap(([column, { field }]) =>
      (field === 'link' && linkTemplate !== null) || (field === 'condition' && condition !== null)
        ? [[column, field] as const]
        : [],
    )
    const saysAny = (cells: Cells) => optionsColumn in cells || columns.some(([column]) => cells[column] !== undefined)
    const asked = resolution.found.filter(
      ({ product, fresh, candidate }) => product !== null && !fresh && saysAny(candidate.cells),
    )
    if (asked.length === 0) return resolution
    const there = await present(asked.map(({ product }) => product ?? ''))
    const found = resolution.found.map((one) => {
      const known = there.get(one.product ?? '')?.product
      if (!known) return one
      const cells: Record<string, CellValue> = { ...one.candidate.cells }
      for (const [column, field] of columns)
        if (known.defaulted.includes(field) && cells[column] === known[field]) delete cells[column]
      if (saysSame(cells[optionsColumn], known)) delete cells[optionsColumn]
      return { ...one, candidate: { ...one.candidate, cells } }
    })
    return { ...resolution, found }
  }
}

/** Feeds have options by the attributes that they are of, and not all of them. */
function saysSame(cell: CellValue | undefined, { options }: RefinedProduct): boolean {
  if (typeof cell !== 'string' || Object.keys(options).length === 0) return false
  const own = Object.entries(options).map(([name, value]) => `${optionField(name) ?? name}=${value}`)
  const said = Object.entries(jsonObject(cell) ?? {})
  return said.length > 0 && said.every(([name, value]) => own.includes(`${optionField(name) ?? name}=${value}`))
}
