/** Availability: can the product be had? */
import { googleAnswer, metaFields } from '../../../schemas/feeds/platform-pages.ts'
import { percent } from '../percent.ts'
import type { RuleOfDimension } from '../rule.ts'

export const availabilityRules: readonly RuleOfDimension[] = [
  {
    id: 'availability',
    field: 'availability',
    points: 65,
    why: 'Platforms and agents offer only what they know to be available',
    sources: [googleAnswer(6324448)],
    presence: true,
    check: ({ availability }) => percent.when(availability !== null),
  },
  {
    id: 'quantity',
    field: 'quantity',
    points: 20,
    why: 'A quantity tells agents how many they may sell; only what is in stock needs one',
    sources: [metaFields],
    presence: true,
    check: ({ availability, quantity }) =>
      percent.when(quantity !== null || (availability !== null && availability !== 'in_stock')),
  },
  {
    id: 'quantity.agrees',
    field: 'quantity',
    points: 15,
    why: 'A product in stock with none left, or sold out with some left, contradicts itself',
    sources: ['Assay: one of the two is wrong, and either sells what is not there or hides what is'],
    check({ availability, quantity }) {
      if (availability === null || quantity === null) return null
      if (availability === 'in_stock') return percent.when(quantity > 0)
      return percent.when(availability !== 'out_of_stock' || quantity <= 0)
    },
  },
]
