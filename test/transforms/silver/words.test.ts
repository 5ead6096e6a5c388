import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { readAvailability } from '../../../transforms/silver/availability.ts'
import { colorOf, sizeOf } from '../../../transforms/silver/color-size.ts'
import { readCondition } from '../../../transforms/silver/condition.ts'
import { readAgeGroup, readGender } from '../../../transforms/silver/gender-age.ts'
import { wordTable } from '../../../transforms/silver/words.ts'

/** A word of each of the twelve languages, as suppliers write it. */
const known: readonly (readonly [name: string, read: (text: string) => unknown, words: string])[] = [
  [
    'in stock',
    (text) => readAvailability('', text).value,
    'in stock|auf lager|en stock|en existencia|em estoque|disponibile|op voorraad|dostępny|skladem|в наличии|在庫あり|有货',
  ],
  [
    'out of stock',
    (text) => readAvailability('', text).value,
    'sold out|ausverkauft|épuisé|agotado|esgotado|esaurito|uitverkocht|niedostępny|vyprodáno|нет в наличии|売り切れ|缺货',
  ],
  [
    'on preorder',
    (text) => readAvailability('', text).value,
    'pre-order|vorbestellbar|précommande|preventa|pré venda|prevendita|voorbestelling|przedsprzedaż|předobjednávka|предзаказ|予約受付中|预售',
  ],
  [
    'on backorder',
    (text) => readAvailability('', text).value,
    'backorder|auf bestellung|sur commande|bajo pedido|sob encomenda|su ordinazione|op bestelling|na zamówienie|na objednávku|под заказ|取り寄せ|可预订',
  ],
  ['new', (text) => readCondition(text).value, 'brand new|neu|neuf|nuevo|novo|nuovo|nieuw|nowy|nový|новый|新品|全新'],
  [
    'used',
    (text) => readCondition(text).value,
    'pre-owned|gebraucht|d’occasion|segunda mano|seminovo|usato|tweedehands|używany|použité|б/у|中古|二手',
  ],
  [
    'refurbished',
    (text) => readCondition(text).value,
    'renewed|generalüberholt|reconditionné|reacondicionado|recondicionado|ricondizionato|gereviseerd|odnowiony|repasovaný|восстановленный|整備済み|翻新',
  ],
  [
    'female',
    (text) => readGender(text).value,
    'women’s|damen|femme|mujer|mulher|donna|dames|kobieta|dámské|женский|レディース|女士',
  ],
  [
    'male',
    (text) => readGender(text).value,
    "men's|herren|homme|hombre|homem|uomo|heren|męskie|pánské|мужской|メンズ|男士",
  ],
  [
    'unisex',
    (text) => readGender(text).value,
    'unisex|damen und herren|mixte|hombre y mujer|unissex|uomo e donna|uniseks|damsko-męski|pánské i dámské|унисекс|男女兼用|男女通用',
  ],
  [
    'for kids',
    (text) => readAgeGroup(text).value,
    'children|kinder|enfants|niños|crianças|bambini|kinderen|dzieci|děti|детские|キッズ|儿童',
  ],
  [
    'for adults',
    (text) => readAgeGroup(text).value,
    'adults|erwachsene|adultes|adultos|para adultos|adulti|volwassenen|dorośli|dospělí|взрослые|大人|成年人',
  ],
  [
    'of many colours',
    colorOf,
    'multi|mehrfarbig|multicolore|multicor|meerkleurig|wielokolorowy|vícebarevný|разноцветный|多色',
  ],
  [
    'of one size',
    sizeOf,
    'one size|einheitsgröße|talla única|taglia unica|uniwersalny|univerzální|безразмерный|フリーサイズ|均码',
  ],
]

const wide = (text: string) =>
  text.replace(/[!-~]/g, (sign) => String.fromCharCode(sign.charCodeAt(0) + 0xfee0)).replaceAll(' ', '\u3000')
const waysToWrite: ((text: string) => string)[] = [
  (text) => text.toUpperCase(),
  (text) => text.charAt(0).toUpperCase() + text.slice(1),
  (text) => ` ${text}\u00a0`,
  (text) => text.replaceAll(' ', '\t '),
  (text) => text.replaceAll(' ', '_'),
  (text) => text.normalize('NFD'),
  wide,
]
const anyWay = fc.array(fc.constantFrom(...waysToWrite), { maxLength: 4 })

describe('a known word', () => {
  test.each(known)('for %s means the same in twelve languages', (_name, read, words) => {
    const list = words.split('|')
    expect(list.length).toBeGreaterThanOrEqual(9)
    expect(new Set(list.map(read)).size).toBe(1)
    expect(read(list[0] ?? '')).not.toBeNull()
  })

  test('means the same in whatever case, space, width and composition it is written', () => {
    const anyWord = fc.constantFrom(
      ...known.flatMap(([, read, words]) => words.split('|').map((word) => [read, word] as const)),
    )
    fc.assert(
      fc.property(anyWord, anyWay, ([read, word], ways) => {
        expect(read(ways.reduce((text, way) => way(text), word))).toBe(read(word))
      }),
      { numRuns: 1000 },
    )
  })

  test('stands for one meaning: a table that says two is refused', () => {
    expect(() => wordTable({ yes: 'ja|oui', no: 'nein|Oui' })).toThrow('"oui" stands for yes and for no')
  })
})

describe('a word that nobody knows', () => {
  test.each([
    '5-7 days',
    '3-5 Werktage',
    '1-2 semaines',
    'sob consulta',
    'call us',
    'auf Anfrage',
    'по запросу',
    '要確認',
    '24h',
  ])('as an availability, %j, has no value and says so (KF-16)', (raw) => {
    expect(readAvailability('availability', raw)).toMatchObject({
      value: null,
      findings: [{ code: 'unknown_availability', says: expect.stringContaining(raw) }],
    })
  })
})
