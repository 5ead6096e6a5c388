/** A dry run of redrives: the worker's own computation over records that stand on no log, with nothing committed. */
import type { DeadKind } from '../../schemas/dead-letter.ts'
import type { BronzeRecord } from '../../schemas/pipeline.ts'
import { topics } from '../../schemas/topics.ts'
import { computeBatch, UngradedError } from '../../transforms/batch.ts'
import { rubricVersion } from '../../transforms/gold/rubric.ts'
import type { RedrivenRecord } from '../../transforms/ports.ts'
import { letterOf, spelled } from '../../transforms/redrives.ts'
import type { KnownCategories } from '../../transforms/silver/taxonomy.ts'
import { products as topology } from '../../transforms/topology.ts'
import type { Catalog } from '../catalog/postgres.ts'
import { productStore } from '../catalog/product-store.ts'
import type { Log } from '../log/port.ts'
import type { LetterRecord } from './letter-records.ts'

export interface Trial {
  readonly created: number
  readonly updated: number
  readonly unchanged: number
  readonly stillDead: number
  /** Of those, by kind. */
  readonly reasons: Readonly<Partial<Record<DeadKind, number>>>
  readonly examples: readonly { readonly productId: string | null; readonly result: string; readonly reason?: string }[]
}

const none: Trial = { created: 0, updated: 0, unchanged: 0, stillDead: 0, reasons: {}, examples: [] }
const mostExamples = 20

interface Parts {
  readonly catalog: Catalog
  readonly log: Log
  readonly digest: (text: string) => string
  readonly taxonomy?: KnownCategories | undefined
}

export function openTrial({ catalog, log, ...asked }: Parts) {
  const store = productStore(catalog.pipeline, log, { group: topology.group, rubricVersion })

  /** What the sink would compute of them behind the end of the log. */
  async function compute(records: readonly BronzeRecord[]): Promise<readonly RedrivenRecord[]> {
    const ends = await log.ends(topics.bronze)
    const done: RedrivenRecord[] = []
    for (const [partition, some] of Map.groupBy(records, ({ product }) => log.partitionOf(product))) {
      const end = ends[partition] ?? 0
      const stored = some.map((record, i) => ({
        ...{ partition, offset: end + i, key: record.product },
        value: Buffer.from(JSON.stringify(record)),
      }))
      const batch = await computeBatch(topology, partition, end, stored, { store, ...asked, log }, false)
      done.push(...(batch.redriven ?? []))
    }
    return done
  }

  /** A product that cannot be graded spoils its batch: then each is computed alone. */
  async function computeEach(records: readonly BronzeRecord[]): Promise<readonly RedrivenRecord[]> {
    try {
      return await compute(records)
    } catch (error) {
      if (!(error instanceof UngradedError)) throw error
      const [only] = records
      if (records.length > 1) {
        const apart: RedrivenRecord[] = []
        for (const one of records) apart.push(...(await computeEach([one])))
        return apart
      }
      const letter = only && letterOf(only)
      if (!only || !letter) return []
      const failed = { reason: 'the catalog cannot store a value of it', as: 'unstorable' } as const
      return [{ letter, job: null, by: null, at: only.at, failed }]
    }
  }

  return async (found: readonly LetterRecord[], before: Trial | null) => {
    const records = found.flatMap(({ made }) => ('as' in made || 'event' in made ? [] : [made]))
    const done = await computeEach(records)
    let trial = before ?? none
    for (const { letter, made } of found) {
      const at = done.find((one) => spelled(one.letter) === spelled(letter))
      if ('event' in made) trial = withEffect(trial, null, 'created')
      // Another redrive may have brought it back meanwhile.
      const failed = 'as' in made ? made : at?.failed
      if (failed) trial = withDead(trial, productOf(letter, made), { ...failed, as: failed.as ?? letter.kind })
      else if (at && 'effect' in at) trial = withEffect(trial, productOf(letter, made), at.effect)
    }
    return trial
  }
}

function withEffect(trial: Trial, productId: string | null, effect: 'created' | 'updated' | 'unchanged'): Trial {
  return { ...withExample(trial, { productId, result: effect }), [effect]: trial[effect] + 1 }
}

function withDead(trial: Trial, productId: string | null, { reason, as }: { reason: string; as: DeadKind }): Trial {
  const reasons = { ...trial.reasons, [as]: (trial.reasons[as] ?? 0) + 1 }
  return { ...withExample(trial, { productId, result: 'dead', reason }), stillDead: trial.stillDead + 1, reasons }
}

const withExample = (trial: Trial, example: Trial['examples'][number]): Trial =>
  trial.examples.length < mostExamples ? { ...trial, examples: [...trial.examples, example] } : trial

/** The key of a tenant's message is the tenant's own. */
const productOf = ({ topic, key }: LetterRecord['letter'], made: LetterRecord['made']) =>
  'product' in made ? made.product : topic === topics.bronze ? key : null
