/** What is wrong with a family as platforms see it: variants that lack what others have, variants that nothing tells apart, too many of them. */
import { type FamilyCode, familyAsks, mostVariants, ofOneGtin } from '../../schemas/feeds/family-asks.ts'
import type { Platform } from '../../schemas/feeds/profile.ts'
import { optionField } from '../silver/variants.ts'

export interface FamilyExample {
  readonly productId: string
  readonly sku: string | null
}

/** The variants that are alike in one respect. */
interface Some {
  readonly variants: number
  /** The first of them. */
  readonly examples: readonly FamilyExample[]
}

export interface FamilySeen {
  readonly variants: number
  /** By what they say at all: names of options, and of the attributes that have a field. */
  readonly forms: readonly (Some & { readonly names: readonly string[] })[]
  /** Those that have all values in common with another. */
  readonly alike: Some & { readonly ofOneGtin: boolean }
}

export interface FamilyProblem extends Some {
  readonly code: FamilyCode
  readonly platforms: readonly Platform[]
  readonly says: string
}

export function familyProblems(seen: FamilySeen): FamilyProblem[] {
  return [differing(seen), alike(seen), tooMany(seen)].filter((problem) => problem !== null)
}

const problem = (code: FamilyCode, says: string, { variants, examples }: Some): FamilyProblem => ({
  code,
  platforms: familyAsks[code].by,
  says,
  variants,
  examples: examples.slice(0, mostExamples),
})

const mostExamples = 10
/** More names than this are not told one by one. */
const mostNames = 5

/** A color is one, whether it is an option in some language or a column. */
const attributeOf = (name: string) => optionField(name) ?? name

function differing({ forms, variants }: FamilySeen): FamilyProblem | null {
  const read = forms.map((form) => ({ ...form, has: new Set(form.names.map(attributeOf)) }))
  const count = new Map<string, number>()
  for (const { has, variants: some } of read) for (const name of has) count.set(name, (count.get(name) ?? 0) + some)
  const names = [...count].filter(([, some]) => some < variants).sort(([a], [b]) => (a < b ? -1 : 1))
  if (names.length === 0) return null
  const lacking = read.filter(({ has }) => names.some(([name]) => !has.has(name)))
  const told = names.slice(0, mostNames).map(([name, some]) => `${variants - some} of ${variants} have no ${name}`)
  const more = names.length > mostNames ? ` and ${names.length - mostNames} more` : ''
  return problem(
    'attributes_differ',
    `Variants of one group must say the same attributes: ${told.join(', ')}${more}; fill them, or leave them out of all`,
    {
      variants: lacking.reduce((sum, form) => sum + form.variants, 0),
      examples: lacking.flatMap(({ examples }) => examples),
    },
  )
}

function alike({ alike: some, forms }: FamilySeen): FamilyProblem | null {
  if (some.variants === 0) return null
  const told = forms.some(({ names }) => names.length > 0)
    ? `${some.variants} variants have the same values as another of their group; give each its own, or leave it out`
    : `Nothing tells the ${some.variants} variants apart; give each its options, as in Size: M`
  const found = problem('variants_alike', told, some)
  return some.ofOneGtin ? { ...found, platforms: [ofOneGtin, ...found.platforms] } : found
}

function tooMany({ variants }: FamilySeen): FamilyProblem | null {
  if (variants <= mostVariants) return null
  const says = `The group has ${variants} variants, and ${mostVariants} are taken; split it by what buyers choose first`
  return problem('too_many_variants', says, { variants, examples: [] })
}
