/** Whose a record is that nobody can read, as far as it says so. */
import { type Claims, noClaims } from '../../schemas/dead-letter.ts'
import { keyForms } from './decode.ts'
import type { Form } from './hex-form.ts'

const uuid = keyForms.catalog

export function claimsOf(bytes: Uint8Array): Claims {
  let value: Partial<Record<keyof Claims, unknown>> | null
  try {
    value = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes))
  } catch {
    return noClaims
  }
  const said = (name: keyof Claims, form: Form) => {
    const word = value?.[name]
    return typeof word === 'string' && form.test(word) ? word : null
  }
  return {
    workspace: said('workspace', keyForms.workspace),
    brand: said('brand', uuid),
    catalog: said('catalog', uuid),
    import: said('import', uuid),
    source: said('source', /^[^\0]+$/),
  }
}
