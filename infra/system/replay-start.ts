/** Begins a replay: which catalogs and records it is of, the numbers of the settings that its shadow is made with, and its job. */
import { randomUUID } from 'node:crypto'
import type { PoolClient } from 'pg'
import type { ShadowSettings } from '../../schemas/settings.ts'
import { topics } from '../../schemas/topics.ts'
import type { ReplayRange } from '../../transforms/replay/range.ts'
import { products as topology } from '../../transforms/topology.ts'
import { isSame } from '../../transforms/versions/is-same.ts'
import { sinkPositions } from '../catalog/advance-position.ts'
import { brandNamed } from '../catalog/brands.ts'
import { findImport } from '../catalog/imports.ts'
import { insertJob, type JobRow, type Notify } from '../catalog/job-table.ts'
import type { Catalog } from '../catalog/postgres.ts'
import { catalogsToReplay, insertReplay, type Pace } from '../catalog/replays.ts'
import {
  findSettings,
  insertSettings,
  insertWeights,
  nextSettingsNumber,
  type WorkspaceSettings,
} from '../catalog/settings.ts'
import { lockWorkspace } from '../catalog/workspaces.ts'
import type { Jobs } from '../jobs.ts'
import type { Log } from '../log/port.ts'
import { requireStretches } from './require-stretches.ts'

export interface ReplayOrder {
  readonly workspace: string
  /** null: of all brands. */
  readonly brand: string | null
  /** null: all catalogs. */
  readonly catalog: string | null
  readonly range: ReplayRange
  readonly pace: Pace
  /** What the shadow is made with, given what is the workspace's. */
  readonly under: (present: ShadowSettings) => ShadowSettings
  readonly by: string
  readonly notify: Notify | null
}

export type ReplayStart = (order: ReplayOrder) => Promise<{ job: string; replay: string }>

/** Of the job. */
interface Input {
  readonly replay: string
  /** Where the sink was in each partition. */
  readonly below: readonly number[]
}

export const inputOf = (job: JobRow) => job.input as unknown as Input

interface Parts {
  readonly catalog: Catalog
  readonly log: Log
  readonly jobs: () => Jobs | null
}

export function openReplayStart({ catalog, log, jobs }: Parts): ReplayStart {
  const pool = catalog.pipeline

  const start: ReplayStart = async (order) => {
    const [id, job] = [randomUUID(), randomUUID()]
    const { workspace, brand, pace, by, notify } = order
    await requireStretches(order.range, pool, log.epoch)
    const range = await narrowed(order.range)
    const below = await sinkPositions(pool, topology.group, log.epoch, topics.bronze, log.partitions)
    await catalog.inTransaction(pool, async (tx) => {
      await lockWorkspace(tx, workspace)
      const present = await findSettings(tx, workspace)
      const owner = brand ?? (await brandNamed(tx, workspace, 'main'))
      const queue = jobs()
      if (!present || owner === null) throw new Error(`workspace ${workspace} is gone`)
      if (!queue) throw new Error('this process has no job queue')
      const catalogs = await catalogsToReplay(tx, order)
      const numbers = await numbered(tx, present, order)
      const one = catalogs.length === 1 ? (catalogs[0] ?? null) : null
      const input: Input = { replay: id, below }
      await insertReplay(tx, { ...{ id, workspace, brand, catalogs, job, range, pace, by }, ...numbers })
      await insertJob(tx, { id: job, workspace, brand: owner, catalog: one, kind: 'replay', input, by, notify })
      await queue.send('replay', job, tx)
    })
    return { job, replay: id }
  }

  /** The records of an import stand together, so that not all of the log need be read for them. */
  async function narrowed(range: ReplayRange): Promise<ReplayRange> {
    const stands = range.import === null || range.offsets ? null : (await findImport(pool, range.import))?.offsets
    if (!stands) return range
    const { epoch } = stands
    const offsets = stands.from.flatMap((from, partition) => {
      const to = stands.to[partition]
      return from === null || to === null || to === undefined ? [] : [{ epoch, partition, from, to }]
    })
    return { ...range, offsets }
  }

  return start
}

/** Numbers of their own for what is not the workspace's already. */
async function numbered(tx: PoolClient, present: WorkspaceSettings, { workspace, under, by }: ReplayOrder) {
  const { number, taxonomy, ...silver } = present.silver
  const files = taxonomy === undefined ? {} : { taxonomy }
  const last = present.pending ?? { number: present.weightsNumber, weights: present.weights }
  const wanted = under({ settings: silver, weights: last.weights })
  const former = { formerSettings: number, formerWeights: last.number }
  const numbers = { settings: number, weights: last.number }
  if (!isSame(wanted.settings, silver)) {
    numbers.settings = await nextSettingsNumber(tx, workspace)
    await insertSettings(tx, workspace, { ...wanted.settings, ...files, number: numbers.settings }, by)
  }
  if (!isSame([...wanted.weights], [...last.weights]))
    numbers.weights = await insertWeights(tx, workspace, wanted.weights, by)
  return { ...numbers, ...former }
}
