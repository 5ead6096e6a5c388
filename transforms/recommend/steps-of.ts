/** Which ways of recommending are tried one after another. */
import { isOfProduct, type RecommendationMethod, recommendationMethods } from '../../schemas/recommendation.ts'
import type { Step } from './open-choice.ts'

/**
 * The method that is asked for and those behind it. What is not about a product looks in the category that is asked for; without
 * one in the product's own, then in each above it, and everywhere at last.
 * @param own path of the product; null: there is no product
 */
export function stepsOf(
  asked: RecommendationMethod,
  category: readonly string[] | null,
  own: readonly string[] | null,
): Step[] {
  const methods = recommendationMethods.slice(recommendationMethods.indexOf(asked))
  const places = category ? [category] : [...(own ?? []).map((_, i, path) => path.slice(0, path.length - i)), null]
  return methods.flatMap((method): Step[] => {
    if (isOfProduct(method)) return own === null ? [] : [{ method, category }]
    return places.map((place) => ({ method, category: place }))
  })
}
