/** Which rules speak for the platforms, and of which platforms a refusal is: a product that meets all of them is one that all take. */
import { platforms } from '../../schemas/feeds/registry.ts'
import { rubric } from './rubric.ts'
import { costOf } from './taken-by.ts'

/** By place in the rubric. */
export const isRefusal: readonly boolean[] = rubric.map(({ id }) => id.startsWith('feed.'))

/** Bits of the platforms that refuse, by the percent that such a rule has attained: no two sets of them cost the same. */
export const refusedBits = new Uint8Array(256)
for (let set = 1; set < 2 ** platforms.length; set++) {
  const own = platforms.filter((_, i) => (set & (1 << i)) !== 0)
  const percent = 100 - own.reduce((sum, { platform }) => sum + costOf[platform], 0)
  refusedBits[percent] = own.reduce((bits, { bit }) => bits | bit, 0)
}
