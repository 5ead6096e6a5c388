/** The only reader of the environment: what a person may set, and what holds where they set nothing. */
import { join } from 'node:path'
import { z } from 'zod'
import { mailAddress } from '../schemas/mail-address.ts'

/** Its message is one sentence for the person who set the variable. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError'
}

export const roles = ['api', 'transforms', 'events', 'jobs'] as const
export type Role = (typeof roles)[number]

const saslMechanisms = ['plain', 'scram-sha-256', 'scram-sha-512', 'oauthbearer'] as const

const commaList = z.string().transform((text) =>
  text
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== ''),
)
const roleList = commaList.pipe(z.array(z.enum(roles)).min(1)).transform((list) => [...new Set(list)])
const roleWords = `a comma list of ${roles.join(', ')}`
const wholeNumber = z.string().regex(/^\d+$/).transform(Number)
const httpUrl = z.url({ protocol: /^https?$/ })

/** Each variable: what it may hold, and the words for that. An empty variable counts as not set. */
const variables = {
  ASSAY_DATA: [z.string().default('.assay'), 'a folder'],
  HOST: [z.string().default('127.0.0.1'), 'an address to listen on'],
  PORT: [wholeNumber.pipe(z.int().max(65_535)).default(8080), 'a port from 0 to 65535'],
  DATABASE_URL: [
    z.url({ protocol: /^postgres(ql)?$/ }).optional(),
    'an address like postgres://user:password@host/name',
  ],
  KAFKA_BROKERS: [
    commaList.pipe(z.array(z.string().regex(/^[^\s:]+:\d+$|^\[[0-9a-fA-F:]+\]:\d+$/))).default([]),
    'a comma list of host:port',
  ],
  ASSAY_KAFKA_PREFIX: [
    z
      .string()
      .regex(/^[A-Za-z0-9._-]{1,64}$/)
      .optional(),
    'what the names of topics and groups begin with: letters, digits, dots, underscores and hyphens',
  ],
  ASSAY_KAFKA_TLS: [z.enum(['on', 'off']).default('off'), 'on or off'],
  ASSAY_KAFKA_CA_FILE: [
    z.string().optional(),
    'a PEM file of the authority that signed the certificates of the brokers',
  ],
  ASSAY_KAFKA_CERT_FILE: [z.string().optional(), 'a PEM file of a client certificate'],
  ASSAY_KAFKA_KEY_FILE: [z.string().optional(), 'a PEM file of the key of ASSAY_KAFKA_CERT_FILE'],
  ASSAY_KAFKA_SASL: [z.enum(saslMechanisms).optional(), `one of ${saslMechanisms.join(', ')}`],
  ASSAY_KAFKA_USERNAME: [z.string().optional(), 'a name for ASSAY_KAFKA_SASL'],
  ASSAY_KAFKA_PASSWORD: [z.string().optional(), 'a password for ASSAY_KAFKA_SASL'],
  ASSAY_KAFKA_TOKEN_FILE: [
    z.string().optional(),
    'a file with the bearer token for ASSAY_KAFKA_SASL=oauthbearer, read anew for every connection',
  ],
  ASSAY_KAFKA_REPLICATION: [wholeNumber.pipe(z.int().min(1).max(32)).optional(), 'how many brokers keep each record'],
  ASSAY_KAFKA_MIN_INSYNC: [
    wholeNumber.pipe(z.int().min(1).max(32)).optional(),
    'how many brokers must have a record before it is acknowledged',
  ],
  ASSAY_KAFKA_RETENTION_DAYS: [
    wholeNumber.pipe(z.int().min(1)).optional(),
    'after how many days the brokers drop records; without it they keep them',
  ],
  ASSAY_KAFKA_SESSION_MS: [
    wholeNumber.pipe(z.int().min(1_000).max(300_000)).default(10_000),
    'after how many milliseconds of silence a process loses its partitions',
  ],
  CLICKHOUSE_URL: [httpUrl.optional(), 'an address like http://user:password@host:8123'],
  ASSAY_URL: [httpUrl.default('http://127.0.0.1:8080'), 'the address of a server, like http://127.0.0.1:8080'],
  ASSAY_PUBLIC_URL: [
    httpUrl.optional(),
    'the address at which people reach this server, like https://assay.example.com',
  ],
  ASSAY_TOKEN: [z.string().optional(), 'a token'],
  ASSAY_LOG_LEVEL: [
    z.enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']).default('info'),
    'fatal, error, warn, info, debug, trace or silent',
  ],
  ASSAY_LOG_PARTITIONS: [wholeNumber.pipe(z.int().min(1).max(256)).default(4), 'a number from 1 to 256'],
  ASSAY_ROLES: [roleList.default([...roles]), roleWords],
  ASSAY_LOCAL_ISSUER: [z.enum(['on', 'off']).optional(), 'on or off'],
  ASSAY_OIDC_ISSUER: [httpUrl.optional(), 'the issuer address of your identity provider, as its tokens have it'],
  ASSAY_OIDC_AUDIENCE: [z.string().optional(), 'the audience that tokens for Assay name'],
  ASSAY_OIDC_JWKS_URL: [
    httpUrl.optional(),
    "the address of the provider's keys; found by discovery where it is not set",
  ],
  ASSAY_TRUSTED_PROXIES: [
    commaList.pipe(z.array(z.union([z.ipv4(), z.ipv6(), z.cidrv4(), z.cidrv6()]))).default([]),
    'a comma list of addresses or CIDR ranges',
  ],
  ASSAY_METRICS_TOKEN: [z.string().min(16).optional(), 'a token of at least 16 characters'],
  ASSAY_HEALTH_PORT: [wholeNumber.pipe(z.int().max(65_535)).optional(), 'a port from 0 to 65535'],
  ASSAY_NODES: [wholeNumber.pipe(z.int().min(1)).optional(), 'how many nodes serve this database'],
  ASSAY_WORKSPACE_RATE: [
    wholeNumber.pipe(z.int().min(1)).default(1_200),
    'how many requests a minute a credential has on workspace endpoints',
  ],
  ASSAY_SMTP_URL: [
    z.url({ protocol: /^smtps?$/ }).optional(),
    'an address like smtps://user:password@mail.example:465; without one, mail is written to the outbox folder',
  ],
  ASSAY_MAIL_FROM: [mailAddress.default('assay@localhost.localdomain'), 'a mail address like assay@shop.example'],
  ASSAY_EGRESS_ALLOW: [
    commaList.pipe(z.array(z.union([z.ipv4(), z.ipv6(), z.cidrv4(), z.cidrv6()]))).default([]),
    'a comma list of addresses or CIDR ranges that Assay may ask although they are not public',
  ],
  ASSAY_TAXONOMY: [
    commaList.default([]),
    "a comma list of files of Google's product taxonomy with ids, one a language",
  ],
  ASSAY_ARCHIVE: [
    z.union([z.string().regex(/^(?!s3:)/), z.string().regex(/^s3:\/\/[a-z0-9][a-z0-9.-]*(\/[\w./-]*)?$/)]).optional(),
    'a folder, or a bucket and what its files begin with, like s3://bucket/assay',
  ],
  ASSAY_S3_ENDPOINT: [
    httpUrl.optional(),
    'the address of an S3-compatible store, like https://s3.eu-central-1.amazonaws.com',
  ],
  ASSAY_S3_REGION: [z.string().default('us-east-1'), 'the region of the bucket'],
  ASSAY_S3_KEY_ID: [z.string().optional(), 'the id of an access key'],
  ASSAY_S3_SECRET: [z.string().optional(), 'the secret of that access key'],
  ASSAY_LOG_RETENTION_DAYS: [wholeNumber.pipe(z.int().min(1)).optional(), 'a number of days, at least 1'],
  ASSAY_MAX_UPLOAD_BYTES: [wholeNumber.pipe(z.int().min(1)).default(10 * 1024 ** 3), 'a whole number of bytes'],
} as const satisfies Record<string, readonly [z.ZodType, string]>

type Variable = keyof typeof variables

/** Hold passwords or tokens: their value is never repeated in a message. */
const secret: ReadonlySet<string> = new Set<Variable>([
  'DATABASE_URL',
  'CLICKHOUSE_URL',
  'ASSAY_TOKEN',
  'ASSAY_KAFKA_PASSWORD',
  'ASSAY_S3_SECRET',
  'ASSAY_METRICS_TOKEN',
  'ASSAY_SMTP_URL',
])

export type Config = ReturnType<typeof readConfig>

/** @throws ConfigError for an unknown `ASSAY_…` name or a value that cannot hold */
export function readConfig(env: NodeJS.ProcessEnv) {
  for (const name of Object.keys(env)) {
    if (!name.startsWith('ASSAY_') || Object.hasOwn(variables, name)) continue
    throw new ConfigError(`${name} is no setting of Assay; did you mean ${nearest(name)}?`)
  }
  return {
    dataFolder: read(env, 'ASSAY_DATA'),
    host: read(env, 'HOST'),
    port: read(env, 'PORT'),
    databaseUrl: read(env, 'DATABASE_URL'),
    kafka: kafka(env),
    clickhouseUrl: read(env, 'CLICKHOUSE_URL'),
    url: read(env, 'ASSAY_URL'),
    publicUrl: read(env, 'ASSAY_PUBLIC_URL'),
    token: read(env, 'ASSAY_TOKEN'),
    logLevel: read(env, 'ASSAY_LOG_LEVEL'),
    logPartitions: read(env, 'ASSAY_LOG_PARTITIONS'),
    roles: read(env, 'ASSAY_ROLES'),
    localIssuer: localIssuer(env),
    oidc: oidc(env),
    trustedProxies: read(env, 'ASSAY_TRUSTED_PROXIES'),
    metricsToken: read(env, 'ASSAY_METRICS_TOKEN'),
    healthPort: read(env, 'ASSAY_HEALTH_PORT'),
    // Nobody else serves the embedded database; how many serve another only who set them up can know.
    nodes: read(env, 'ASSAY_NODES') ?? (read(env, 'DATABASE_URL') === undefined ? 1 : null),
    workspaceRate: read(env, 'ASSAY_WORKSPACE_RATE'),
    smtpUrl: read(env, 'ASSAY_SMTP_URL'),
    mailFrom: read(env, 'ASSAY_MAIL_FROM'),
    taxonomy: read(env, 'ASSAY_TAXONOMY'),
    egressAllow: read(env, 'ASSAY_EGRESS_ALLOW'),
    archive: archive(env),
    logRetentionDays: read(env, 'ASSAY_LOG_RETENTION_DAYS'),
    maxUploadBytes: read(env, 'ASSAY_MAX_UPLOAD_BYTES'),
  }
}

/** For the line that says what a process does. */
export const inWords = (list: readonly Role[]) =>
  list.map((role) => (role === 'events' ? 'events (which has nothing to do yet)' : role)).join(', ')

/** @throws ConfigError @param text a comma list, as `ASSAY_ROLES` has it */
export function readRoles(text: string, name: string): Role[] {
  const result = roleList.safeParse(text)
  if (result.success) return result.data
  throw new ConfigError(`${name} must be ${roleWords}, not "${text}"`)
}

/** On by default, but in production only when asked for by name: anyone who can read its key is anyone. */
const localIssuer = (env: NodeJS.ProcessEnv) =>
  (read(env, 'ASSAY_LOCAL_ISSUER') ?? (env.NODE_ENV === 'production' ? 'off' : 'on')) === 'on'

/** null where the log is embedded. */
function kafka(env: NodeJS.ProcessEnv) {
  const brokers = read(env, 'KAFKA_BROKERS')
  const set = (Object.keys(variables) as Variable[]).filter((name) => name.includes('KAFKA_') && env[name])
  if (brokers.length === 0) {
    const alone = set.find((name) => name !== 'KAFKA_BROKERS')
    if (alone) throw new ConfigError(`${alone} needs KAFKA_BROKERS beside it`)
    return null
  }
  const files = { ca: 'ASSAY_KAFKA_CA_FILE', cert: 'ASSAY_KAFKA_CERT_FILE', key: 'ASSAY_KAFKA_KEY_FILE' } as const
  const withTls = read(env, 'ASSAY_KAFKA_TLS') === 'on'
  const file = Object.values(files).find((name) => env[name])
  if (file && !withTls) throw new ConfigError(`${file} needs ASSAY_KAFKA_TLS=on beside it`)
  return {
    brokers,
    prefix: read(env, 'ASSAY_KAFKA_PREFIX') ?? '',
    tls: withTls ? { ca: read(env, files.ca), cert: read(env, files.cert), key: read(env, files.key) } : null,
    sasl: sasl(env),
    replication: read(env, 'ASSAY_KAFKA_REPLICATION') ?? null,
    minInsync: read(env, 'ASSAY_KAFKA_MIN_INSYNC') ?? null,
    retentionDays: read(env, 'ASSAY_KAFKA_RETENTION_DAYS') ?? null,
    sessionMs: read(env, 'ASSAY_KAFKA_SESSION_MS'),
    /** For a process of this system that has only some of the roles. */
    variables: Object.fromEntries(set.map((name) => [name, env[name]])),
  }
}

function sasl(env: NodeJS.ProcessEnv) {
  const mechanism = read(env, 'ASSAY_KAFKA_SASL')
  if (mechanism === undefined) return null
  const needed = (name: 'ASSAY_KAFKA_USERNAME' | 'ASSAY_KAFKA_PASSWORD' | 'ASSAY_KAFKA_TOKEN_FILE') => {
    const value = read(env, name)
    if (value === undefined) throw new ConfigError(`ASSAY_KAFKA_SASL=${mechanism} needs ${name} beside it`)
    return value
  }
  if (mechanism === 'oauthbearer') return { mechanism, tokenFile: needed('ASSAY_KAFKA_TOKEN_FILE') }
  return { mechanism, username: needed('ASSAY_KAFKA_USERNAME'), password: needed('ASSAY_KAFKA_PASSWORD') }
}

function archive(env: NodeJS.ProcessEnv) {
  const place = read(env, 'ASSAY_ARCHIVE') ?? join(read(env, 'ASSAY_DATA'), 'archive')
  if (!place.startsWith('s3://')) return { folder: place }
  const [bucket = '', ...prefix] = place.slice('s3://'.length).split('/')
  const region = read(env, 'ASSAY_S3_REGION')
  const endpoint = read(env, 'ASSAY_S3_ENDPOINT') ?? `https://s3.${region}.amazonaws.com`
  const [keyId, secret] = [read(env, 'ASSAY_S3_KEY_ID'), read(env, 'ASSAY_S3_SECRET')]
  if (keyId === undefined || secret === undefined)
    throw new ConfigError('An ASSAY_ARCHIVE in a bucket needs ASSAY_S3_KEY_ID and ASSAY_S3_SECRET beside it')
  return { bucket, prefix: prefix.filter((part) => part !== '').join('/'), endpoint, region, keyId, secret }
}

/** The same for a child process. */
export function archiveVariables(place: Config['archive']): Record<string, string> {
  if (place.bucket === undefined) return { ASSAY_ARCHIVE: place.folder }
  return {
    ASSAY_ARCHIVE: `s3://${place.bucket}/${place.prefix}`,
    ASSAY_S3_ENDPOINT: place.endpoint,
    ASSAY_S3_REGION: place.region,
    ASSAY_S3_KEY_ID: place.keyId,
    ASSAY_S3_SECRET: place.secret,
  }
}

function oidc(env: NodeJS.ProcessEnv) {
  const issuer = read(env, 'ASSAY_OIDC_ISSUER')
  const audience = read(env, 'ASSAY_OIDC_AUDIENCE')
  if (issuer === undefined) return null
  if (audience === undefined) throw new ConfigError('ASSAY_OIDC_ISSUER needs ASSAY_OIDC_AUDIENCE beside it')
  return { issuer, audience, jwksUrl: read(env, 'ASSAY_OIDC_JWKS_URL') }
}

function read<N extends Variable>(env: NodeJS.ProcessEnv, name: N): z.infer<(typeof variables)[N][0]> {
  const [schema, words] = variables[name]
  const result = schema.safeParse(env[name] || undefined)
  if (result.success) return result.data as z.infer<(typeof variables)[N][0]>
  throw new ConfigError(`${name} must be ${words}${secret.has(name) ? '' : `, not "${env[name]}"`}`)
}

function nearest(wrong: string): string {
  const names = Object.keys(variables).filter((name) => name.startsWith('ASSAY_'))
  const distances = names.map((name) => editDistance(wrong, name))
  return names[distances.indexOf(Math.min(...distances))] ?? ''
}

/** Insertions, deletions and replacements that turn one word into the other. */
function editDistance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, j) => j)
  for (let i = 1; i <= a.length; i++) {
    const next = [i]
    for (let j = 1; j <= b.length; j++) {
      const replaced = (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1)
      next.push(Math.min(replaced, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1))
    }
    row = next
  }
  return row[b.length] ?? 0
}
