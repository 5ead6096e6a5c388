/** Any story of two products: two files with two imports each, edits, undo and redo, repeats of appends, and what nobody can read. */
import { randomUUID } from 'node:crypto'
import fc from 'fast-check'
import type { BronzeRecord } from '../../schemas/pipeline.ts'
import { writer } from './log-and-sink.ts'

type Sent = BronzeRecord | { readonly key: string; readonly value: string }

export interface AnyStory {
  readonly catalog: string
  readonly sent: readonly Sent[]
  /** Rows that each import has, its repeats not counted. */
  readonly rows: ReadonlyMap<string, number>
}

const title = fc.constantFrom('x', 'y', '__CLEAR__', ' ')
const [product, file, at] = [fc.nat(1), fc.nat(1), fc.nat(1)]
const event = fc.oneof(
  { weight: 6, arbitrary: fc.record({ kind: fc.constant('row' as const), file, at, product, title }) },
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant('edit' as const),
      product,
      title,
      deletes: fc.nat(5).map((n) => n === 0),
      rev: fc.option(fc.nat(8)),
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('create' as const), product, title }) },
  { weight: 3, arbitrary: fc.record({ kind: fc.constantFrom('void' as const, 'unvoid' as const), product, file, at }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('again' as const), back: fc.nat(5) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('poison' as const), product }) },
)
type Event = typeof event extends fc.Arbitrary<infer T> ? T : never

export const events = fc.array(event, { minLength: 2, maxLength: 16, size: 'max' })

/** @param start the offset that the first record will have */
export function tell(happened: readonly Event[], start: number): AnyStory {
  const write = writer()
  const products = [randomUUID(), randomUUID()] as const
  const imports = [randomUUID(), randomUUID(), randomUUID(), randomUUID()] as const
  const nameOf = (one: { file: number; at: number }) => imports[2 * one.file + one.at] ?? imports[0]
  const rows = new Map<string, number>()
  const ended = new Set<string>()
  const sent: Sent[] = []
  for (const one of happened) {
    if (one.kind === 'again') {
      const before = sent.filter((past) => 'op' in past && past.op === 'put' && past.import !== undefined)
      sent.push(...before.slice(-1 - one.back, before.length - one.back))
      continue
    }
    const id = products[one.product] ?? products[0]
    if (one.kind === 'row') {
      const of = nameOf(one)
      // Only an import that has ended can be undone.
      if (ended.has(of)) continue
      const seq = rows.get(of) ?? 0
      rows.set(of, seq + 1)
      const cells = { title: one.title, [`only of ${one.file}`]: one.title }
      sent.push(write.row(id, of, seq, cells, { source: `file:${one.file}` }))
    } else if (one.kind === 'edit') {
      const cells = { title: one.title, ...(one.deletes ? { deleted: String(sent.length) } : {}) }
      sent.push(write.edit(id, cells, one.rev === null ? {} : { ifRev: start + one.rev }))
    } else if (one.kind === 'create') {
      sent.push(write.edit(id, { title: one.title }, { create: true, ifAbsent: true }))
    } else if (one.kind === 'poison') {
      sent.push({ key: id, value: '{"' })
    } else {
      ended.add(nameOf(one))
      sent.push(write.undo(id, nameOf(one), one.kind))
    }
  }
  return { catalog: write.catalog, sent, rows }
}
