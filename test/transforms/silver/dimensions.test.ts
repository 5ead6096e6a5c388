import { describe, expect, test } from 'vitest'
import { readDimensions } from '../../../transforms/silver/dimensions.ts'

const read = (raw: string, column = 'Dimensions', unit: string | null = null) => {
  const { value, findings } = readDimensions(column, raw, null, unit)
  return value ? [value.length, value.width, value.height] : findings.map(({ code }) => code)
}

describe('dimensions', () => {
  test.each([
    ['12 x 30 x 5 cm', ['12 cm', '30 cm', '5 cm']],
    ['12,5×30×5cm', ['12.5 cm', '30 cm', '5 cm']],
    ['12 cm x 30 cm x 5 mm', ['12 cm', '30 cm', '5 mm']],
    ['12" x 30" x 5"', ['12 in', '30 in', '5 in']],
    ['12 x 30 x 5 inches', ['12 in', '30 in', '5 in']],
    ['12 by 30 by 5 Zoll', ['12 in', '30 in', '5 in']],
    ['20.1/20.551/22.5 см', ['20.1 cm', '20.551 cm', '22.5 cm']],
    ['1 x 2 x 3', ['1', '2', '3']],
    ['H 75 cm x B 50 cm x T 40 cm', ['40 cm', '50 cm', '75 cm']],
    ['30cm W x 12cm L x 5cm H', ['12 cm', '30 cm', '5 cm']],
    ['75 cm (H) x 50 cm (W) x 40 cm (D)', ['40 cm', '50 cm', '75 cm']],
    ['12 x 30 x 0 cm', ['12 cm', '30 cm', null]],
  ])('%j are length, width and height: %j', (raw, sides) => {
    expect(read(raw)).toEqual(sides)
  })

  test('take their order and their unit from the name of the column', () => {
    expect(read('75 x 50 x 40', 'Maße (HxBxT)', 'cm')).toEqual(['40 cm', '50 cm', '75 cm'])
    expect(read('75 x 50 x 40', 'Maße (B x H x T)', 'cm')).toEqual(['40 cm', '75 cm', '50 cm'])
    expect(read('75 x 50 x 40', 'Dimensioni (L x P x H)', 'cm')).toEqual(['50 cm', '75 cm', '40 cm'])
    expect(read('75 x 50 x 40', 'Dimensions (L x l x h)', 'cm')).toEqual(['75 cm', '50 cm', '40 cm'])
    expect(read('75 x 50 x 40', 'Dimensões (C x L x A)', 'cm')).toEqual(['75 cm', '50 cm', '40 cm'])
    expect(read('75 x 50 x 40', 'Rozměry (š x v x h)', 'cm')).toEqual(['40 cm', '75 cm', '50 cm'])
    expect(read('75 x 50 x 40', 'Wymiary (D x S x W)', 'cm')).toEqual(['75 cm', '50 cm', '40 cm'])
    expect(read('75 x 50 x 40', 'Mitat (L x K x S)', 'cm')).toEqual(['40 cm', '75 cm', '50 cm'])
    expect(read('75 x 50 x 40', 'Габариты (ДхШхВ)', 'cm')).toEqual(['75 cm', '50 cm', '40 cm'])
    expect(read('75 x 50 x 40', 'Size', 'Zentimeter')).toEqual(['75 cm', '50 cm', '40 cm'])
  })

  test.each([
    ['50 x 70 cm', 'unreadable_dimensions'],
    ['Ø 12 cm', 'unreadable_dimensions'],
    ['L 12 x L 30 x H 5', 'unreadable_dimensions'],
    ['12 L x 30 x 5', 'unreadable_dimensions'],
    ['12 x 30 x 5 ells', 'unknown_unit'],
    ['1,299 x 30 x 5 cm', 'ambiguous_number'],
    ['x'.repeat(300), 'unreadable_dimensions'],
  ])('%j are none, and the row says why: %s', (raw, code) => {
    expect(read(raw)).toEqual([code])
  })
})
