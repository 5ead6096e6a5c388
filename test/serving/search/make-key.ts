/** A key that may search. */
import type { Running } from '../../running.ts'

export async function makeKey(assay: Running, brand: string | null): Promise<string> {
  const body = { name: 'search', scopes: ['search:read'], brand_id: brand }
  return (await assay.call('POST', '/api/workspace/ws_test/keys', body)).body.secret
}
