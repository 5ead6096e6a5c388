/** The only reader of the environment: what a person may set, and what holds where they set nothing. */
import { join } from 'node:path'
import type { z } from 'zod'
import { type Role, roleList, roleWords, secret, type Variable, variables } from './config-variables.ts'

/** Its message is one sentence for the person who set the variable. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError'
}

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
    clickhouseCluster: clickhouseCluster(env),
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
    secretKeys: { present: read(env, 'ASSAY_SECRET_KEY'), former: read(env, 'ASSAY_FORMER_SECRET_KEYS') },
    egressAllow: read(env, 'ASSAY_EGRESS_ALLOW'),
    archive: archive(env),
    logRetentionDays: read(env, 'ASSAY_LOG_RETENTION_DAYS'),
    maxUploadBytes: read(env, 'ASSAY_MAX_UPLOAD_BYTES'),
  }
}

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

/** null where each node has tables of its own. */
function clickhouseCluster(env: NodeJS.ProcessEnv): string | null {
  const cluster = read(env, 'CLICKHOUSE_CLUSTER') ?? null
  if (cluster !== null && read(env, 'CLICKHOUSE_URL') === undefined)
    throw new ConfigError('CLICKHOUSE_CLUSTER needs CLICKHOUSE_URL beside it: the embedded event store is one process')
  return cluster
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
