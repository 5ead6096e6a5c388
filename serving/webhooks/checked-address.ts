/** An address that webhooks may be sent to, as it is kept. */
import { EgressError } from '../../schemas/egress-error.ts'
import { type ErrorCode, ServiceError } from '../../schemas/errors.ts'
import type { WebhookPorts } from './webhooks.ts'

/** @throws ServiceError 400, with one text for all that is wrong with it */
export function checkedAddress(
  webhooks: Pick<WebhookPorts['webhooks'], 'check'>,
  address: string,
  invalid: ErrorCode,
): string {
  try {
    return webhooks.check(address).href
  } catch (error) {
    if (!(error instanceof EgressError)) throw error
    throw new ServiceError(invalid, { message: `url: ${error.message}`, field: 'url', cause: error })
  }
}
