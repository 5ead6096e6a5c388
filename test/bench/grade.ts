/** `npm run bench grade [products]`: products a second on one core from a record to its score, step by step, over real rows; reading the same record and copying its cells is the baseline. */
import { hash } from 'node:crypto'
import { table } from '../../infra/cli/table.ts'
import type { BronzeRecord, MergedFields, SilverSettings } from '../../schemas/pipeline.ts'
import type { RefinedProduct } from '../../schemas/product.ts'
import { defaultSettings } from '../../schemas/settings.ts'
import { contentKey } from '../../transforms/bronze/content.ts'
import { decodeRecord } from '../../transforms/bronze/decode.ts'
import { fold } from '../../transforms/bronze/merge.ts'
import { mergedFields } from '../../transforms/bronze/merged-fields.ts'
import { grade } from '../../transforms/gold/grade.ts'
import { ownContext } from '../../transforms/own-context.ts'
import { refine } from '../../transforms/silver/refine.ts'
import { type RealRecords, realRecords } from './real-records.ts'

const barPerSecond = 40_000

/** One product on its way, with what each step had to start from. */
interface Case {
  readonly bytes: Buffer
  readonly record: BronzeRecord
  readonly fields: MergedFields
  readonly refined: RefinedProduct
}

export interface Measured {
  readonly step: string
  readonly perSecond: number
  readonly bytes: number
}

const position = { epoch: 1, partition: 0, offset: 1 }
const at = '2026-11-28T12:00:00.000Z'
const settings: SilverSettings = { ...defaultSettings, number: 1 }

function stepsOver({ contexts }: RealRecords) {
  const context = (id: number) => (id === 0 ? ownContext : contexts.get(id))
  const merge = (record: BronzeRecord) => mergedFields(fold(null, record, position), context, settings)
  const refined = (fields: MergedFields, { kind }: BronzeRecord) => refine(fields, kind, context, settings).product
  const graded = (product: RefinedProduct, { kind, product: id }: BronzeRecord) =>
    grade({ id: product.sku ?? id, itemGroupId: product.itemGroupId, product, at }, kind)
  const digest = (product: RefinedProduct, kind: BronzeRecord['kind']) =>
    hash('sha256', contentKey(product, kind, null), 'hex').slice(0, 32)
  const steps: Readonly<Record<string, (one: Case) => unknown>> = {
    'read and copy': ({ bytes }) => {
      const read = decodeRecord(bytes)
      return read.kind === 'ok' && { ...read.value.cells }
    },
    merge: ({ record }) => merge(record),
    refine: ({ fields, record }) => refined(fields, record),
    'content hash': ({ refined, record }) => digest(refined, record.kind),
    grade: ({ refined, record }) => graded(refined, record),
    'refine + grade': ({ fields, record }) => graded(refined(fields, record), record),
    'all of them': ({ bytes }) => {
      const read = decodeRecord(bytes)
      if (read.kind !== 'ok') return null
      const product = refined(merge(read.value), read.value)
      return [digest(product, read.value.kind), graded(product, read.value)]
    },
  }
  const caseOf = (one: BronzeRecord): Case => {
    const bytes = Buffer.from(JSON.stringify(one))
    const record: BronzeRecord = JSON.parse(bytes.toString())
    const fields = merge(record)
    return { bytes, record, fields, refined: refined(fields, record) }
  }
  return { steps, caseOf }
}

/** Until the code is compiled for what it meets, which takes some 100,000 products. */
const warmRounds = 3
/** The quickest counts: other work on the machine only ever slows one. */
const rounds = 5

/** @param products how many pass each step in a round, real ones over and over */
export function measure(real: RealRecords, products: number): Measured[] {
  const { steps, caseOf } = stepsOver(real)
  const cases = real.records.map(caseOf)
  return Object.entries(steps).map(([step, run]) => {
    for (let round = 0; round < warmRounds; round++) pass(cases, products, run)
    const passes = Array.from({ length: rounds }, () => pass(cases, products, run))
    const seconds = Math.min(...passes.map((one) => one.seconds))
    return { step, perSecond: products / seconds, bytes: passes[0]?.bytes ?? 0 }
  })
}

/** Products between two looks at the heap: what they allocate fits the young generation, so that most looks see no collection. */
const lookEvery = 250
let kept: unknown

function pass(cases: readonly Case[], products: number, run: (one: Case) => unknown) {
  const grown: number[] = []
  let seconds = 0
  for (let done = 0; done < products; ) {
    const upTo = Math.min(products, done + lookEvery)
    const before = process.memoryUsage().heapUsed
    const began = performance.now()
    const looked = upTo - done
    for (; done < upTo; done++) kept = run(cases[done % cases.length] as Case)
    seconds += (performance.now() - began) / 1_000
    grown.push((process.memoryUsage().heapUsed - before) / looked)
  }
  if (kept === undefined) throw new Error('nothing was computed')
  const without = grown.filter((bytes) => bytes > 0).sort((a, b) => a - b)
  return { seconds, bytes: without[without.length >> 1] ?? 0 }
}

export async function gradeBench(args: string[]): Promise<void> {
  const products = Number(args[0] ?? 40_000)
  const real = await realRecords()
  const measured = measure(real, products)
  const baseline = measured[0]?.perSecond ?? 0
  const rows = measured.map(({ step, perSecond, bytes }) => [
    step,
    Math.round(perSecond),
    (1e6 / perSecond).toFixed(1),
    (perSecond / baseline).toFixed(2),
    Math.round(bytes),
  ])
  const of = `${real.records.length} products of ${real.files} files, the quickest of ${rounds} rounds of ${products}`
  process.stdout.write(`${of}\n${table([['step', 'products/s', 'µs', 'of read', 'bytes'], ...rows])}\n`)
  process.stdout.write(`bar: refine + grade ${barPerSecond}/s\n`)
}
