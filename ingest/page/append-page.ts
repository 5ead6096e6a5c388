/** Appends what a page says of its product: one record of source `url`, under the product that its identifiers lead to. */
import type { PoolClient } from 'pg'
import type { ImportRow } from '../../infra/catalog/imports.ts'
import type { OffsetRange } from '../../infra/log/port.ts'
import type { BronzeRecord, CellValue, Layers } from '../../schemas/pipeline.ts'
import { topics } from '../../schemas/topics.ts'
import { sameValue } from '../../transforms/bronze/cell-value.ts'
import { ownNames } from '../../transforms/own-context.ts'
import { afterRegister } from '../after-register.ts'
import { cleared } from '../cleared.ts'
import { type EditPorts, editRecord, ownFields } from '../edit.ts'
import { resolve } from '../identity.ts'
import { type JoinPorts, joinGroups, rememberGroups } from '../join-groups.ts'
import { recordOf } from '../record.ts'

/** The source of every page. */
export const pageSource = 'url'

export interface AppendPagePorts
  extends Pick<EditPorts, 'pool' | 'identities' | 'log' | 'inTransaction' | 'isUniqueViolation' | 'now'>,
    Omit<JoinPorts, 'identities'> {
  readonly layersOf: (catalog: string, product: string) => Promise<Layers | null>
  /** Whether the plan takes one more product. */
  readonly hasRoom: (workspace: string) => Promise<boolean>
}

export interface PageRecord {
  readonly cells: Readonly<Record<string, CellValue>>
  /** Place among the import's records. */
  readonly seq: number
  /** Number of the address, from 1. */
  readonly row: number
}

/** First and last statements of the append's transaction; the first also of the one before it, where there are two. */
export interface Around {
  before(tx: PoolClient): Promise<void>
  after(tx: PoolClient, product: string, range: OffsetRange): Promise<void>
}

/** A rival registers the same identifiers once; more collisions than this are a fault of ours. */
const maxTries = 5

/** @returns `ambiguous` where its identifiers lead to several products, `no_room` where the plan takes no new one */
export async function appendPage(
  scope: Pick<ImportRow, 'id' | 'workspace' | 'brand' | 'catalog' | 'source'>,
  { cells, seq, row }: PageRecord,
  { before, after }: Around,
  ports: AppendPagePorts,
): Promise<'appended' | 'ambiguous' | 'no_room'> {
  const ids = ownFields(cells)
  for (let tries = 1; ; tries++) {
    const candidate = { seq, rows: [row], kind: 'single', cells, ids } as const
    const resolution = await resolve([{ candidate, shared: null }], scope, ports.identities, false)
    const [one] = resolution.found
    if (!one || one.product === null) return 'ambiguous'
    if (one.fresh && !(await ports.hasRoom(scope.workspace))) return 'no_room'
    const layers = one.fresh ? null : await ports.layersOf(scope.catalog, one.product)
    const whole = { ...one, candidate: { ...candidate, cells: { ...saysNoMore(layers, cells), ...cells } } }
    const grouped = await joinGroups({ ...resolution, found: [whole] }, scope, ownNames, ports)
    const { insert, share, gain, beside = [] } = grouped
    const [placed] = grouped.found
    const product = placed?.product
    if (!placed || !product) return 'ambiguous'
    const at = ports.now().toISOString()
    const record = recordOf(placed, scope, 0, null, at)
    const by = { ...scope, by: 'assay' }
    const others = beside.map(({ id, sid, cells, says }) => ({ ...editRecord(by, id, sid, cells, says), at }))
    try {
      const register = async (tx: PoolClient) => {
        await before(tx)
        await ports.identities.insert(tx, scope.catalog, insert)
        await ports.identities.share(tx, scope.catalog, share)
        await ports.identities.gain(tx, scope.catalog, gain)
      }
      await afterRegister(ports, register, async (tx) => {
        if (!ports.log.transactional) await before(tx)
        if (others.length > 0) await ports.log.append(topics.bronze, others.map(keyed), tx)
        const [range] = await ports.log.append(topics.bronze, [keyed(record)], tx)
        if (!range) throw new Error('the log gave no offset')
        await after(tx, product, range)
      })
      rememberGroups(grouped, scope.source, ports)
      return 'appended'
    } catch (error) {
      if (!ports.isUniqueViolation(error) || tries === maxTries) throw error
    }
  }
}

const keyed = (record: BronzeRecord) => ({ key: record.product, value: JSON.stringify(record) })

/** A page is told whole: what it said before and says no more, such as a sale that is over, is gone. */
function saysNoMore(
  layers: Layers | null,
  cells: Readonly<Record<string, CellValue>>,
): Readonly<Record<string, CellValue>> {
  const former = layers?.layers.find(({ source }) => source === pageSource)
  if (former?.cells.link === undefined || cells.link === undefined || !sameValue(former.cells.link, cells.link))
    return {}
  return cleared(layers, pageSource, cells)
}
