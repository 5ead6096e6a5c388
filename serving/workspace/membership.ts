/** What a membership may become at whose hand: owners make owners, nobody raises themselves, nobody gives brands that they do not have. */
import type { Membership } from '../../infra/catalog/members.ts'
import { type Role, roles } from '../../schemas/access.ts'
import { ServiceError } from '../../schemas/errors.ts'
import type { Bearer } from '../access/principal.ts'

/** Whose membership it is, as it stands (null: not a member), and as it is to be (null: removed). */
export interface MembershipChange {
  readonly subject: string
  readonly from: Membership | null
  readonly to: Membership | null
}

type Mover = Pick<Bearer, 'subject' | 'role' | 'brands'>

/** @throws ServiceError 400 where it makes no sense for anyone, 403 where it is not this bearer's to make */
export function judgeMembership(by: Mover, change: MembershipChange) {
  const { subject, from, to } = change
  if (to) beWhole(to)
  if ((from?.role === 'owner' || to?.role === 'owner') && by.role !== 'owner')
    throw new ServiceError('INSUFFICIENT_PERMISSIONS', { message: 'Only owners make, change and remove owners' })
  if (!to) return
  if (by.brands !== '*' && !isWithin(to, by.brands))
    throw new ServiceError('FORBIDDEN', { message: 'There is no such brand among yours', field: 'brand_ids' })
  if (!from || subject !== by.subject) return
  if (isAbove(to.role, from.role) || !(from.allBrands || isWithin(to, from.brandIds)))
    throw new ServiceError('FORBIDDEN', { message: 'Nobody raises themselves; ask another member' })
}

function beWhole({ role, allBrands, brandIds }: Membership) {
  const refuse = (message: string, field: string) => new ServiceError('INVALID_REQUEST', { message, field })
  if (allBrands && brandIds.length > 0) throw refuse('Say all_brands or brand_ids, not both', 'brand_ids')
  if (role === 'owner' && !allBrands) throw refuse('An owner has all brands', 'all_brands')
  if (!allBrands && brandIds.length === 0) throw refuse('Say all_brands, or which brands', 'brand_ids')
}

const isWithin = (membership: Membership, brands: readonly string[]) =>
  !membership.allBrands && membership.brandIds.every((id) => brands.includes(id))

/** Roles stand from the highest. */
const isAbove = (role: Role, other: Role) => roles.indexOf(role) < roles.indexOf(other)
