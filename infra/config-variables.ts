/** What a person may set in the environment; `config.ts` alone reads it. */
import { z } from 'zod'
import { mailAddress } from '../schemas/mail-address.ts'

export const roles = ['api', 'transforms', 'events', 'jobs'] as const
export type Role = (typeof roles)[number]

const saslMechanisms = ['plain', 'scram-sha-256', 'scram-sha-512', 'oauthbearer'] as const

const commaList = z.string().transform((text) =>
  text
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== ''),
)
export const roleList = commaList.pipe(z.array(z.enum(roles)).min(1)).transform((list) => [...new Set(list)])
export const roleWords = `a comma list of ${roles.join(', ')}`
/** 32 bytes. */
const keyText = z.string().regex(/^[A-Za-z0-9+/]{43}=$/)
const wholeNumber = z.string().regex(/^\d+$/).transform(Number)
const httpUrl = z.url({ protocol: /^https?$/ })

/** Each with what it may hold, and the words for that. An empty variable counts as not set. */
export const variables = {
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
  CLICKHOUSE_CLUSTER: [
    z
      .string()
      .regex(/^[A-Za-z_][A-Za-z0-9_.-]{0,62}$/)
      .optional(),
    'the name of a cluster in the configuration of the servers',
  ],
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
  ASSAY_SECRET_KEY: [keyText.optional(), '32 random bytes in base64; the same on every node'],
  ASSAY_FORMER_SECRET_KEYS: [
    commaList.pipe(z.array(keyText)).default([]),
    'a comma list of keys that were ASSAY_SECRET_KEY before',
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

export type Variable = keyof typeof variables

/** Hold passwords or tokens: their value is never repeated in a message. */
export const secret: ReadonlySet<string> = new Set<Variable>([
  'DATABASE_URL',
  'CLICKHOUSE_URL',
  'ASSAY_TOKEN',
  'ASSAY_KAFKA_PASSWORD',
  'ASSAY_S3_SECRET',
  'ASSAY_METRICS_TOKEN',
  'ASSAY_SMTP_URL',
  'ASSAY_SECRET_KEY',
  'ASSAY_FORMER_SECRET_KEYS',
])
