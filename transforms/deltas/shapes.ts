/** The shapes in which changes of a catalog are sent, by their target's name. */
import type { DeltaTarget } from '../../schemas/delta.ts'
import { custom } from './custom.ts'
import { google } from './google.ts'
import type { DeltaShape } from './shape.ts'
import { shopify } from './shopify.ts'
import { social } from './social.ts'
import { vtex } from './vtex.ts'
import { woocommerce } from './woocommerce.ts'

export const deltaShapes: Readonly<Record<DeltaTarget, DeltaShape>> = {
  vtex,
  shopify,
  social,
  google,
  woocommerce,
  custom,
}
