/** Narrows a request to the brand and catalog that it names: X-Active-Brand or brand_id in the query, X-Active-Catalog. */
import type { FastifyRequest } from 'fastify'
import { ServiceError } from '../../schemas/errors.ts'
import type { Bearer } from './principal.ts'

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

type Unnarrowed = Omit<Bearer, 'brand' | 'catalog' | 'saysAll'>

/**
 * `brand_id=all` is for lists, and for those who have all brands; a brand that is not theirs is refused, not ignored. The query is said of this
 * request alone, so it goes before the header.
 */
export function activeBrand(bearer: Unnarrowed, request: FastifyRequest): Bearer {
  const query = (request.query as { brand_id?: unknown } | null)?.brand_id
  const named = query ?? (request.headers['x-active-brand'] || undefined)
  const saysAll = typeof named === 'string' && named.toLowerCase() === 'all'
  if (saysAll && request.method !== 'GET' && request.method !== 'HEAD') throw ofOneBrand()
  return { ...bearer, ...brandsOf(bearer, named), catalog: activeCatalog(request), saysAll }
}

/** For what is about one brand: `main` would be an answer to another question. @throws ServiceError */
export function requireOneBrand({ saysAll }: Pick<Bearer, 'saysAll'>): void {
  if (saysAll) throw ofOneBrand()
}

const ofOneBrand = () =>
  new ServiceError('INVALID_REQUEST', {
    message:
      'brand_id=all and X-Active-Brand: all are for lists; what is asked or written here is of one brand, so say which',
    field: 'brand_id',
  })

/** A write may name its brand in its body: then it is about that one, within what the request named before. */
export const bodysBrand = (bearer: Bearer, named: string): Bearer => ({
  ...bearer,
  ...brandsOf(bearer, named),
  saysAll: false,
})

function brandsOf(bearer: Unnarrowed, text: unknown): Pick<Bearer, 'brands' | 'brand'> {
  const { brands } = bearer
  if (text === undefined) {
    const only = brands !== '*' && brands.length === 1 ? (brands[0] ?? null) : null
    return { brands, brand: only }
  }
  const named = typeof text === 'string' ? text.toLowerCase() : ''
  if (named === 'all') {
    if (brands !== '*')
      throw new ServiceError('FORBIDDEN', {
        message: 'brand_id=all is for those who have all brands',
        field: 'brand_id',
      })
    return { brands, brand: null }
  }
  if (!uuid.test(named))
    throw new ServiceError('INVALID_REQUEST', { message: 'A brand id is a UUID, or all', field: 'brand_id' })
  if (brands !== '*' && !brands.includes(named))
    throw new ServiceError('FORBIDDEN', { message: 'There is no such brand among yours', field: 'brand_id' })
  return { brands: [named], brand: named }
}

function activeCatalog(request: FastifyRequest): string | null {
  const header = request.headers['x-active-catalog']
  if (typeof header !== 'string' || header === '') return null
  const id = header.toLowerCase()
  if (!uuid.test(id))
    throw new ServiceError('INVALID_REQUEST', { message: 'X-Active-Catalog is the id of a catalog, a UUID' })
  return id
}
