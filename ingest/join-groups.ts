/** Puts the products of messages and pages into the groups that they name, and a product whose SKU names a group in the place of its parent, as the rows of a file. */
import type { ImportContext } from '../schemas/pipeline.ts'
import type { ProductKind } from '../schemas/product.ts'
import { isClear } from '../transforms/bronze/cell-value.ts'
import type { Candidate } from './candidate.ts'
import type { EditPorts } from './edit.ts'
import type { PresentProduct } from './edit-rows.ts'
import type { Known } from './group-of.ts'
import { identifying } from './identifiers.ts'
import type { Resolution, ResolveScope } from './identity.ts'
import { withKnownGroups } from './known-groups.ts'
import { type GroupPorts, type GroupReading, withGroups } from './named-groups.ts'

export interface JoinPorts extends GroupPorts {
  readonly exists: EditPorts['exists']
  readonly present: (catalog: string, products: readonly string[]) => Promise<ReadonlyMap<string, PresentProduct>>
  readonly kindsOf: (catalog: string, products: readonly string[]) => Promise<ReadonlyMap<string, ProductKind>>
  /** What has just been made of a product: until the sink has it, `known` answers so, and nobody waits. */
  readonly remember: (product: string, known: Known) => void
}

export async function joinGroups(
  resolution: Resolution,
  scope: ResolveScope,
  mapping: ImportContext['mapping'],
  ports: JoinPorts,
): Promise<Resolution> {
  const { catalog } = scope
  const present = (products: readonly string[]) => ports.present(catalog, products)
  const columns = Object.keys(mapping).filter((column) => mapping[column]?.field === 'item_group_id')
  const named = namesGroup(columns)
  const known = await withKnownGroups(resolution, scope, ports.identities, present, false, named)
  const speaking = known.found.flatMap(({ product, fresh, candidate }) =>
    product === null || fresh || named(candidate) === undefined ? [] : product,
  )
  const kinds = await ports.kindsOf(catalog, speaking)
  const reading: GroupReading = {
    named,
    columns,
    kindOf: (product) => kinds.get(product),
    skuOf: ({ ids }) => ids.sku,
    texts: ({ cells }) =>
      Object.fromEntries(
        Object.entries(cells).flatMap(([column, cell]) => (mapping[column] ? [[mapping[column].field, cell]] : [])),
      ),
    atOnce: false,
  }
  return withGroups(known, scope, reading, ports)
}

const namesGroup =
  (columns: readonly string[]) =>
  ({ cells }: Candidate): string | null | undefined => {
    for (const column of columns) {
      const cell = cells[column]
      if (cell === undefined) continue
      if (isClear(cell)) return null
      const name = identifying(cell)
      if (name !== null) return name
    }
    return undefined
  }

/** Batches follow each other faster than the sink: a group goes on in the next one. */
export function rememberGroups(
  { found, beside = [] }: Resolution,
  source: string,
  { remember }: Pick<JoinPorts, 'remember'>,
): void {
  const at = { epoch: 0, rev: 0 }
  for (const { product, sid, says, candidate } of found) {
    if (product === null || !says) continue
    const { kind, family = null } = says
    const layer = { source, live: true, created: false, cells: candidate.cells, from: [], by: {} }
    remember(product, { alive: true, sid, layers: { kind, family, ...at, layers: [layer] } })
  }
  for (const { id, sid, says } of beside)
    remember(id, { alive: true, sid, layers: { kind: says.kind, family: says.family ?? null, ...at, layers: [] } })
}
