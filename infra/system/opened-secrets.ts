/** The secrets that a webhook signs with now, opened for as long as it takes to sign. */

import type { SealedSecret } from '../catalog/webhook-secrets.ts'
import { SealError, type Sealing } from '../seal.ts'
import type { Secrets } from './attempt-delivery.ts'

/** @param sealed the one in force first @throws SealError */
export function openedSecrets(sealing: Sealing, sealed: readonly SealedSecret[]): Secrets {
  const [inForce, former] = sealed.map((one) => sealing.open(one, one.webhook))
  if (inForce === undefined) throw new SealError('There is none.')
  return { inForce, former: former ?? null }
}
