/** Availability: can the product be had? */
import { percent } from '../percent.ts'
import type { RuleOfDimension } from '../rule.ts'

export const availabilityRules: readonly RuleOfDimension[] = [
  {
    id: 'availability',
    field: 'availability',
    points: 65,
    why: 'Platforms and agents offer only what they know to be available',
    presence: true,
    check: ({ availability }) => percent.when(availability !== null),
  },
  {
    id: 'quantity',
    field: 'quantity',
    points: 20,
    why: 'A quantity tells agents how many they may sell; only what is in stock needs one',
    presence: true,
    check: ({ availability, quantity }) =>
      percent.when(quantity !== null || (availability !== null && availability !== 'in_stock')),
  },
  {
    id: 'quantity.agrees',
    field: 'quantity',
    points: 15,
    why: 'A product in stock with none left, or sold out with some left, contradicts itself',
    check({ availability, quantity }) {
      if (availability === null || quantity === null) return null
      if (availability === 'in_stock') return percent.when(quantity > 0)
      return percent.when(availability !== 'out_of_stock' || quantity <= 0)
    },
  },
]
