import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { beforeAll, describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { readConfig, readRoles } from '../../infra/config.ts'
import { roles } from '../../infra/config-variables.ts'

const root = join(import.meta.dirname, '../..')

interface Service {
  readonly image: string
  readonly command?: string
  readonly environment?: Readonly<Record<string, string | number>>
  readonly depends_on?: Readonly<Record<string, { condition: string }>>
  readonly volumes?: readonly string[]
  readonly ports?: readonly string[]
  readonly healthcheck?: { readonly test: readonly string[] }
}
interface Compose {
  readonly services: Readonly<Record<string, Service>>
  readonly volumes: Readonly<Record<string, unknown>>
}

let compose: Compose
beforeAll(async () => {
  compose = parse(await readFile(join(root, 'docker-compose.yml'), 'utf8'), { merge: true })
})

const ours = () => Object.entries(compose.services).filter(([, { image }]) => image === 'assay')
const rolesOf = ({ command = '' }: Service) => readRoles(/--roles (\S+)/.exec(command)?.[1] ?? '', '--roles')
/** As compose puts in what the environment does not set. */
const filled = (text: string | number) => String(text).replace(/\$\{\w+:-([^}]*)\}/g, '$1')

describe('docker-compose.yml', () => {
  test('starts the engines, and every role of Assay in a process apart', () => {
    expect(Object.keys(compose.services)).toEqual(['api', 'jobs', 'transforms', 'postgres', 'kafka', 'clickhouse'])
    expect(
      ours()
        .flatMap(([, service]) => rolesOf(service))
        .toSorted(),
    ).toEqual([...roles].sort())
    expect(compose.services.kafka?.image).toMatch(/^apache\/kafka:4\./)
  })

  test('gives Assay nothing but settings that it takes', () => {
    for (const [, { environment = {} }] of ours()) {
      const env = Object.fromEntries(Object.entries(environment).map(([name, value]) => [name, filled(value)]))
      expect(readConfig(env)).toMatchObject({
        databaseUrl: 'postgres://assay:assay@postgres:5432/assay',
        kafka: { brokers: ['kafka:9092'] },
        clickhouseUrl: 'http://assay:assay@clickhouse:8123',
        healthPort: 8080,
        nodes: null,
      })
    }
  })

  test('asks every service for its health, and begins Assay when the engines answer', () => {
    const engines = Object.keys(compose.services).filter((name) => !ours().some(([own]) => own === name))
    for (const [name, { healthcheck }] of Object.entries(compose.services))
      expect(healthcheck?.test[0], name).toBe('CMD')
    for (const [, service] of ours())
      expect(service.depends_on).toEqual(
        Object.fromEntries(engines.map((engine) => [engine, { condition: 'service_healthy' }])),
      )
  })

  test('keeps in volumes what must outlive a container, and files where both the API and jobs find them', () => {
    const named = Object.values(compose.services).flatMap(({ volumes = [] }) => volumes.map((one) => one.split(':')[0]))
    expect([...new Set(named)].sort()).toEqual(Object.keys(compose.volumes).sort())
    for (const name of ['api', 'jobs']) expect(compose.services[name]?.volumes).toEqual(['data:/data'])
  })

  test('opens no port but the API, on this machine alone', () => {
    const open = Object.values(compose.services).flatMap(({ ports = [] }) => ports.map(filled))
    expect(open).toEqual(['127.0.0.1:8080:8080'])
  })

  test('is what docker compose itself can read, where there is one', async ({ skip }) => {
    const run = promisify(execFile)
    const there = await run('docker', ['compose', 'version']).then(
      () => true,
      () => false,
    )
    if (!there) return skip('docker compose is not here')
    const { stdout } = await run('docker', ['compose', '-f', join(root, 'docker-compose.yml'), 'config', '--services'])
    expect(stdout.trim().split('\n').sort()).toEqual(Object.keys(compose.services).sort())
  })
})

test('the image runs the pinned major of Node as a user that is not root, from every source folder', async () => {
  const dockerfile = await readFile(join(root, 'infra/Dockerfile'), 'utf8')
  const { dependencies } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8'))
  const major = dependencies.node.split('.')[0]
  expect(/^FROM node:(\d+)/m.exec(dockerfile)?.[1]).toBe(major)
  expect(dockerfile).toMatch(/^USER node$/m)
  const copied = [...dockerfile.matchAll(/^COPY (\w+) \1$/gm)].map(([, folder]) => folder)
  expect(copied.sort()).toEqual(['infra', 'ingest', 'schemas', 'serving', 'transforms'])
  const allowed = (await readFile(join(root, '.dockerignore'), 'utf8')).match(/(?<=^!)\S+/gm)
  expect(allowed).toEqual(expect.arrayContaining(copied as string[]))
})
