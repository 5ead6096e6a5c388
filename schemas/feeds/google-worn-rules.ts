/** For what Google refuses something to wear: colour, gender, age group, and the size of clothing and shoes. */
import type { RefinedProduct } from '../product.ts'
import { type GoogleBranch, googleBranch } from './google-branch.ts'
import { googleWorn, isColourCode } from './google-worn.ts'
import { googleAnswer, googleSpecification } from './platform-pages.ts'
import type { PlatformRule } from './profile.ts'
import { quoteValue } from './quote-value.ts'

const anyWorn: readonly (GoogleBranch | null)[] = ['clothing', 'apparel']

interface Need {
  readonly field: string
  readonly among: readonly (GoogleBranch | null)[]
  readonly asks: string
  readonly source: string
  /** As the product has it, and as Google takes it. */
  readonly said: (p: RefinedProduct) => string | null
  readonly taken: (p: RefinedProduct) => string | null
  /** What Google says where there is none, and of a value that it refuses. */
  readonly missing: string
  readonly refused: (value: string) => string
  readonly send: string
}

const needs = ({ field, among, asks, source, said, taken, missing, refused, send }: Need): PlatformRule => ({
  field,
  asks,
  source,
  broken: ({ product }) => {
    if (!among.includes(googleBranch(product.googleProductCategory)) || taken(product) !== null) return null
    const value = said(product)
    const why = value === null || value.trim() === '' ? missing : `${refused(value)}: ${quoteValue(value)}`
    return `Google takes ${why}; ${send}`
  },
})

/**
 * Free listings ask it in every country, ads in Brazil, France, Germany, Japan, the United Kingdom and the United States (G-dig,
 * GM-ver). A product names no country that it is sold in, so it is ready where free listings would take it. Only Google's own
 * category tells: what it makes of a product without one nobody knows before.
 */
export const googleWornRules: readonly PlatformRule[] = [
  needs({
    field: 'color',
    among: anyWorn,
    asks: 'required for what is worn (166): a name, no code',
    source: googleAnswer(12471922),
    said: ({ color }) => color,
    taken: googleWorn.color,
    missing: 'nothing to wear without a colour',
    refused: (value) =>
      isColourCode(value)
        ? 'nothing to wear with a code or a number for its colour'
        : 'nothing to wear with a colour of more than 40 characters, or 100 for all',
    send: 'send its name, as in Black',
  }),
  needs({
    field: 'gender',
    among: anyWorn,
    asks: 'required for what is worn (166): male, female or unisex',
    source: googleSpecification,
    said: ({ gender }) => gender,
    taken: googleWorn.gender,
    missing: 'nothing to wear without a gender',
    refused: () => 'nothing to wear with another gender',
    send: 'send male, female or unisex',
  }),
  needs({
    field: 'age_group',
    among: anyWorn,
    asks: 'required for what is worn (166): newborn, infant, toddler, kids or adult',
    source: googleSpecification,
    said: ({ ageGroup }) => ageGroup,
    taken: googleWorn.ageGroup,
    missing: 'nothing to wear without an age group',
    refused: () => 'nothing to wear with another age group',
    send: 'send newborn, infant, toddler, kids or adult',
  }),
  needs({
    field: 'size',
    among: ['clothing'],
    asks: 'required for clothing (1604) and shoes (187), at most 100 characters',
    source: googleAnswer(12471627),
    said: ({ size }) => size,
    taken: googleWorn.size,
    missing: 'no clothing or shoes without a size',
    refused: () => 'no clothing or shoes with a size of more than 100 characters',
    send: 'send it, as in M or 42',
  }),
]
