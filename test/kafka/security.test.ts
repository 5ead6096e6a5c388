import { randomUUID } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openKafka } from '../../infra/log/kafka.ts'
import type { KafkaSecurity } from '../../infra/log/kafka-security.ts'
import { kafkajs } from './kafkajs.ts'
import { onKafka, startsWithinMs } from './on-kafka.ts'
import { password } from './secure-listener.ts'
import { kafkaSettings } from './settings.ts'
import { type SharedBroker, sharedBroker } from './shared-broker.ts'

const { AclOperationTypes, AclPermissionTypes, AclResourceTypes, ResourcePatternTypes } = kafkajs

/** As the broker takes it that is not told whose keys to believe. */
function token(): string {
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
  const now = Math.floor(Date.now() / 1_000)
  return `${part({ alg: 'none' })}.${part({ sub: 'assay', iat: now, exp: now + 600 })}.`
}

onKafka('over TLS', () => {
  let broker: SharedBroker
  let folder: string
  beforeAll(async () => {
    broker = await sharedBroker()
    folder = await mkdtemp(join(tmpdir(), 'assay-security-'))
    await writeFile(join(folder, 'ca.pem'), broker.secure.ca)
    await writeFile(join(folder, 'token'), `${token()}\n`)
    const admin = new kafkajs.Kafka({
      brokers: broker.addresses.split(','),
      logLevel: kafkajs.logLevel.NOTHING,
    }).admin()
    await admin.connect()
    const own = {
      resourceType: AclResourceTypes.TOPIC,
      resourceName: broker.prefix,
      principal: 'User:assay',
      host: '*',
    }
    const all = { operation: AclOperationTypes.ALL, permissionType: AclPermissionTypes.ALLOW }
    await admin.createAcls({ acl: [{ ...own, ...all, resourcePatternType: ResourcePatternTypes.PREFIXED }] })
    await admin.disconnect()
  }, startsWithinMs)
  afterAll(() => rm(folder, { recursive: true, force: true }))

  const opened = (sasl: KafkaSecurity['sasl']) =>
    openKafka(
      {
        ...kafkaSettings({ addresses: broker.secure.address }, broker.prefix),
        tls: { ca: join(folder, 'ca.pem') },
        sasl,
      },
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
