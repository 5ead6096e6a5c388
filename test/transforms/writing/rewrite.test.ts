import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { noAiSpec } from '../../../schemas/brand.ts'
import { feedProduct } from '../../../schemas/feeds/feed-product.ts'
import { platformNames } from '../../../schemas/feeds/profile.ts'
import { type RefinedProduct, unrefined } from '../../../schemas/product.ts'
import { defaultWeights, score, weigh } from '../../../schemas/score.ts'
import { factLabel, factNames } from '../../../transforms/writing/fact-labels.ts'
import { rewrite } from '../../../transforms/writing/rewrite.ts'
import { writingRules } from '../../../transforms/writing/writing-rules.ts'
import { anyProduct } from '../../schemas/feeds/arbitrary-product.ts'

const rulesOf = (more: Partial<typeof noAiSpec> = {}) => writingRules(platformNames, { ...noAiSpec, ...more })
const written = (product: Partial<RefinedProduct>, rules = rulesOf(), kind: 'single' | 'variant' = 'single') =>
  rewrite(
    feedProduct({ ...unrefined, ...product }, 'P-1', kind, '2026-11-29T00:00:00.000Z'),
    kind,
    defaultWeights,
    rules,
  )

const mug: Partial<RefinedProduct> = {
  title: 'Enamel mug',
  description: 'A mug that is made for the camp fire and for the kitchen. FREE SHIPPING on all orders!!',
  brand: 'Lumo',
  color: 'Red',
  material: 'Enamelled steel',
  weight: '250 g',
  categoryPath: ['Kitchen', 'Mugs'],
  attributes: { Capacity: '300 ml' },
}

describe('a product is written anew', () => {
  test('its title names the brand and what sets it apart', () => {
    expect(written(mug).optimized.title).toBe('Lumo Enamel mug, Red, Enamelled steel')
  })

  test('its description keeps its own words, leaves out what sells, and says the facts that it had not said', () => {
    expect(written(mug).optimized.description).toBe(
      'A mug that is made for the camp fire and for the kitchen.\n\nColour: Red. Material: Enamelled steel. Weight: 250 g. Capacity: 300 ml. Brand: Lumo. Category: Kitchen > Mugs.',
    )
  })

  test('facts are named in the language of the product', () => {
    const { description } = written({
      ...{ title: 'Emaillebecher für die Küche', color: 'Rot' },
      description: 'Der Becher ist für das Lagerfeuer und für die Küche gemacht.',
    }).optimized
    expect(description).toContain('Farbe: Rot.')
  })

  test('what is right already stays as it is', () => {
    const first = written(mug).optimized
    expect(written({ ...mug, ...first }).optimized).toEqual(first)
  })

  test('capitals are taken down, and names stay', () => {
    const { title } = written({ title: 'IKEA STOOL MADE FOR KITCHENS 45CM', brand: 'IKEA' }).optimized
    expect(title).toBe('IKEA stool made for kitchens 45CM')
  })

  test('a word that the brand never uses is not written, nor a sentence with it kept', () => {
    const spec = rulesOf({ keywords_never: ['cheap', 'red'] })
    const { optimized } = written({ ...mug, description: 'A cheap mug. Made for the camp fire.' }, spec)
    expect(`${optimized.title} ${optimized.description}`).not.toMatch(/cheap|red\b/i)
    expect(optimized.description).toContain('Made for the camp fire.')
  })

  test('a word that the brand always uses is written only where the product says it of itself', () => {
    const spec = rulesOf({ keywords_always: ['organic', '300 ml'] })
    const { title } = written(mug, spec).optimized
    expect(title).toContain('300 ml')
    expect(title).not.toContain('organic')
  })

  test('a word that the brand never uses goes from a title whose parts are apart, even where that costs points', () => {
    const spec = rulesOf({ keywords_never: ['kitchen'] })
    const description = 'Red all round. A mug that is made for the camp fire and for the kitchen, for tea and for soup.'
    const { optimized } = written({ title: 'Enamel mug | Kitchen', description }, spec)
    expect(optimized).toEqual({ title: 'Enamel mug', description: 'Red all round.' })
  })

  test('what nobody can tell the sense of is not said: numbers without unit, facts without a name, words of ours', () => {
    const { optimized } = written({
      ...{ title: 'iPod nano', description: 'New design.', weight: '0.068', height: '0.4', brand: 'Lumo' },
      ...{ gender: 'unisex', ageGroup: 'adult', size: '33', categoryPath: ['iPods'] },
    })
    expect(optimized.description).toBe('New design.')
    const german = written({
      ...{
        title: 'Rucksack für die Küche',
        description: 'Der Rucksack ist für das Lagerfeuer und für die Küche gemacht.',
      },
      ...{
        gender: 'unisex',
        options: { size: 'ohne Farbe', color: 'Rot' },
        weight: '1',
        width: '30 cm',
        height: '30 cm',
      },
      attributes: { leer_gewicht: '900 g', Breite: '40 cm', Seite: 'https://shop.example.test/1' },
    }).optimized
    expect(german.title).toBe('Rucksack für die Küche, Rot')
    expect(german.description?.split('\n\n')[1]).toBe('Farbe: Rot. Breite: 30 cm. Höhe: 30 cm. Leer gewicht: 900 g.')
  })

  test('no name stands twice: of the brand, of a value', () => {
    const titleOf = (title: string, brand: string) => written({ ...mug, title, brand }).optimized.title
    expect(titleOf('Torres Salmos', 'Miguel Torres')).toMatch(/^Miguel Torres Salmos,/)
    expect(titleOf('Tommy Icons', 'Tommy Hilfiger')).toMatch(/^Tommy Icons,/)
    expect(titleOf('Rice cakes', 'Despar,Spar')).toMatch(/^Rice cakes,/)
    expect(written({ ...mug, options: { Size: 'Size 42' } }).optimized.description).toContain(' kitchen.\n\nSize 42. ')
    expect(written({ ...mug, options: { Logo: 'Yes' } }).optimized.title).not.toContain('Yes')
  })

  test('one fact makes no description, and where nothing can be said the product’s own stays', () => {
    const bare = { title: 'Carote', brand: 'Lumo', options: { Colore: 'Rosso' } }
    expect(written({ ...bare, description: 'Carote' }).optimized.description).toBe('Carote')
    expect(written({ ...bare, description: null }).optimized.description).toBeNull()
    expect(written({ ...mug, ...bare, description: 'Buy now!!' }).optimized.description).not.toBeNull()
  })

  test('a variant names its options', () => {
    expect(written({ ...mug, options: { Size: 'XL' } }, rulesOf(), 'variant').optimized.title).toContain('XL')
  })
})

const words = (text: string) => text.toLowerCase().match(/[\p{L}\p{M}]+|\p{N}+/gu) ?? []
/** Names of options and attributes are texts of the product too. */
const textsOf = (value: unknown): string[] =>
  value !== null && typeof value === 'object'
    ? Object.entries(value).flatMap(([name, one]) => [name, ...textsOf(one)])
    : [String(value)]
const everyLabel = new Set(
  ['en', 'de', 'fr', 'es', 'pt', 'it', 'nl', 'pl', 'cs', 'ru', 'ja', 'zh'].flatMap((code) =>
    factNames.flatMap((name) => words(factLabel(code, name) ?? '')),
  ),
)

describe('for any product', () => {
  test('no word and no number is written that the product does not have', () => {
    fc.assert(
      fc.property(anyProduct, (product) => {
        const { optimized } = written(product)
        const had = words(textsOf(product).join('\n'))
        for (const word of words(`${optimized.title ?? ''} ${optimized.description ?? ''}`))
          expect(everyLabel.has(word) || had.some((one) => one.startsWith(word)), word).toBe(true)
      }),
    )
  })

  test('it never scores less than before, nor is taken by fewer platforms', () => {
    fc.assert(
      fc.property(anyProduct, (product) => {
        const { before, after } = written(product)
        expect(weigh(after.sub, defaultWeights)).toBeGreaterThanOrEqual(weigh(before.sub, defaultWeights))
        expect(score(after.sub, defaultWeights)).toBeGreaterThanOrEqual(score(before.sub, defaultWeights))
        expect(after.valid & before.valid).toBe(before.valid)
      }),
    )
  })

  test('it fits the limits of every platform that it is written for', () => {
    fc.assert(
      fc.property(anyProduct, (product) => {
        const { original, optimized } = written(product)
        if (optimized.title !== original.title) expect([...(optimized.title ?? '')].length).toBeLessThanOrEqual(150)
        if (optimized.description !== original.description)
          expect([...(optimized.description ?? '')].length).toBeLessThanOrEqual(5_000)
      }),
    )
  })
})
