/** What the driver's errors mean to us. */
import { LogAway } from './log-away.ts'

interface DriverError {
  readonly apiId?: string
  readonly code?: string
  readonly message?: string
  readonly cause?: unknown
  readonly errors?: readonly unknown[]
}

/** The driver wraps what went wrong in what it meant to do, and gathers what went wrong at each try. */
function has(error: unknown, property: 'apiId' | 'code', value: string): boolean {
  const { [property]: own, cause, errors = [] } = (error ?? {}) as DriverError
  return own === value || [cause, ...errors].some((one) => Boolean(one) && has(one, property, value))
}

/** Whether the broker's answer, or any of several, has this name in Kafka's table of errors. */
export const errorId = (error: unknown, id: string): boolean => has(error, 'apiId', id)

/** Never answered by trying again; all else is. */
const refusals: Readonly<Record<string, string>> = {
  MESSAGE_TOO_LARGE: 'a record is larger than the topic takes',
  TOPIC_AUTHORIZATION_FAILED: 'this user has no rights on the topic',
  GROUP_AUTHORIZATION_FAILED: 'this user has no rights on the group',
  CLUSTER_AUTHORIZATION_FAILED: 'this user has no rights on the cluster',
  INVALID_REPLICATION_FACTOR: 'there are fewer brokers than copies are asked for; set ASSAY_KAFKA_REPLICATION',
  UNSUPPORTED_SASL_MECHANISM: 'the brokers do not know ASSAY_KAFKA_SASL as it is set',
}

/** What trying again does not help. */
export class LogRefused extends Error {
  override readonly name = 'LogRefused'
}

/** An error of the driver as ours. */
export function told(cause: unknown): Error {
  const says = Object.entries(refusals).find(([id]) => errorId(cause, id))?.[1]
  if (says) return new LogRefused(`Kafka refuses: ${says}.`, { cause })
  if (has(cause, 'code', 'PLT_KFK_AUTHENTICATION'))
    return new LogRefused('Kafka refuses the credentials of ASSAY_KAFKA_SASL.', { cause })
  if (!/^PLT_KFK_/.test(String((cause as DriverError | null)?.code))) return cause as Error
  return new LogAway(`Kafka does not answer: ${lastReason(cause)}`, { cause })
}

/** The driver tells all tries; what stands now is the last. */
function lastReason(cause: unknown): string {
  const { errors, message } = cause as DriverError
  return errors?.length ? lastReason(errors.at(-1)) : (message ?? String(cause))
}
