import fc from 'fast-check'
import { expect, test } from 'vitest'
import { foldName } from '../../../transforms/silver/fold-name.ts'

test('names are compared without what cannot be seen', () => {
  const unseen = fc.constantFrom('\u200b', '\u00ad', '\ufeff', '\u2060', '\u200e', '\u200d', '\u202a', '\u180e')
  const names = fc.constantFrom('sku', 'Product Name', 'productName', 'Größe', 'Regular price', '在庫数')
  fc.assert(
    fc.property(names, fc.nat(), unseen, (name, at, sign) => {
      const letters = [...name]
      letters.splice(at % (letters.length + 1), 0, sign)
      expect(foldName(letters.join(''))).toBe(foldName(name))
    }),
  )
})

test('names of plain letters are folded as all others', () => {
  const plain = fc.string({ unit: fc.constantFrom(...'aAbBzZ09 _-.:/|~@['), maxLength: 12 })
  fc.assert(
    fc.property(plain, (name) => {
      expect(foldName(`${name}\u200b`)).toBe(foldName(name))
    }),
  )
})
