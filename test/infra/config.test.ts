import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { archiveVariables, ConfigError, readConfig, readRoles } from '../../infra/config.ts'

test('an empty environment gives the embedded server on loopback', () => {
  expect(readConfig({})).toEqual({
    dataFolder: '.assay',
    host: '127.0.0.1',
    port: 8080,
    databaseUrl: undefined,
    kafka: null,
    clickhouseUrl: undefined,
    clickhouseCluster: null,
    url: 'http://127.0.0.1:8080',
    token: undefined,
    logLevel: 'info',
    logPartitions: 4,
    roles: ['api', 'transforms', 'events', 'jobs'],
    localIssuer: true,
    oidc: null,
    trustedProxies: [],
    nodes: 1,
    workspaceRate: 1_200,
    smtpUrl: undefined,
    mailFrom: 'assay@localhost.localdomain',
    secretKeys: { present: undefined, former: [] },
    egressAllow: [],
    taxonomy: [],
    archive: { folder: '.assay/archive' },
    logRetentionDays: undefined,
    maxUploadBytes: 10_737_418_240,
  })
})

test('every variable is read, and one that is set to nothing counts as not set', () => {
  const config = readConfig({
    ASSAY_DATA: '/srv/assay',
    HOST: '::',
    PORT: '0',
    DATABASE_URL: 'postgres://a:b@db:5432/assay',
    KAFKA_BROKERS: 'k1:9092, [::1]:9093',
    ASSAY_KAFKA_PREFIX: 'shop.',
    ASSAY_KAFKA_TLS: 'on',
    ASSAY_KAFKA_CA_FILE: '/srv/ca.pem',
    ASSAY_KAFKA_SASL: 'scram-sha-512',
    ASSAY_KAFKA_USERNAME: 'assay',
    ASSAY_KAFKA_PASSWORD: 'p',
    ASSAY_KAFKA_REPLICATION: '3',
    ASSAY_KAFKA_MIN_INSYNC: '2',
    ASSAY_KAFKA_RETENTION_DAYS: '30',
    ASSAY_KAFKA_SESSION_MS: '5000',
    CLICKHOUSE_URL: 'https://ch:8443',
    CLICKHOUSE_CLUSTER: 'main',
    ASSAY_URL: 'https://assay.example',
    ASSAY_TOKEN: 't',
    ASSAY_LOG_LEVEL: 'debug',
    ASSAY_LOG_PARTITIONS: '16',
    ASSAY_ROLES: 'jobs, transforms,jobs',
    ASSAY_LOCAL_ISSUER: 'off',
    ASSAY_OIDC_ISSUER: 'https://id.example',
    ASSAY_OIDC_AUDIENCE: 'assay',
    ASSAY_OIDC_JWKS_URL: 'https://id.example/keys',
    ASSAY_TRUSTED_PROXIES: '10.0.0.1, fd00::/8',
    ASSAY_HEALTH_PORT: '9090',
    ASSAY_NODES: '3',
    ASSAY_WORKSPACE_RATE: '77',
    ASSAY_SMTP_URL: 'smtps://a:b@mail.example:465',
    ASSAY_MAIL_FROM: 'assay@shop.example',
    ASSAY_SECRET_KEY: `${'A'.repeat(43)}=`,
    ASSAY_FORMER_SECRET_KEYS: `${'B'.repeat(43)}=, ${'C'.repeat(43)}=`,
    ASSAY_EGRESS_ALLOW: '127.0.0.0/8, ::1',
    ASSAY_TAXONOMY: '/srv/en.txt, /srv/de.txt',
    ASSAY_ARCHIVE: 's3://bucket/of/ours/',
    ASSAY_S3_ENDPOINT: 'https://store.example',
    ASSAY_S3_REGION: 'eu-1',
    ASSAY_S3_KEY_ID: 'k',
    ASSAY_S3_SECRET: 's',
    ASSAY_LOG_RETENTION_DAYS: '30',
    ASSAY_MAX_UPLOAD_BYTES: '',
    PATH: '/bin',
  })
  expect(config).toEqual({
    dataFolder: '/srv/assay',
    host: '::',
    port: 0,
    databaseUrl: 'postgres://a:b@db:5432/assay',
    kafka: {
      brokers: ['k1:9092', '[::1]:9093'],
      prefix: 'shop.',
      tls: { ca: '/srv/ca.pem' },
      sasl: { mechanism: 'scram-sha-512', username: 'assay', password: 'p' },
      replication: 3,
      minInsync: 2,
      retentionDays: 30,
      sessionMs: 5_000,
      variables: {
        KAFKA_BROKERS: 'k1:9092, [::1]:9093',
        ASSAY_KAFKA_PREFIX: 'shop.',
        ASSAY_KAFKA_TLS: 'on',
        ASSAY_KAFKA_CA_FILE: '/srv/ca.pem',
        ASSAY_KAFKA_SASL: 'scram-sha-512',
        ASSAY_KAFKA_USERNAME: 'assay',
        ASSAY_KAFKA_PASSWORD: 'p',
        ASSAY_KAFKA_REPLICATION: '3',
        ASSAY_KAFKA_MIN_INSYNC: '2',
        ASSAY_KAFKA_RETENTION_DAYS: '30',
        ASSAY_KAFKA_SESSION_MS: '5000',
      },
    },
    clickhouseUrl: 'https://ch:8443',
    clickhouseCluster: 'main',
    url: 'https://assay.example',
    token: 't',
    logLevel: 'debug',
    logPartitions: 16,
    roles: ['jobs', 'transforms'],
    localIssuer: false,
    oidc: { issuer: 'https://id.example', audience: 'assay', jwksUrl: 'https://id.example/keys' },
    trustedProxies: ['10.0.0.1', 'fd00::/8'],
    healthPort: 9090,
    nodes: 3,
    workspaceRate: 77,
    smtpUrl: 'smtps://a:b@mail.example:465',
    mailFrom: 'assay@shop.example',
    secretKeys: { present: `${'A'.repeat(43)}=`, former: [`${'B'.repeat(43)}=`, `${'C'.repeat(43)}=`] },
    egressAllow: ['127.0.0.0/8', '::1'],
    taxonomy: ['/srv/en.txt', '/srv/de.txt'],
    archive: {
      ...{ bucket: 'bucket', prefix: 'of/ours', endpoint: 'https://store.example', region: 'eu-1' },
      ...{ keyId: 'k', secret: 's' },
    },
    logRetentionDays: 30,
    maxUploadBytes: 10_737_418_240,
  })
})

test('nodes of a database of your own are as many as you say, and unknown where you do not', () => {
  expect(readConfig({ DATABASE_URL: 'postgres://a:b@db:5432/assay' }).nodes).toBeNull()
  expect(readConfig({ DATABASE_URL: 'postgres://a:b@db:5432/assay', ASSAY_NODES: '1' }).nodes).toBe(1)
})

test('roles are read from an argument as from the environment', () => {
  expect(readRoles('transforms', '--roles')).toEqual(['transforms'])
  expect(() => readRoles('worker', '--roles')).toThrow(
    new ConfigError('--roles must be a comma list of api, transforms, events, jobs, not "worker"'),
  )
})

test('what names the archive for a child process names the same one', () => {
  const bucket = { ASSAY_ARCHIVE: 's3://bucket/ours', ASSAY_S3_KEY_ID: 'k', ASSAY_S3_SECRET: 's' }
  for (const env of [{}, { ASSAY_ARCHIVE: '/srv/archive' }, bucket]) {
    const { archive } = readConfig(env)
    expect(readConfig(archiveVariables(archive)).archive).toEqual(archive)
  }
})

test.each([
  [{}, true],
  [{ NODE_ENV: 'development' }, true],
  [{ NODE_ENV: 'production' }, false],
  [{ NODE_ENV: 'production', ASSAY_LOCAL_ISSUER: '' }, false],
  [{ NODE_ENV: 'production', ASSAY_LOCAL_ISSUER: 'on' }, true],
  [{ ASSAY_LOCAL_ISSUER: 'off' }, false],
])('%j: the local issuer is on: %s', (env, on) => {
  expect(readConfig(env).localIssuer).toBe(on)
})

describe('what cannot hold is refused in one sentence', () => {
  test.each([
    [{ ASSAY_DATE: 'x' }, 'ASSAY_DATE is no setting of Assay; did you mean ASSAY_DATA?'],
    [{ ASSAY_PARTITIONS: '8' }, 'ASSAY_PARTITIONS is no setting of Assay; did you mean ASSAY_LOG_PARTITIONS?'],
    [{ PORT: '80a' }, 'PORT must be a port from 0 to 65535, not "80a"'],
    [{ PORT: '70000' }, 'PORT must be a port from 0 to 65535, not "70000"'],
    [{ ASSAY_LOG_PARTITIONS: '0' }, 'ASSAY_LOG_PARTITIONS must be a number from 1 to 256, not "0"'],
    [
      { ASSAY_ROLES: 'api,worker' },
      'ASSAY_ROLES must be a comma list of api, transforms, events, jobs, not "api,worker"',
    ],
    [{ ASSAY_LOCAL_ISSUER: 'yes' }, 'ASSAY_LOCAL_ISSUER must be on or off, not "yes"'],
    [
      { CLICKHOUSE_CLUSTER: 'main' },
      'CLICKHOUSE_CLUSTER needs CLICKHOUSE_URL beside it: the embedded event store is one process',
    ],
    [
      { CLICKHOUSE_URL: 'http://ch:8123', CLICKHOUSE_CLUSTER: "main' --" },
      `CLICKHOUSE_CLUSTER must be the name of a cluster in the configuration of the servers, not "main' --"`,
    ],
    [{ ASSAY_OIDC_ISSUER: 'https://id.example' }, 'ASSAY_OIDC_ISSUER needs ASSAY_OIDC_AUDIENCE beside it'],
    [
      { ASSAY_TRUSTED_PROXIES: '10.0.0.1,everyone' },
      'ASSAY_TRUSTED_PROXIES must be a comma list of addresses or CIDR ranges, not "10.0.0.1,everyone"',
    ],
    [{ ASSAY_ARCHIVE: 's3://b' }, 'An ASSAY_ARCHIVE in a bucket needs ASSAY_S3_KEY_ID and ASSAY_S3_SECRET beside it'],
    [{ ASSAY_LOG_RETENTION_DAYS: '0' }, 'ASSAY_LOG_RETENTION_DAYS must be a number of days, at least 1, not "0"'],
    [{ ASSAY_NODES: '0' }, 'ASSAY_NODES must be how many nodes serve this database, not "0"'],
    [{ KAFKA_BROKERS: 'kafka' }, 'KAFKA_BROKERS must be a comma list of host:port, not "kafka"'],
    [{ ASSAY_KAFKA_PREFIX: 'a.' }, 'ASSAY_KAFKA_PREFIX needs KAFKA_BROKERS beside it'],
    [
      { KAFKA_BROKERS: 'k:9092', ASSAY_KAFKA_CA_FILE: '/srv/ca.pem' },
      'ASSAY_KAFKA_CA_FILE needs ASSAY_KAFKA_TLS=on beside it',
    ],
    [
      { KAFKA_BROKERS: 'k:9092', ASSAY_KAFKA_SASL: 'plain', ASSAY_KAFKA_USERNAME: 'assay' },
      'ASSAY_KAFKA_SASL=plain needs ASSAY_KAFKA_PASSWORD beside it',
    ],
    [
      { KAFKA_BROKERS: 'k:9092', ASSAY_KAFKA_SASL: 'oauthbearer' },
      'ASSAY_KAFKA_SASL=oauthbearer needs ASSAY_KAFKA_TOKEN_FILE beside it',
    ],
    [
      { DATABASE_URL: 'mysql://u:secret@h/d' },
      'DATABASE_URL must be an address like postgres://user:password@host/name',
    ],
  ])('%j', (env, sentence) => {
    expect(() => readConfig(env)).toThrow(new ConfigError(sentence))
  })

  test('and any unknown ASSAY_ name is, whatever it looks like', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme-ascii' }), (rest) => {
        const name = `ASSAY_X${rest}`
        expect(() => readConfig({ [name]: '1' })).toThrow(/did you mean ASSAY_[A-Z0-9_]+\?$/)
      }),
    )
  })
})
