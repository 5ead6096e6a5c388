/** Any history of one product: two files and the API, undo and redo, withdrawals, what was refused, over a move of the log. */
import fc from 'fast-check'
import type { BronzeRecord, CellValue } from '../../../schemas/pipeline.ts'
import type { HistoryEntry } from '../../../transforms/bronze/refold.ts'
import { at, record, redo, undo } from './story.ts'

/** Two files with two imports each, and the API, whose files of edits are an import too; few values, so that runs occur. */
const values = fc.constantFrom<CellValue>('x', 'y', 'x', 'y', '__CLEAR__', ' ', ['x', 'y'])
const cells = (columns: readonly string[]) =>
  fc.dictionary(fc.constantFrom(...columns), values, { maxKeys: columns.length, size: 'max' })
const kinds = fc.constantFrom<Partial<BronzeRecord>>({}, {}, { kind: 'variant', family: 'F' }, { kind: 'parent' })
const imports = { 'file-a': ['a1', 'a2'], 'file-b': ['b1', 'b2'], api: ['e1'] } as const

const says = (source: keyof typeof imports, columns: readonly string[]) =>
  fc
    .tuple(cells(columns), kinds, fc.option(fc.constantFrom(...imports[source]), { freq: 6 }), fc.nat(1))
    .map(([said, kind, name, context]) => record(source, said, { ...kind, ...(name && { import: name }), context }))
const records = fc.oneof(
  { weight: 5, arbitrary: says('file-a', ['a', 'b', 'c']) },
  { weight: 3, arbitrary: says('file-b', ['a', 'b']) },
  { weight: 3, arbitrary: says('api', ['a', 'deleted']) },
  { weight: 1, arbitrary: says('api', ['a', 'deleted']).map((one) => ({ ...one, create: true as const })) },
  { weight: 1, arbitrary: says('file-a', ['a']).map((one) => ({ ...one, op: 'withdraw' as const, cells: {} })) },
  { weight: 1, arbitrary: says('file-b', ['a']).map((one) => ({ ...one, op: 'withdraw' as const, cells: {} })) },
  {
    weight: 4,
    arbitrary: fc
      .tuple(fc.constantFrom(...Object.values(imports).flat()), fc.integer({ min: 0, max: 2 }))
      .map(([name, kind]) => (kind === 0 ? redo(name) : undo(name))),
  },
)

/** The log moves to another engine somewhere: offsets begin anew in the next epoch. */
export const histories = fc
  .tuple(fc.array(fc.tuple(records, fc.nat(9)), { maxLength: 12, size: 'max' }), fc.nat(24))
  .map(([all, moved]): HistoryEntry[] =>
    all.map(([record, luck], place) => ({
      record,
      position: place < moved ? at(place) : at(place - moved, 2),
      refused: luck === 0,
    })),
  )
