import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type Field, fieldNames } from '../../../schemas/product.ts'
import { isClear } from '../../../transforms/bronze/cell-value.ts'
import { mergedFields } from '../../../transforms/bronze/merged-fields.ts'
import { provenanceOf } from '../../../transforms/bronze/provenance.ts'
import { ownContext } from '../../../transforms/own-context.ts'
import { refine } from '../../../transforms/silver/refine.ts'
import { plainSettings } from '../silver/said.ts'
import { edit, folded, record, withdraw } from './story.ts'

const own = (id: number) => (id === 0 ? ownContext : undefined)

test('of two sources the newest wins, and the other is told with what it says', () => {
  const layers = folded(
    record('file-a', { title: ' A  lamp ', brand: 'Lumo' }),
    record('file-b', { title: 'B lamp' }),
    edit({ brand: '__CLEAR__' }),
  )
  const of = (name: Field) => provenanceOf(layers, own, plainSettings).find(({ field }) => field === name)
  expect(of('title')).toMatchObject({ value: 'B lamp', from: { source: 'file-b', raw: 'B lamp' }, steps: [] })
  expect(of('title')?.others).toMatchObject([{ source: 'file-a', raw: ' A  lamp ' }])
  expect(of('brand')).toMatchObject({ value: null, from: { source: 'api', clears: true }, steps: [] })
  expect(of('mpn')).toBeUndefined()
})

test('a setting, the options, another field: what gave a value that no cell gave is said', () => {
  const layers = folded(
    record('file', { sku: 'S-1', price: '5', 'assay:options': '{"Colour":"Red"}', images: 'https://a.test/1.jpg' }),
  )
  const settings = { ...plainSettings, currency: 'EUR', linkTemplate: 'https://shop.test/{sku}' }
  const told = new Map(provenanceOf(layers, own, settings).map((one) => [one.field, one]))
  for (const [field, value, step] of [
    ['currency', 'EUR', 'settings'],
    ['link', 'https://shop.test/S-1', 'settings'],
    ['color', 'Red', 'variants'],
    ['image', 'https://a.test/1.jpg', 'images'],
  ] as const)
    expect(told.get(field)).toMatchObject({ value, from: null, steps: [{ step }] })
})

const cell = fc.oneof(
  fc.constantFrom(
    '1.299,00 €',
    '12',
    '1e3',
    '__CLEAR__',
    '<b>x</b> &amp; y',
    'in stock',
    '',
    'EUR',
    '{"Size":"M"}',
    'https://a.test/x.jpg',
  ),
  fc.string({ unit: 'grapheme', maxLength: 12 }),
)
const cells = fc.dictionary(fc.constantFrom<string>(...fieldNames, 'assay:options', 'loose'), cell, { maxKeys: 8 })
const said = fc.oneof(
  cells.map((one) => record('file-a', one)),
  cells.map((one) => record('file-b', one)),
  cells.map((one) => edit(one)),
  fc.constant(withdraw('file-a')),
)

test('whatever was said, each winner is the one that silver reads, each value the refined one, and a changed text has a step', () => {
  fc.assert(
    fc.property(fc.array(said, { minLength: 1, maxLength: 4 }), (records) => {
      const layers = folded(...records)
      const merged = mergedFields(layers, own, plainSettings)
      const { product } = refine(merged, layers.kind, own, plainSettings)
      const told = provenanceOf(layers, own, plainSettings)
      for (const { field, from, value, steps } of told) {
        const winner = from === null || isClear(from.raw) ? null : from
        expect(winner && { column: winner.column, raw: winner.raw }).toEqual(
          merged.get(field) && { column: merged.get(field)?.column, raw: merged.get(field)?.value },
        )
        if (typeof value === 'string' && winner && value !== winner.raw && field !== 'currency')
          expect(steps.length).toBeGreaterThan(0)
      }
      expect(told.find(({ field }) => field === 'title')?.value ?? null).toBe(product.title)
      expect(told.find(({ field }) => field === 'price')?.value ?? null).toBe(product.price)
    }),
  )
})
