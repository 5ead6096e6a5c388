import { randomUUID } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openKafka } from '../../infra/log/kafka.ts'
import type { KafkaSecurity } from '../../infra/log/kafka-security.ts'
import { selfSigned } from '../infra/egress/self-signed.ts'
import { type Cluster, startCluster } from './brokers.ts'
import { onKafka, startsWithinMs } from './on-kafka.ts'
import { kafkaSettings } from './settings.ts'

const name = 'localhost'
const password = 'a secret of tests'
const { key, cert } = selfSigned(name)
const oneLine = (pem: string) => pem.trim().replaceAll('\n', '\\n')
const login = 'org.apache.kafka.common.security'

/** A listener that speaks TLS and wants to know who is there. */
const listener = (port: number) => ({
  listeners: `SECURE://127.0.0.1:${port}`,
  'listener.security.protocol.map': 'CONTROLLER:PLAINTEXT,PLAINTEXT:PLAINTEXT,SECURE:SASL_SSL',
  'advertised.listeners': `SECURE://${name}:${port}`,
  'inter.broker.listener.name': 'SECURE',
  'sasl.mechanism.inter.broker.protocol': 'PLAIN',
  'sasl.enabled.mechanisms': 'PLAIN,SCRAM-SHA-256,SCRAM-SHA-512,OAUTHBEARER',
  'ssl.keystore.type': 'PEM',
  'ssl.keystore.certificate.chain': oneLine(cert),
  'ssl.keystore.key': oneLine(key),
  'ssl.truststore.type': 'PEM',
  'ssl.truststore.certificates': oneLine(cert),
  'listener.name.secure.plain.sasl.jaas.config': `${login}.plain.PlainLoginModule required username="assay" password="${password}" user_assay="${password}";`,
  'listener.name.secure.scram-sha-256.sasl.jaas.config': `${login}.scram.ScramLoginModule required;`,
  'listener.name.secure.scram-sha-512.sasl.jaas.config': `${login}.scram.ScramLoginModule required;`,
  'listener.name.secure.oauthbearer.sasl.jaas.config': `${login}.oauthbearer.OAuthBearerLoginModule required unsecuredLoginStringClaim_sub="assay";`,
})

/** As the broker takes it that is not told whose keys to believe. */
function token(): string {
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
  const now = Math.floor(Date.now() / 1_000)
  return `${part({ alg: 'none' })}.${part({ sub: 'assay', iat: now, exp: now + 600 })}.`
}

onKafka('over TLS', () => {
  let cluster: Cluster
  let folder: string
  let port: number
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'assay-security-'))
    await writeFile(join(folder, 'ca.pem'), cert)
    await writeFile(join(folder, 'token'), `${token()}\n`)
    const scram = ['SCRAM-SHA-256', 'SCRAM-SHA-512'].flatMap((mechanism) => [
      '--add-scram',
      `${mechanism}=[name=assay,password=${password}]`,
    ])
    const further = (at: number) => {
      port = at
      return listener(at)
    }
    cluster = await startCluster({ further, format: scram })
  }, startsWithinMs)
  afterAll(async () => {
    await cluster?.close()
    await rm(folder, { recursive: true, force: true })
  })

  const opened = (sasl: KafkaSecurity['sasl']) =>
    openKafka(
      { ...kafkaSettings({ addresses: `${name}:${port}` }), tls: { ca: join(folder, 'ca.pem') }, sasl },
      { epoch: 1, partitions: 2 },
    )

  test.each(['plain', 'scram-sha-256', 'scram-sha-512', 'oauthbearer'] as const)(
    'records go and come with %s',
    async (mechanism) => {
      const who = { mechanism, username: 'assay', password }
      const kafka = await opened(
        mechanism === 'oauthbearer' ? { mechanism, tokenFile: join(folder, 'token') } : { ...who, mechanism },
      )
      try {
        const record = { key: randomUUID(), value: mechanism }
        const topic = `secure.${mechanism}`
        await kafka.log.append(topic, [record])
        const got = await kafka.log.read(topic, kafka.log.partitionOf(record.key), 0, 1)
        expect(got.map(({ value }) => value.toString())).toEqual([mechanism])
      } finally {
        await kafka.close()
      }
    },
  )

  test('a wrong password is told in one sentence that does not repeat it', async () => {
    const kafka = await opened({ mechanism: 'plain', username: 'assay', password: 'wrong' })
    await expect(kafka.find('products.bronze')).rejects.toThrow('Kafka refuses the credentials of ASSAY_KAFKA_SASL.')
    await kafka.close()
  })
})
