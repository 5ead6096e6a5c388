import { randomUUID } from 'node:crypto'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { placeOf } from '../../../infra/events/place.ts'
import { numberFields } from '../../../schemas/event.ts'
import { eventColumns, noId } from '../../../schemas/event-row.ts'
import { eventLines } from '../../event-lines.ts'
import { eventRow } from '../../event-row.ts'

const text = fc
  .array(fc.constantFrom(...["'", '\\', '\t', '\n', '\r', 'N', 't', ',', '{', ']', ':', '🧦', 'a']), { maxLength: 6 })
  .map((all) => all.join(''))
const some = fc.record(
  {
    catalog: fc.constant(noId),
    product: text,
    products: fc.array(text, { maxLength: 3 }),
    session: text,
    agent: fc.record({ id: text, name: text, version: text, kind: text }, { requiredKeys: [] }),
    customer: text,
    numbers: fc.record(Object.fromEntries(numberFields.map((name) => [name, fc.constantFrom('0', '-1.5')])), {
      requiredKeys: [],
    }),
    currency: fc.constant('EUR'),
    metadata: fc.dictionary(fc.constantFrom('a', 'b', '__proto__'), text),
  },
  { requiredKeys: [] },
)

/** The engine's own rule, said anew: a backslash and a letter are one character. */
const meant: Readonly<Record<string, string>> = { t: '\t', n: '\n', r: '\r' }
const read = (cell: string) => cell.replace(/\\(.)/gs, (_, letter: string) => meant[letter] ?? letter)
const quoted = (cell: string) => [...cell.matchAll(/'((?:\\.|[^'\\])*)'/gs)].map(([, one = '']) => read(one))

function cellsOf(line: string): Record<string, unknown> {
  expect(line.endsWith('\n')).toBe(true)
  const cells = line.slice(0, -1).split('\t')
  expect(cells).toHaveLength(eventColumns.length)
  expect(line.slice(0, -1)).not.toMatch(/[\n\r]/)
  return Object.fromEntries(
    eventColumns.map((name, i) => {
      const cell = cells[i] ?? ''
      if (name === 'product_ids') return [name, quoted(cell)]
      const nothing = name === 'catalog' ? noId : null
      if (name !== 'metadata') return [name, cell === '\\N' ? nothing : read(cell)]
      const texts = quoted(cell)
      return [name, Object.fromEntries(texts.flatMap((key, at) => (at % 2 === 0 ? [[key, texts[at + 1]]] : [])))]
    }),
  )
}

test('a line has every cell of its event in its place, whatever text is in it', () => {
  const empty = {
    ...Object.fromEntries(eventColumns.map((name) => [name, ''])),
    ...Object.fromEntries(numberFields.map((name) => [name, null])),
    ...{ catalog: noId, product_ids: [], metadata: {} },
  }
  const at = '2026-11-29T10:00:00.000Z'
  fc.assert(
    fc.property(some, fc.nat(9), (more, offset) => {
      const event = {
        v: 1 as const,
        id: randomUUID(),
        type: 'order',
        time: at,
        received: at,
        workspace: 'ws_one',
        brand: noId,
        ...more,
      }
      const { stream, rank } = placeOf(1, 2, offset)
      const said = Object.entries(eventRow(event)).filter(([, cell]) => cell !== undefined)
      expect(cellsOf(Buffer.concat(eventLines([event], { stream, rank })).toString())).toEqual({
        ...{ ...empty, log_stream: stream, log_rank: rank },
        ...Object.fromEntries(said),
      })
    }),
  )
})
