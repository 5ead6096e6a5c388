/** The row that a product's state becomes, graded where it has a score. */
import type { SilverSettings } from '../schemas/pipeline.ts'
import type { Moving } from './batch.ts'
import type { ProductWrite } from './ports.ts'
import { minorUnits } from './silver/currency.ts'
import type { ProductTopology } from './topology.ts'

export function writeOf(
  { before, state, first, last, contentChanged }: Moving,
  grade: ProductTopology['grade'],
  settingsOf: (workspace: string) => SilverSettings,
): ProductWrite {
  if (!state?.product) throw new Error(`product ${first.product} was not refined`)
  const { layers, product: refined, alive, content } = state
  const settings = settingsOf(first.workspace)
  const graded = alive && layers.kind !== 'parent'
  const feed = { id: refined.sku ?? first.product, itemGroupId: refined.itemGroupId, product: refined }
  return {
    workspace: first.workspace,
    brand: first.brand,
    catalog: first.catalog,
    product: first.product,
    sid: before?.sid ?? first.sid,
    expected: before?.rev ?? null,
    kind: layers.kind,
    family: layers.family,
    stage: graded ? 'gold' : 'silver',
    alive,
    layers,
    content,
    contentChanged,
    settings: settings.number,
    createdAt: before?.createdAt ?? first.at,
    updatedAt: contentChanged ? last.at : (before?.updatedAt ?? last.at),
    refined,
    priceMinor: refined.price === null ? null : minorUnits(refined.price, refined.currency),
    grade: graded ? grade(feed, layers.kind) : null,
    formerSub: before?.sub ?? null,
    gradedAt: last.at,
  }
}
