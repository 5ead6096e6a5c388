import { describe, expect, test } from 'vitest'
import type { BronzeRecord } from '../../../schemas/pipeline.ts'
import { fold } from '../../../transforms/bronze/merge.ts'
import { at, context, edit, field, folded, record, seen, withdraw } from './story.ts'

const german = context(3, { Artikel: 'sku', Name: 'title', Preis: 'price', Waehrung: 'currency', Lager: null })
const french = context(4, { Nom: 'title', Prix: 'price', Devise: 'currency' })
const contexts = [german, french]

describe('a column stands for', () => {
  const state = folded(record('file-a', { Name: 'Lampe', title: 'Lamp', Lager: '3' }, { context: 3 }))

  test("what its context's mapping says, and not for the field it is named after", () => {
    expect(seen(state, contexts).get('title')).toMatchObject({ column: 'Name', value: 'Lampe', source: 'file-a' })
  })

  test("what the workspace's mapping of its source says, before the context's", () => {
    const view = seen(state, contexts, { 'file-a': { Name: 'seo_title', title: 'title' }, 'file-b': { Name: 'brand' } })
    expect([view.get('seo_title')?.value, view.get('title')?.value, view.get('brand')]).toEqual(['Lampe', 'Lamp', null])
  })

  test('its own field in context 0, and for options under the reserved name', () => {
    const view = seen(folded(edit({ title: 'Lamp', 'assay:options': '{"Size":"M"}', Name: 'Lampe' })), contexts)
    expect([view.get('title')?.value, view.get('options')?.value]).toEqual(['Lamp', '{"Size":"M"}'])
    expect(view.unmapped().map(({ column }) => column)).toEqual(['Name'])
  })

  test('what the context says in which the cell was last changed', () => {
    const again = context(9, { Name: 'description', Preis: 'price' })
    const both = fold(state, record('file-a', { Name: 'Lampe', Preis: '3' }, { context: 9 }), at(2))
    const view = seen(both, [german, again])
    expect([view.get('title')?.value, view.get('description'), view.get('price')?.value]).toEqual(['Lampe', null, '3'])
  })

  test('nothing where the context is gone: the cell stays raw', () => {
    expect(seen(state, []).unmapped()).toHaveLength(3)
  })
})

describe('a field takes', () => {
  const files = folded(
    record('file-a', { Name: 'Lampe', Preis: '9,99', Waehrung: 'EUR' }, { context: 3 }),
    record('file-b', { Nom: 'Lampe de bureau' }, { context: 4 }),
  )

  test('the mapped cell with the newest change over all live layers', () => {
    expect(field(files, 'title', contexts)).toBe('Lampe de bureau')
    expect(field(fold(files, withdraw('file-b'), at(3)), 'title', contexts)).toBe('Lampe')
  })

  test('nothing where the newest says clear, though others have a value', () => {
    expect(field(fold(files, edit({ title: '__CLEAR__' }), at(3)), 'title', contexts)).toBeNull()
  })

  test('the newer of two columns where a source renamed its header', () => {
    const renamed = context(5, { Bezeichnung: 'title' })
    const state = fold(files, record('file-a', { Bezeichnung: 'Leuchte' }, { context: 5 }), at(3))
    expect(field(state, 'title', [...contexts, renamed])).toBe('Leuchte')
  })

  test('nothing from a product that nobody lists', () => {
    const view = seen(folded(record('file-a', { title: 'Lamp', note: 'x' }), withdraw('file-a')))
    expect([view.get('title'), view.unmapped()]).toEqual([null, []])
  })
})

describe('beside a cell', () => {
  test('stands only what its own layer says: an amount never takes the currency of another source', () => {
    const view = seen(
      folded(
        record('file-a', { Preis: '9,99', Waehrung: 'EUR' }, { context: 3 }),
        record('file-b', { Prix: '8' }, { context: 4 }),
        edit({ currency: 'USD' }),
      ),
      contexts,
    )
    const price = view.get('price')
    expect(price).toMatchObject({ value: '8', source: 'file-b' })
    expect(price && view.beside(price, 'currency')).toBeNull()
    expect(view.get('currency')?.value).toBe('USD')
  })

  test('stands the currency of its layer even where another source has a newer one', () => {
    const view = seen(
      folded(record('file-a', { Preis: '9,99', Waehrung: 'EUR' }, { context: 3 }), edit({ currency: 'USD' })),
      contexts,
    )
    const price = view.get('price')
    expect(price && view.beside(price, 'currency')).toMatchObject({ value: 'EUR', column: 'Waehrung' })
  })

  test('stands nothing that the layer cleared', () => {
    const view = seen(folded(record('file-a', { price: '9', currency: '__CLEAR__' })))
    const price = view.get('price')
    expect(price && view.beside(price, 'currency')).toBeNull()
  })
})

describe('a list', () => {
  const pictures = context(6, { first: 'images', second: 'images', more: 'images' })

  test('has all mapped columns of one layer in order of the header, whatever order the record has', () => {
    const state = folded(record('file-a', { more: ['c', 'd'], second: 'b', first: 'a' }, { context: 6 }))
    expect(seen(state, [pictures]).get('images')).toMatchObject({ column: 'first', value: ['a', 'b', 'c', 'd'] })
  })

  test('goes by the first of columns whose header is repeated', () => {
    const repeated = { ...pictures, header: ['first', 'second', 'first'] }
    const state = folded(record('file-a', { second: 'b', first: ['a', 'c'] }, { context: 6 }))
    expect(field(state, 'images', [repeated])).toEqual(['a', 'c', 'b'])
  })

  test('of one column stays as its source gave it', () => {
    expect(field(folded(edit({ images: 'a, b' })), 'images')).toBe('a, b')
    expect(field(folded(edit({ images: ['a', 'b'] })), 'images')).toEqual(['a', 'b'])
  })

  test('is taken whole from the layer whose list changed last', () => {
    const file = record('file-a', { first: 'a', second: 'b' }, { context: 6 })
    const edited = folded(file, edit({ images: ['z'] }))
    expect(field(edited, 'images', [pictures])).toEqual(['z'])
    const changed = fold(edited, record('file-a', { second: 'B' }, { context: 6 }), at(3))
    expect(seen(changed, [pictures]).get('images')).toMatchObject({
      value: ['a', 'B'],
      column: 'second',
      origin: { offset: 3 },
    })
  })

  test('over several contexts follows the newest header, and what that lacks comes last', () => {
    const turned = context(8, { more: 'images', second: 'images' })
    const state = folded(
      record('file-a', { first: 'a', second: 'b', more: 'c' }, { context: 6 }),
      record('file-a', { more: 'C' }, { context: 8 }),
    )
    expect(field(state, 'images', [pictures, turned])).toEqual(['C', 'b', 'a'])
  })

  test('loses the column that was cleared, and is cleared once all are', () => {
    const file = record('file-a', { first: 'a', second: 'b' }, { context: 6 })
    const one = folded(
      record('file-b', { first: 'old' }, { context: 6 }),
      file,
      record('file-a', { second: '__CLEAR__' }, { context: 6 }),
    )
    expect(field(one, 'images', [pictures])).toEqual(['a'])
    const none = fold(one, record('file-a', { first: '__CLEAR__' }, { context: 6 }), at(4))
    expect(field(none, 'images', [pictures])).toBeNull()
  })
})

describe('unmapped cells', () => {
  test('are those of live layers, one a column, newest first, without cleared ones', () => {
    const state = folded(
      record('file-a', { old: '1', shared: '1', gone: '1' }, { context: 3 }),
      record('file-b', { shared: '2', other: '2' }, { context: 3 }),
      record('file-a', { gone: '__CLEAR__', late: '3' }, { context: 3 }),
      record('file-c', { dead: '4' }, { context: 3 }),
      withdraw('file-c'),
    )
    const cells = seen(state, contexts).unmapped()
    expect(cells.map(({ column, value }) => `${column}=${value}`)).toEqual(['late=3', 'shared=2', 'other=2', 'old=1'])
  })

  test('may be named like parts of an object', () => {
    const cells = JSON.parse('{"__proto__":"a","constructor":"b","title":"Lamp"}')
    const view = seen(folded(record('file-a', cells)), contexts, JSON.parse('{"__proto__":{"title":"brand"}}'))
    expect(view.unmapped().map(({ column }) => column)).toEqual(['__proto__', 'constructor'])
    expect(view.get('title')?.value).toBe('Lamp')
  })
})

describe('the levels of a category', () => {
  const read = (columns: Record<string, 'category'>, ...records: ReturnType<typeof record>[]) =>
    seen(folded(...records), [context(1, columns), context(2, { kategorie: 'category' })]).get('category')?.value

  test('are its columns in order of the header, also where one alone is new', () => {
    const first = record('file', { b: 'Mugs', a: 'Home' }, { context: 1 })
    expect(read({ a: 'category', b: 'category' }, first)).toEqual(['Home', 'Mugs'])
    const next = record('file', { b: 'Cups' }, { context: 1 })
    expect(read({ a: 'category', b: 'category' }, first, next)).toEqual(['Home', 'Cups'])
  })

  test('are none of a column that a later file of the source calls otherwise', () => {
    const first = record('file', { category: 'Home' }, { context: 1 })
    const renamed = record('file', { kategorie: 'Haus' }, { context: 2 })
    expect(read({ category: 'category' }, first, renamed)).toEqual('Haus')
  })
})

describe('a column that fills', () => {
  const filled = { ...context(5, { EAN: 'gtin', UPC: null, JAN: null }), fills: { UPC: 'gtin', JAN: 'gtin' } as const }
  const file = (cells: Record<string, string>) => record('file-a', cells, { context: 5 })
  const gtin = (...records: readonly BronzeRecord[]) => field(folded(...records), 'gtin', [filled])

  test('says the field where its own column is blank or has a word for nothing, in the order of the header', () => {
    expect(gtin(file({ EAN: '1', UPC: '2', JAN: '3' }))).toBe('1')
    expect(gtin(file({ JAN: '3', UPC: '2' }))).toBe('2')
    expect(gtin(file({ EAN: 'N/A', UPC: '2' }))).toBe('2')
    expect(gtin(file({ UPC: '-', JAN: '3' }))).toBe('3')
    expect(gtin(file({ EAN: 'N/A' }))).toBe('N/A')
  })

  test('is among what is not mapped only where it fills nothing', () => {
    const loose = (cells: Record<string, string>) => seen(folded(file(cells)), [filled]).unmapped()
    expect(loose({ EAN: '1', UPC: '2' }).map(({ column }) => column)).toEqual(['UPC'])
    expect(loose({ UPC: '2' })).toEqual([])
  })

  test('never brings back what was cleared, and clears nothing itself', () => {
    expect(gtin(file({ EAN: '__CLEAR__', UPC: '2' }))).toBeNull()
    expect(gtin(file({ EAN: '1', UPC: '2' }), file({ EAN: '__CLEAR__' }))).toBeNull()
    expect(gtin(file({ EAN: '1', UPC: '__CLEAR__' }))).toBe('1')
    expect(gtin(file({ UPC: '__CLEAR__', JAN: '3' }))).toBe('3')
    expect(gtin(file({ UPC: '2' }), edit({ gtin: '__CLEAR__' }))).toBeNull()
  })

  test('gives way to an edit, until the file changes what fills', () => {
    expect(gtin(file({ UPC: '2' }), edit({ gtin: '9' }), file({ UPC: '2' }))).toBe('9')
    expect(gtin(file({ UPC: '2' }), edit({ gtin: '9' }), file({ UPC: '4' }))).toBe('4')
    expect(gtin(file({ EAN: '1', UPC: '2' }), edit({ gtin: '9' }), file({ UPC: '4' }))).toBe('9')
  })

  test('fills nothing where the workspace chose the column of its field', () => {
    const view = seen(folded(file({ UPC: '2', Other: '7' })), [{ ...filled, header: [...filled.header, 'Other'] }], {
      'file-a': { Other: 'gtin' },
    })
    expect(view.get('gtin')?.value).toBe('7')
    const blank = seen(folded(file({ UPC: '2' })), [{ ...filled, header: [...filled.header, 'Other'] }], {
      'file-a': { Other: 'gtin' },
    })
    expect(blank.get('gtin')).toBeNull()
  })
})
