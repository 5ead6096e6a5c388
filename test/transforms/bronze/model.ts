/**
 * The merge written a second time, straight from the definition and as slow as it likes: no state is carried from record
 * to record, every answer is looked up in all statements that were ever made.
 */
import type { BronzeRecord, CellValue } from '../../../schemas/pipeline.ts'
import type { HistoryEntry } from '../../../transforms/bronze/refold.ts'

interface Statement {
  readonly when: number
  readonly source: string
  readonly column: string
  readonly value: CellValue
  readonly counts: boolean
}

export interface ModelCell {
  readonly value: CellValue
  readonly place: string
}

export interface ModelLayer {
  readonly live: boolean
  readonly created: boolean
  readonly cells: Readonly<Record<string, ModelCell>>
}

export interface ModelProduct {
  readonly kind: string
  readonly family: string | null
  readonly layers: Readonly<Record<string, ModelLayer>>
}

const name = ({ position }: HistoryEntry) => `${position.epoch}/${position.offset}`
const blank = (value: CellValue) => [value].flat().every((one) => one.trim() === '')
const same = (a: CellValue, b: CellValue) => JSON.stringify(a) === JSON.stringify(b)

/** The last void or unvoid of an import decides. */
function isVoided(history: readonly HistoryEntry[], record: BronzeRecord): boolean {
  const said = history.filter(({ record: one }) => one.op.endsWith('void') && one.import === record.import)
  return said.at(-1)?.record.op === 'void'
}

function statements(history: readonly HistoryEntry[]): Statement[] {
  const all: Statement[] = []
  for (const [when, { record }] of history.entries()) {
    if (record.op !== 'put') continue
    const { source } = record
    const counts = !isVoided(history, record)
    const said = Object.entries(record.cells).filter(([, value]) => !blank(value))
    // A create brings a deleted product back: it says so where its source ever spoke of a deletion.
    const spoken = all.some((one) => one.source === source && one.column === 'deleted')
    if (record.create && spoken && !said.some(([column]) => column === 'deleted')) said.push(['deleted', '__CLEAR__'])
    for (const [column, value] of said) all.push({ when, source, column, value, counts })
  }
  return all
}

/**
 * "A cell's place is that of the earliest record, voided or not, that said this value since its source last said otherwise
 * in a record not voided; the cell counts while one record of that run is not voided."
 */
function cellOf(said: readonly Statement[], history: readonly HistoryEntry[]): ModelCell | null {
  const last = said.findLast(({ counts }) => counts)
  if (last === undefined) return null
  const otherwise = said.findLast(({ counts, value }) => counts && !same(value, last.value))
  const earliest = said.find(({ value, when }) => same(value, last.value) && when > (otherwise?.when ?? -1))
  const entry = history[earliest?.when ?? -1]
  return entry ? { value: last.value, place: name(entry) } : null
}

function layerOf(history: readonly HistoryEntry[], source: string): ModelLayer {
  const all = statements(history).filter((one) => one.source === source)
  const counting = history.map(({ record }) => record).filter((one) => one.source === source && !isVoided(history, one))
  const cells: Record<string, ModelCell> = {}
  for (const column of new Set(all.map((one) => one.column))) {
    const cell = cellOf(
      all.filter((one) => one.column === column),
      history,
    )
    if (cell) cells[column] = cell
  }
  return {
    live: counting.findLast(({ op }) => op === 'put' || op === 'withdraw')?.op === 'put',
    created: counting.some(({ op, create }) => op === 'put' && create),
    cells,
  }
}

const saysNoKind = ['api', 'check:images', 'url', 'family']
const decides = ({ op, context, create, source }: BronzeRecord) =>
  op === 'put' && (context > 0 || create === true || !saysNoKind.includes(source))
const wordOf = ({ kind, family }: BronzeRecord) => (kind === 'single' ? null : { kind, family: family ?? null })

/** The last that a source said of a family, where it said no other thing since, and when it began to say so. */
function wordIn(counting: readonly HistoryEntry[], source: string) {
  const said = counting.filter(({ record }) => record.source === source && decides(record))
  const last = said.at(-1)
  const word = last && wordOf(last.record)
  if (!word) return null
  const other = said.findLastIndex(({ record }) => !same(JSON.stringify(wordOf(record)), JSON.stringify(word)))
  return { word, since: counting.indexOf(said[other + 1] as HistoryEntry) }
}

/**
 * "The newest word of a family that a live source holds to; where there is none, what the record says, and where that ends the
 * last such word, a single, if another source has the product."
 */
function kindOf(
  steps: readonly HistoryEntry[],
  voided: (one: BronzeRecord) => boolean,
): { kind: string; family: string | null } {
  const last = steps.at(-1)?.record
  if (last === undefined) throw new Error('nothing was said')
  const own = { kind: last.kind, family: last.family ?? null }
  if (steps.length === 1) return own
  const before = () => kindOf(steps.slice(0, -1), voided)
  if (voided(last) || (last.op === 'put' && !decides(last))) return before()
  const counting = steps.filter(({ record }) => !voided(record))
  const live = (source: string, all = counting) =>
    all.findLast(({ record }) => record.source === source)?.record.op === 'put'
  const sources = [...new Set(counting.map(({ record }) => record.source))]
  const words = sources.flatMap((source) => (live(source) ? (wordIn(counting, source) ?? []) : []))
  const newest = words.sort((a, b) => b.since - a.since)[0]
  if (newest) return newest.word
  if (last.op === 'put') return own
  const held = live(last.source, counting.slice(0, -1)) && wordIn(counting, last.source) !== null
  const created = (source: string) =>
    counting.some(({ record }) => record.source === source && record.op === 'put' && record.create)
  const others = sources.some((source) => live(source) && (created(source) || !saysNoKind.includes(source)))
  return held && others ? { kind: 'single', family: null } : before()
}

/** What the whole history says a product is; null where it was never said to be anything. */
export function modelOf(all: readonly HistoryEntry[]): ModelProduct | null {
  const history = all.filter(({ refused }) => !refused)
  const records = history.map(({ record }) => record)
  const puts = records.filter(({ op }) => op === 'put')
  const voided = (one: BronzeRecord) => isVoided(history, one)
  const steps = history.filter(({ record }) => record.op === 'put' || (record.op === 'withdraw' && !voided(record)))
  if (steps.length === 0) return null
  const sources = new Set(puts.map(({ source }) => source))
  const layers = Object.fromEntries([...sources].map((source) => [source, layerOf(history, source)]))
  return { ...kindOf(steps, voided), layers }
}

/** The last record after which the product looked otherwise than before it. */
export function modelRev(all: readonly HistoryEntry[]): string | null {
  let before = 'null'
  let rev: string | null = null
  for (const [at, entry] of all.entries()) {
    const now = canonical(modelOf(all.slice(0, at + 1)))
    if (now !== before) rev = name(entry)
    before = now
  }
  return rev
}

/** With names in order, since nobody sees which cell was said first; a layer that only remembers is not seen either. */
function canonical(product: ModelProduct | null): string {
  if (product === null) return 'null'
  const inOrder = <T>(named: Readonly<Record<string, T>>) => Object.entries(named).sort(([a], [b]) => (a < b ? -1 : 1))
  const layers = inOrder(product.layers)
    .map(([source, { live, created, cells }]) => ({ source, live, created, cells: inOrder(cells) }))
    .filter(({ live, created, cells }) => live || created || cells.length > 0)
  return JSON.stringify({ ...product, layers })
}
