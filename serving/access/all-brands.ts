/** Refuses who is pinned to brands where the whole workspace is at stake. */
import { ServiceError } from '../../schemas/errors.ts'
import type { Bearer } from './principal.ts'

export function requireAllBrands({ brands }: Pick<Bearer, 'brands'>) {
  if (brands === '*') return
  throw new ServiceError('FORBIDDEN', {
    message:
      'This is of the whole workspace, for those who have all brands and name none in X-Active-Brand or brand_id',
  })
}
