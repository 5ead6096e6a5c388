/** The row that a product's state becomes, graded where it has a score. */
import { feedProduct } from '../schemas/feeds/feed-product.ts'
import type { BronzeRecord, SilverSettings } from '../schemas/pipeline.ts'
import { isOfJoined, movedIn } from './bronze/joined.ts'
import type { Moving } from './moving.ts'
import type { ProductWrite } from './ports.ts'
import { minorUnits } from './silver/currency.ts'
import type { ProductTopology } from './topology.ts'

/** Of a product's first record, or of its row: whose it is. */
type Owner = Pick<BronzeRecord, 'workspace' | 'brand' | 'catalog' | 'product' | 'sid' | 'at' | 'by' | 'create'>

export interface Written extends Pick<Moving, 'before' | 'state' | 'contentChanged' | 'moved'> {
  readonly first: Owner
  readonly last: Pick<BronzeRecord, 'at'>
}

export function writeOf(
  { before, state, first, last, contentChanged, moved }: Written,
  grade: ProductTopology['grade'],
  settingsOf: (workspace: string) => SilverSettings,
): ProductWrite {
  const settings = settingsOf(first.workspace)
  if (!state || (!state.product && settings.autoSilver !== false))
    throw new Error(`product ${first.product} was not refined`)
  const { layers, product: refined, alive, content } = state
  const scored = alive && layers.kind !== 'parent'
  const graded = scored && refined !== null && settings.autoGold !== false
  return {
    workspace: first.workspace,
    brand: first.brand,
    catalog: first.catalog,
    product: first.product,
    sid: before?.sid ?? first.sid,
    expected: before?.rev ?? null,
    kind: layers.kind,
    family: layers.family,
    joined: isOfJoined(layers),
    movedIn: movedIn(before, state),
    stage: refined === null ? 'bronze' : graded ? 'gold' : 'silver',
    alive,
    layers,
    content,
    contentChanged,
    settings: settings.number,
    createdAt: before?.createdAt ?? first.at,
    createdBy: first.create ? (first.by ?? null) : null,
    updatedAt: moved ? last.at : (before?.updatedAt ?? last.at),
    refined,
    priceMinor: refined === null || refined.price === null ? null : minorUnits(refined.price, refined.currency),
    grade: graded ? grade(feedProduct(refined, first.product, layers.kind, last.at), layers.kind) : null,
    keepsScore: scored && !graded,
    formerSub: before?.sub ?? null,
    gradedAt: last.at,
  }
}
