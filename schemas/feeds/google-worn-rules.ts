/** For what Google refuses something to wear: colour, gender, age group, and the size of clothing and shoes. */
import type { RefinedProduct } from '../product.ts'
import { type GoogleBranch, googleBranch } from './google-branch.ts'
import { googleWorn } from './google-worn.ts'
import { googleAnswer, googleSpecification } from './platform-pages.ts'
import type { PlatformRule } from './profile.ts'

const anyWorn: readonly (GoogleBranch | null)[] = ['clothing', 'apparel']

function needs(
  field: string,
  among: readonly (GoogleBranch | null)[],
  [asks, reason]: readonly [asks: string, reason: string],
  source: string,
  read: (p: RefinedProduct) => string | null,
): PlatformRule {
  const broken: PlatformRule['broken'] = ({ product }) =>
    among.includes(googleBranch(product.googleProductCategory)) && read(product) === null ? reason : null
  return { field, asks, source, broken }
}

/**
 * Free listings ask it in every country, ads in Brazil, France, Germany, Japan, the United Kingdom and the United States (G-dig,
 * GM-ver). A product names no country that it is sold in, so it is ready where free listings would take it. Only Google's own
 * category tells: what it makes of a product without one nobody knows before.
 */
export const googleWornRules: readonly PlatformRule[] = [
  needs(
    'color',
    anyWorn,
    [
      'required for what is worn (166): a name, no code',
      'Google takes nothing to wear without a colour; send its name, as in Black',
    ],
    googleAnswer(12471922),
    googleWorn.color,
  ),
  needs(
    'gender',
    anyWorn,
    [
      'required for what is worn (166): male, female or unisex',
      'Google takes nothing to wear without a gender; send male, female or unisex',
    ],
    googleSpecification,
    googleWorn.gender,
  ),
  needs(
    'age_group',
    anyWorn,
    [
      'required for what is worn (166): newborn, infant, toddler, kids or adult',
      'Google takes nothing to wear without an age group; send newborn, infant, toddler, kids or adult',
    ],
    googleSpecification,
    googleWorn.ageGroup,
  ),
  needs(
    'size',
    ['clothing'],
    [
      'required for clothing (1604) and shoes (187), at most 100 characters',
      'Google takes no clothing or shoes without a size; send it, as in M or 42',
    ],
    googleAnswer(12471627),
    googleWorn.size,
  ),
]
