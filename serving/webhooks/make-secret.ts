/** Makes a signing secret as Standard Webhooks asks for them: 32 random bytes behind `whsec_`. */
import { randomBytes } from 'node:crypto'

export const makeSecret = (): string => `whsec_${randomBytes(32).toString('base64')}`
