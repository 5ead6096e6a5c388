/** What is sent of a target, whole or as a change of one: the place and its checks, and apart from it what is sealed. */
import { z } from 'zod'
import type { FeedTarget } from '../../infra/catalog/feed-targets.ts'
import { ServiceError } from '../../schemas/errors.ts'
import { hostKey, type TargetPlace, type TargetSecret } from '../../schemas/feed-file.ts'
import { brandId } from '../../schemas/ids.ts'

const printable = /^[\x20-\x7e\xa0-\uffff]*$/
const path = z
  .string()
  .max(1_000)
  .regex(printable)
  .refine((text) => !text.split('/').some((part) => part === '.' || part === '..'), 'has no . or .. in it')
const host = z
  .string()
  .regex(
    /^(?=.{1,253}$)[A-Za-z0-9](?:[A-Za-z0-9.-]*[A-Za-z0-9])?$|^[0-9A-Fa-f:.]{2,45}$/,
    'is a host name or an address',
  )
const secretText = z.string().min(1).max(1_000)

const port = z.int().min(1).max(65_535)
const region = z.string().min(1).max(50)
const ofBoth = { path: path.default(''), brand_id: brandId.optional() }

const sftp = z.strictObject({
  kind: z.literal('sftp'),
  host,
  port: port.default(22),
  user: z.string().min(1).max(200).regex(printable),
  password: secretText.optional(),
  private_key: z.string().min(1).max(20_000).optional(),
  passphrase: secretText.optional(),
  host_key: hostKey.optional(),
  ...ofBoth,
})
const s3 = z.strictObject({
  kind: z.literal('s3'),
  endpoint: z
    .string()
    .max(500)
    .regex(/^https?:\/\/[^/?#\s]+\/?$/, 'is the address of a store, without a path'),
  bucket: z.string().regex(/^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/, 'is the name of a bucket'),
  region: region.default('us-east-1'),
  key_id: z.string().min(1).max(200).regex(printable),
  secret: secretText,
  ...ofBoth,
})
export const targetBody = z.discriminatedUnion('kind', [sftp, s3])

const ofSftp = { ...sftp.omit({ kind: true, path: true, brand_id: true }).partial().shape, port: port.optional() }
const ofS3 = { ...s3.omit({ kind: true, path: true, brand_id: true }).partial().shape, region: region.optional() }

/** What is left out stays. */
export const targetChange = z.strictObject({
  ...ofSftp,
  ...ofS3,
  /** null: that of the next connection. */
  host_key: hostKey.nullable().optional(),
  path: path.optional(),
  brand_id: brandId.optional(),
})
type Change = z.infer<typeof targetChange>

export const invalid = (field: string, message: string) => new ServiceError('INVALID_REQUEST', { field, message })

/** What is said of the place, and apart from it what is sealed. */
export function partsOf(given: z.infer<typeof targetBody>): { of: TargetPlace; secret: TargetSecret } {
  if (given.kind === 's3') {
    const { endpoint, bucket, region, path: at, key_id: keyId } = given
    return {
      of: { kind: 's3', place: { endpoint, bucket, region, keyId, path: at } },
      secret: { password: given.secret },
    }
  }
  const { host: to, port, user, path: at, password, private_key: privateKey, passphrase } = given
  if ((password === undefined) === (privateKey === undefined))
    throw invalid('password', 'Give a password or a private_key, one of the two')
  return {
    of: { kind: 'sftp', place: { host: to, port, user, path: at } },
    secret: secretOf(password, privateKey, passphrase),
  }
}

function secretOf(password?: string, privateKey?: string, passphrase?: string): TargetSecret {
  if (passphrase !== undefined && privateKey === undefined)
    throw invalid('passphrase', 'A passphrase is of a private_key; give both')
  if (password !== undefined) return { password }
  return { ...(privateKey && { privateKey }), ...(passphrase && { passphrase }) }
}

export interface ChangedTarget {
  readonly of: TargetPlace
  /** null: it stays. */
  readonly secret: TargetSecret | null
  readonly hostKey: string | null
}

/** @throws ServiceError 400 for what such a target has not, and where a secret would go to another server than it was given for */
export function changedTarget(found: FeedTarget, change: Change): ChangedTarget {
  const others = found.kind === 'sftp' ? ofS3 : ofSftp
  const strange = Object.keys(change).find((name) => name in others)
  if (strange) throw invalid(strange, `This target is of the kind ${found.kind}, which has no ${strange}`)
  return found.kind === 'sftp' ? changedSftp(found, change) : changedS3(found, change)
}

function changedSftp({ place, hostKey: known }: FeedTarget & { kind: 'sftp' }, change: Change): ChangedTarget {
  const { host: to = place.host, port = place.port, user = place.user, path: at = place.path } = change
  const { password, private_key: privateKey, passphrase, host_key: said } = change
  if (password !== undefined && privateKey !== undefined)
    throw invalid('password', 'Give a password or a private_key, one of the two')
  const secret = secretOf(password, privateKey, passphrase)
  const isNew = Object.keys(secret).length > 0
  const moves = to !== place.host || port !== place.port
  if (moves && !isNew)
    throw invalid(
      'password',
      'The secret was given for another server; send the password or the private_key for this one',
    )
  // What was known of another server says nothing of this one.
  const hostKey = said !== undefined ? said : moves ? null : known
  return { of: { kind: 'sftp', place: { host: to, port, user, path: at } }, secret: isNew ? secret : null, hostKey }
}

function changedS3({ place }: FeedTarget & { kind: 's3' }, change: Change): ChangedTarget {
  const { endpoint = place.endpoint, bucket = place.bucket, region = place.region, path: at = place.path } = change
  const { key_id: keyId = place.keyId, secret: password } = change
  if (endpoint !== place.endpoint && password === undefined)
    throw invalid('secret', 'The secret was given for another store; send the one for this endpoint')
  return {
    of: { kind: 's3', place: { endpoint, bucket, region, keyId, path: at } },
    secret: password === undefined ? null : { password },
    hostKey: null,
  }
}
