import { describe, expect, test } from 'vitest'
import { foldHeader, isListName } from '../../../ingest/readers/header.ts'

const names = (header: readonly string[]) => foldHeader(header, isListName).names

describe('a header', () => {
  test('loses Unicode space and marks around its names', () => {
    expect(names(['\ufeffsku ', '\u00a0title\u3000', '\tprice\u0085'])).toEqual(['sku', 'title', 'price'])
  })

  test('drops trailing columns without a name, and numbers those in the middle', () => {
    expect(names(['', 'sku', ' ', 'title', '', ' '])).toEqual(['column 1', 'sku', 'column 3', 'title'])
  })

  test("takes a spreadsheet's failed formula for no name", () => {
    expect(names(['sku', '#NOME?', '#REF!', '#N/A', '#1 rated'])).toEqual([
      'sku',
      'column 2',
      'column 3',
      'column 4',
      '#1 rated',
    ])
  })

  test.each(['image', 'Images', 'image_url', 'additional-image-link', 'category'])(
    'may repeat %s: one list',
    (name) => {
      expect(foldHeader(['sku', name, 'price', name], isListName)).toEqual({
        names: ['sku', name, 'price'],
        places: [[0], [1, 3], [2]],
        width: 4,
      })
    },
  )

  test('that repeats another name is refused, naming it and its columns (KF-05)', () => {
    expect(() => names(['sku', 'title', 'price', 'title '])).toThrow(
      expect.objectContaining({
        code: 'repeated_header',
        says: expect.stringMatching(/"title" stands in columns 2, 4;/),
      }),
    )
  })

  test.each([
    [['sku', 'Title', 'title '], '"Title" and "title"', '2, 3'],
    [['sku', 'SKU', 'title'], '"sku" and "SKU"', '1, 2'],
    [['sku', 'product name', 'title', 'Product  Name', 'PRODUCT NAME'], '"product name" and', '2, 4, 5'],
  ])('that differs from another only in case or blanks is refused, naming both: %j', (header, both, columns) => {
    const says = expect.stringMatching(new RegExp(`${both}.*columns ${columns}.* differ only in case or blanks`))
    expect(() => names(header)).toThrow(expect.objectContaining({ code: 'repeated_header', says }))
    expect(foldHeader(header, () => true).places).toHaveLength(header.length - columns.split(',').length + 1)
  })

  test('leaves the caller to say which names are lists', () => {
    expect(foldHeader(['tag', 'tag'], (name) => name === 'tag').names).toEqual(['tag'])
    expect(() => foldHeader(['image', 'image'], () => false)).toThrow(
      expect.objectContaining({ code: 'repeated_header' }),
    )
  })
})
