/** Tells which branch of Google's taxonomy a category lies in, where rules differ by branch: clothing, other apparel, media. */

/** `clothing` is what comes in sizes: 1604 and 187 with all below them; `apparel` is the rest of 166; `media` is 783. */
export type GoogleBranch = 'clothing' | 'apparel' | 'media'

/** Ids of Google_Product_Taxonomy_Version 2021-09-21. An id says nothing of its parent, so each branch lists all it holds. */
const ids: Record<GoogleBranch, string> = {
  clothing: `
    1604 5322 3951 5697 3128 3455 3188 6087 3729 5378 499979 5460 5462 5461 5552 5379 5517 6006 7003 5463 5555
    182 5408 5549 5424 5425 5622 5412 5423 5409 5410 5411 5621 2271 5182 5250 5490 7132 203 5506 5598 5514 3066
    5909 1831 7313 204 212 207 1581 6229 6228 2331 5344 208 5713 5513 2580 2302 1594 5183 1516 1580 211 5388
    6031 5674 6227 5673 5678 5677 5343 5684 5683 5682 5681 5680 5679 5483 8149 8248 7281 5676 213 7207 7208
    7211 7210 7209 214 215 5327 1772 2563 2160 1675 1807 2963 1578 209 2745 2562 5834 2306 5484 5878 7235 7237
    2396 7236 5949 206 3414 3598 3888 3191 3439 3683 3724 3958 4003 3253 5564 3379 3852 2292 5441 5330 5329 187`,
  apparel: `
    166 167 5942 5422 5623 5624 5625 5626 1786 168 543586 543587 3913 169 5443 5446 6985 6984 193 5114 6238 170
    171 8451 2477 4057 1948 6183 502988 543646 543645 543644 5915 1662 1483 5914 7305 7307 7306 181 7133 5207
    173 2020 7054 1922 5939 5941 6268 502987 7230 176 4179 499972 177 543673 543674 178 179 180 5390 5688 5686
    5687 5685 1893 184 5192 7304 8017 5907 8200 5426 500118 500008 8018 5387 5193 5194 6552 6460 175 6277 5841
    6551 6170 6169 3032 2668 188 189 190 191 197 192 194 6463 196 200 5122 5123 7471 6870 201 1933 5567 7078
    5385 1856 2427`,
  media: `
    783 784 543541 543542 543543 499995 839 543527 543529 543528 886 543539 543540 855 543526 543522 543524
    543523 543525 5037 499821 5038 5861 5039 5040 5860 499866 7516 5041 887`,
}

const branches = new Map(
  Object.entries(ids).flatMap(([branch, list]) =>
    list
      .trim()
      .split(/\s+/)
      .map((id) => [id, branch as GoogleBranch] as const),
  ),
)

const clothingPath = /^\s*apparel & accessories\s*>\s*(?:clothing|shoes)\s*(?:>|$)/i
const apparelPath = /^\s*apparel & accessories\s*(?:>|$)/i
const mediaPath = /^\s*media\s*(?:>|$)/i

/** Several rules ask it of one product, one after the other. */
let [asked, answer]: [string | null, GoogleBranch | null] = [null, null]

/** @param category an id or a full English path, the two forms that Google takes */
export function googleBranch(category: string | null): GoogleBranch | null {
  if (category === asked) return answer
  asked = category
  answer = category === null ? null : read(category)
  return answer
}

function read(category: string): GoogleBranch | null {
  const byId = branches.get(category)
  if (byId) return byId
  if (clothingPath.test(category)) return 'clothing'
  if (apparelPath.test(category)) return 'apparel'
  return mediaPath.test(category) ? 'media' : null
}
