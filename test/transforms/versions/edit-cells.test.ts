import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { BronzeRecord, Cells, ImportContext } from '../../../schemas/pipeline.ts'
import { fieldNames, type ProductKind } from '../../../schemas/product.ts'
import { contentKey } from '../../../transforms/bronze/content.ts'
import { fold } from '../../../transforms/bronze/merge.ts'
import { mergedFields } from '../../../transforms/bronze/merged-fields.ts'
import { ownContext } from '../../../transforms/own-context.ts'
import { refine } from '../../../transforms/silver/refine.ts'
import { editCells } from '../../../transforms/versions/edit-cells.ts'
import { differing } from '../../../transforms/versions/fields.ts'
import { enough } from '../../enough.ts'
import { contextOf, plainSettings } from '../silver/said.ts'
import { anyKind, anySupplied } from './any-supplied.ts'

const mapping = Object.fromEntries(fieldNames.map((field) => [field, { field, reason: '' }]))
const file = contextOf({ mapping, header: fieldNames })
const contexts = (id: number): ImportContext | undefined => (id === 0 ? ownContext : file(id))

const record = (kind: ProductKind, source: string, context: number, cells: Cells): BronzeRecord => ({
  v: 1,
  op: 'put',
  workspace: 'ws_t',
  brand: 'b',
  catalog: 'c',
  product: 'p',
  source,
  sid: '',
  context,
  seq: -1,
  rows: [],
  kind,
  at: '2026-01-01T00:00:00.000Z',
  cells,
})

function refined(kind: ProductKind, records: readonly BronzeRecord[]) {
  const layers = records.reduce<ReturnType<typeof fold> | null>(
    (state, one, offset) => fold(state, one, { epoch: 1, partition: 0, offset }),
    null,
  )
  if (!layers) throw new Error('nothing was said')
  return refine(mergedFields(layers, contexts, plainSettings), kind, contexts, plainSettings).product
}

test('the edit of what differs makes one state of a product another, whatever its sources say', () => {
  fc.assert(
    fc.property(anySupplied, anySupplied, anySupplied, anyKind, (was, said, added, kind) => {
      const wanted = refined(kind, [record(kind, 'file', 1, was as Cells)])
      const now = [record(kind, 'file', 1, said as Cells), record(kind, 'other', 1, added as Cells)]
      const cells = editCells(wanted, kind, differing(refined(kind, now), wanted))
      const restored = refined(kind, [...now, record(kind, 'api', 0, cells)])
      expect(contentKey(restored, kind, null)).toBe(contentKey(wanted, kind, null))
    }),
    { numRuns: enough(100, 300) },
  )
})
