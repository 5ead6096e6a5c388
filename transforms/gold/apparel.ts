/** Tells whether a product is something to wear, where shoppers and platforms ask for colour, size, gender and age group. */
import { googleBranch } from '../../schemas/feeds/google-branch.ts'
import type { RefinedProduct } from '../../schemas/product.ts'

/** Words of shops' own categories, folded. Whole words only: a shoe cabinet is furniture. */
const clothing =
  'apparel clothes clothing shirt shirts tshirts dresses skirts trousers pants jeans shorts jackets coats sweaters hoodies ' +
  'underwear lingerie swimwear activewear socks footwear shoes sneakers boots sandals kleidung bekleidung schuhe hosen ' +
  'jacken kleider vetements chaussures ropa zapatos calzado roupas roupa sapatos calcados abbigliamento scarpe kleding ' +
  'schoenen odziez buty obleceni obuv'
const wornUnsized =
  'jewelry jewellery handbags wallets sunglasses scarves necklaces bracelets earrings schmuck handtaschen bijoux bijouterie ' +
  'joyeria bolsos joias bolsas gioielli borse sieraden bizuteria'

export type Apparel = 'clothing' | 'apparel'

const meanings = new Map<string, Apparel>([
  ...wornUnsized.split(' ').map((word) => [word, 'apparel'] as const),
  ...clothing.split(' ').map((word) => [word, 'clothing'] as const),
])

const notAscii = /[^\0-\x7f]/
const marks = /\p{M}+/gu
const betweenWords = /[^a-z]+/

function byWords(path: readonly string[]): Apparel | null {
  let found: Apparel | null = null
  for (const level of path) {
    const folded = notAscii.test(level) ? level.normalize('NFKD').replace(marks, '') : level
    for (const word of folded.toLowerCase().split(betweenWords)) {
      const meaning = meanings.get(word)
      if (meaning === 'clothing') return meaning
      found ??= meaning ?? null
    }
  }
  return found
}

const id = /^\d+$/

/** Six rules ask it of one product, one after the other. */
let asked: RefinedProduct | null = null
let answer: Apparel | null = null

/** Google's category decides where it can be told apart, else the words of the shop's own path. */
export function apparelOf(p: RefinedProduct): Apparel | null {
  if (p !== asked) {
    answer = read(p)
    asked = p
  }
  return answer
}

function read(p: RefinedProduct): Apparel | null {
  const branch = googleBranch(p.googleProductCategory)
  if (branch !== null) return branch === 'media' ? null : branch
  if (p.googleProductCategory !== null && id.test(p.googleProductCategory)) return null
  return byWords(p.categoryPath)
}
