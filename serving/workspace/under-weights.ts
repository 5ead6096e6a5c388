/** Reads under one set of weights: where others come into force meanwhile, all is read again, so that no answer mixes the two. */
import type { PoolClient } from 'pg'
import { findSettings } from '../../infra/catalog/settings.ts'
import { ServiceError } from '../../schemas/errors.ts'
import type { WeightsInForce } from './product-ports.ts'

export async function underWeights<T>(
  tx: PoolClient,
  workspace: string,
  read: (weights: WeightsInForce) => Promise<T>,
): Promise<T> {
  for (let found = await inForce(tx, workspace); ; ) {
    const result = await read({ weights: found.weights, number: found.weightsNumber })
    const now = await inForce(tx, workspace)
    if (now.weightsNumber === found.weightsNumber) return result
    found = now
  }
}

async function inForce(tx: PoolClient, workspace: string) {
  const found = await findSettings(tx, workspace)
  if (!found) throw new ServiceError('FORBIDDEN', { message: 'There is no such workspace' })
  return found
}
