/** Plans as data: what a workspace may hold under each. Payments are not ours. */
import { z } from 'zod'

export const planNames = ['free', 'team', 'business'] as const
export type PlanName = (typeof planNames)[number]

const gib = 1024 ** 3

/** That one person may make; a workspace that is deleted counts no more. */
export const workspacesPerPerson = 100

export const planLimits = z.object({
  /** Single products and parents; variants are not counted. */
  products: z.int(),
  members: z.int(),
  /** Of files that were sent. */
  storedBytes: z.int(),
  /** A month, in cents of US dollars. */
  aiSpendCents: z.int(),
})
export type PlanLimits = z.infer<typeof planLimits>

export const plans: Readonly<Record<PlanName, PlanLimits>> = {
  free: { products: 1_000, members: 3, storedBytes: gib, aiSpendCents: 500 },
  team: { products: 100_000, members: 25, storedBytes: 100 * gib, aiSpendCents: 10_000 },
  business: { products: 10_000_000, members: 1_000, storedBytes: 10_240 * gib, aiSpendCents: 500_000 },
}
