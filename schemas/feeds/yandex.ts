/** Yandex's feed in YML: an `offer` each, in its simplified form, where a product has one name.
 *
 * Categories stand before the offers and are referred to by number, so that who writes the file has to know them all first; an
 * offer's number is made from its path, and the head of the file lists the paths that it is given (`categories`).
 */
import type { RefinedProduct } from '../product.ts'
import { categoryNumber } from './category-number.ts'
import type { FieldValue } from './feed-field.ts'
import { fieldsOf } from './field-of.ts'
import { fieldValues } from './field-values.ts'
import { offerGoesOn } from './offer-goes-on.ts'
import { yandexFile as source, yandexOffers } from './platform-pages.ts'
import { profileOf } from './profile-of.ts'
import { addressShape, listShape, matchShape, objectShape, textShape, wordShape } from './shapes.ts'
import { properties } from './told-apart.ts'

/** Yandex has no word for what ships later: it is not in stock. */
const available = { in_stock: 'true', out_of_stock: 'false', preorder: 'false', backorder: 'false' }

/** Ours and its own: the rouble goes by its former code, as in its pages. */
const currencies: ReadonlyMap<string, string> = new Map([
  ['RUB', 'RUR'],
  ...['BYN', 'KZT', 'UAH', 'USD', 'EUR'].map((code) => [code, code] as const),
])

const currencyId: FieldValue = {
  shape: wordShape([...currencies.values()]),
  of: ({ currency }) => currencies.get(currency ?? '') ?? null,
  refusals: [
    {
      asks: `required: one of ${[...currencies.keys()].join(', ')}`,
      mends: 'currency',
      broken: ({ product: { currency } }) =>
        currency === null || currencies.has(currency)
          ? null
          : `Yandex takes no prices in ${currency}; send one in ${[...currencies.keys()].join(', ')}`,
    },
  ],
}

const isNamed = ({ categoryPath }: RefinedProduct) => categoryPath.some((level) => level.trim() !== '')

const categoryId: FieldValue = {
  shape: matchShape('^\\d{1,18}$'),
  of: (p) => (isNamed(p) ? categoryNumber(p.categoryPath) : null),
  refusals: [
    {
      asks: 'required',
      broken: ({ product }) =>
        isNamed(product) ? null : 'The category is missing; send its path, as in Electronics > Phones',
    },
  ],
}

const first = fieldValues.image({ name: 'picture', from: 'image', source }, 'Yandex')
const more = fieldValues.moreImages({ name: 'picture', from: 'moreImages', most: 9, source }, 'Yandex')

const pictures: FieldValue = {
  ...first,
  shape: listShape(addressShape(2000), 10),
  of: (p, feed) => [first.of(p, feed), more.of(p, feed) ?? []].flat().filter((url) => url !== null),
}

const parameters: FieldValue = {
  shape: listShape(objectShape({ name: textShape(), value: textShape() }, ['name', 'value'])),
  of: (p) => properties(p).map(([name, value]) => ({ name, value })),
}

/** A group is a number here; those of ours are mostly none, and are not made into one that two groups could share. */
const groupNumber: FieldValue = {
  shape: matchShape('^[1-9]\\d{0,8}$'),
  of: (_, { itemGroupId }) => (itemGroupId !== null && /^[1-9]\d{0,8}$/.test(itemGroupId) ? itemGroupId : null),
}

const fields = fieldsOf('Yandex', [
  { name: 'id', from: 'id', need: true, limit: 80, source: yandexOffers },
  { name: 'available', from: 'availability', need: true, words: available, source },
  { name: 'group_id', from: groupNumber, source: yandexOffers },
  { name: 'url', from: 'link', need: true, source },
  { name: 'price', from: 'presentAmount', need: true, source },
  { name: 'oldprice', from: 'formerAmount', source },
  { name: 'currencyId', from: currencyId, need: true, source },
  { name: 'categoryId', from: categoryId, need: true, source },
  { name: 'picture', from: pictures, need: true, source },
  { name: 'name', from: 'title', need: true, limit: 150, source: yandexOffers },
  { name: 'vendor', from: 'brand', source },
  { name: 'vendorCode', from: 'mpn', source },
  { name: 'description', from: 'description', source },
  { name: 'barcode', from: 'gtin', source: yandexOffers },
  { name: 'param', from: parameters, source },
])

/** Rates of others than the rouble are those of the central bank. */
const currencyElements = [...currencies.values()]
  .map((code) => `<currency id="${code}" rate="${code === 'RUR' ? '1' : 'CBRF'}"/>\n`)
  .join('')

export const yandexProfile = profileOf({
  platform: 'yandex',
  version: 1,
  aliases: [],
  native: 'xml',
  table: { listSeparator: ',' },
  xml: {
    head: [
      '<?xml version="1.0" encoding="UTF-8"?>',
      '<yml_catalog{date}>',
      '<shop>',
      '<name>{title}</name>',
      '<company>{title}</company>',
      '<url>{link}</url>',
      `<currencies>\n${currencyElements}</currencies>`,
      '<categories>\n{categories}</categories>',
      '<offers>\n',
    ].join('\n'),
    item: 'offer',
    tail: '</offers>\n</shop>\n</yml_catalog>\n',
    nested: true,
    attributes: { offer: ['id', 'available', 'group_id'], param: ['name'] },
  },
  fields,
  alsoAsked: [offerGoesOn(source)],
})
