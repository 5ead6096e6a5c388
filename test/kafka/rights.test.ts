import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { type AssayFolder, type AssayProcess, assayFolder, demo } from '../faults/assay-process.ts'
import { ended, newCatalog, sendFile } from '../faults/exact.ts'
import { supplierFile } from '../faults/supplier-file.ts'
import { kafkajs } from './kafkajs.ts'
import { onKafka, startsWithinMs } from './on-kafka.ts'
import { password } from './secure-listener.ts'
import { type SharedBroker, sharedBroker } from './shared-broker.ts'

vi.setConfig({ testTimeout: 120_000, hookTimeout: 60_000 })
const { AclOperationTypes: may, AclPermissionTypes, AclResourceTypes, ResourcePatternTypes } = kafkajs

const user = 'limited'
/** As the README gives them; nobody else on the broker is without a prefix. */
const own = [may.READ, may.WRITE, may.CREATE, may.DELETE, may.DESCRIBE, may.DESCRIBE_CONFIGS]
const rights = [
  ...['products.', 'events.', 'catalog.', 'log.'].flatMap((name) =>
    own.map((operation) => topicRight(name, operation)),
  ),
  ...[may.READ, may.DESCRIBE, may.CREATE].map((operation) => topicRight('inbound.', operation)),
  ...[may.READ, may.DESCRIBE].map((operation) => right(AclResourceTypes.GROUP, 'assay.', operation)),
]
function topicRight(name: string, operation: number) {
  return right(AclResourceTypes.TOPIC, name, operation)
}
function right(resourceType: number, resourceName: string, operation: number) {
  return {
    ...{ resourceType, resourceName, resourcePatternType: ResourcePatternTypes.PREFIXED, operation },
    ...{ principal: `User:${user}`, host: '*', permissionType: AclPermissionTypes.ALLOW },
  }
}

onKafka('a user of the brokers with no rights but those of the README, over TLS and SCRAM,', () => {
  let broker: SharedBroker
  let folder: string
  let ground: AssayFolder
  let assay: AssayProcess
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'assay-rights-'))
    broker = await sharedBroker()
    await writeFile(join(folder, 'ca.pem'), broker.secure.ca)
    ground = await assayFolder(undefined, {
      KAFKA_BROKERS: broker.secure.address,
      // The warning of every start is not what is looked for.
      ASSAY_LOG_LEVEL: 'error',
      ASSAY_KAFKA_TLS: 'on',
      ASSAY_KAFKA_CA_FILE: join(folder, 'ca.pem'),
      ASSAY_KAFKA_SASL: 'scram-sha-512',
      ASSAY_KAFKA_USERNAME: user,
      ASSAY_KAFKA_PASSWORD: password,
    })
  }, startsWithinMs)
  afterAll(async () => {
    await ground?.clear()
    await rm(folder, { recursive: true, force: true })
  })

  test('is told in one sentence what it has not', async () => {
    const { code, err } = await ground.run(['serve', '--no-sample'])
    expect([code, err]).toEqual([
      1,
      expect.stringMatching(/^Kafka refuses: this user has no rights on the [a-z]+\.\n$/),
    ])
  })

  test('can do all that Assay does there: topics made, a file imported, an edit, an event, an inbound topic', async () => {
    const admin = new kafkajs.Kafka({ brokers: [broker.addresses], logLevel: kafkajs.logLevel.NOTHING }).admin()
    await admin.connect()
    await admin.createAcls({ acl: rights })
    await admin.disconnect()
    assay = await ground.start()
    const catalog = await newCatalog(assay)
    const file = supplierFile(600)
    const imported = await ended(assay, await sendFile(assay, file, catalog))
    expect(imported).toMatchObject({ status: 'completed', result: { read: file.rows } })
    const base = `/api/workspace/${demo}`
    const { body } = await assay.call('GET', `${base}/catalog/products?catalog_id=${catalog}&limit=1`)
    const edited = await assay.call('PATCH', `${base}/catalog/products/${body.products[0].id}`, { title: 'Edited' })
    expect(edited.status).toBe(200)
    expect((await assay.call('POST', '/api/v1/events', [{ type: 'order', session_id: 's' }])).status).toBe(202)
    expect((await assay.call('PUT', `${base}/inbound`, { partitions: 2 })).status).toBe(200)
    expect((await ground.run(['archive', 'run'])).code).toBe(0)
    expect((await ground.run(['archive', 'verify'])).code).toBe(0)
    expect(assay.err()).toBe('')
  })
})
