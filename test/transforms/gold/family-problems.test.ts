import { describe, expect, test } from 'vitest'
import { type FamilySeen, familyProblems } from '../../../transforms/gold/family-problems.ts'

const example = (sku: string) => ({ productId: `id-${sku}`, sku })
const form = (names: readonly string[], ...skus: readonly string[]) => ({
  names,
  variants: skus.length,
  examples: skus.map(example),
})
const none: FamilySeen['alike'] = { variants: 0, examples: [], ofOneGtin: false }
const seen = (forms: FamilySeen['forms'], alike = none): FamilySeen => ({
  variants: forms.reduce((sum, { variants }) => sum + variants, 0),
  forms,
  alike,
})

describe('a family', () => {
  test('whose variants say the same attributes has no problem, in whatever language they name them', () => {
    expect(familyProblems(seen([form(['size'], 'A', 'B')]))).toEqual([])
    expect(familyProblems(seen([form(['farbe', 'color'], 'A'), form(['color'], 'B'), form(['couleur'], 'C')]))).toEqual(
      [],
    )
  })

  test('in which some lack what others say is told with those that lack it', () => {
    const problems = familyProblems(seen([form(['color', 'size'], 'A', 'B'), form(['color'], 'C'), form([], 'D')]))
    expect(problems).toEqual([
      {
        code: 'attributes_differ',
        platforms: ['google', 'meta', 'openai'],
        says: 'Variants of one group must say the same attributes: 1 of 4 have no color, 2 of 4 have no size; fill them, or leave them out of all',
        variants: 2,
        examples: [example('C'), example('D')],
      },
    ])
  })

  test('of which two are alike is refused by Meta and OpenAI, and by Google where they have one GTIN too', () => {
    const twins = { variants: 2, examples: [example('A'), example('B')] }
    const ask = (ofOneGtin: boolean) => familyProblems(seen([form(['size'], 'A', 'B')], { ...twins, ofOneGtin }))[0]
    expect(ask(false)).toMatchObject({ code: 'variants_alike', platforms: ['meta', 'openai'], ...twins })
    expect(ask(true)?.platforms).toEqual(['google', 'meta', 'openai'])
  })

  test('that says nothing at all is told to give its options', () => {
    const [problem] = familyProblems(seen([form([], 'A', 'B')], { variants: 2, examples: [], ofOneGtin: false }))
    expect(problem?.says).toBe('Nothing tells the 2 variants apart; give each its options, as in Size: M')
  })

  test('may have 800 variants and not one more', () => {
    const many = (variants: number) => familyProblems({ ...seen([{ names: ['size'], variants, examples: [] }]) })
    expect(many(800)).toEqual([])
    expect(many(801)).toMatchObject([{ code: 'too_many_variants', platforms: ['meta'], variants: 801 }])
  })
})
