/** Which rules speak for a platform: a product that meets all of them is one that the platform takes. */
import { profileFor } from '../../schemas/feeds/registry.ts'
import { measure } from './grade.ts'
import { rubric } from './rubric.ts'

/** By place in the rubric. */
export const isRefusal: readonly boolean[] = rubric.map(({ id }) => id.startsWith('feed.'))

/** The bit of the platform that the refusals are those of; what others refuse a product for its points do not tell. */
export const measureBit = profileFor(measure)?.bit ?? 0
