import { readdirSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  type Check,
  driversInOneFile,
  environmentInOneFile,
  imports,
  names,
  notNamedLike,
  openingSentence,
  pureTransforms,
} from './architecture.ts'
import { importsOf, type SourceFile } from './imports-of.ts'

const root = join(import.meta.dirname, '..')
const folders = ['schemas', 'transforms', 'ingest', 'infra', 'serving', 'test']

/** Paths of all files below a folder; none where it is absent. */
function filesBelow(folder: string): readonly string[] {
  try {
    return readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && !entry.parentPath.includes('node_modules'))
      .map((entry) => join(entry.parentPath, entry.name))
  } catch {
    return []
  }
}

const allFiles = folders.flatMap((folder) => filesBelow(join(root, folder)))
const house: readonly SourceFile[] = allFiles
  .filter((path) => /\.(ts|tsx|sql)$/.test(path))
  .map((path) => ({ path: path.slice(root.length + 1), text: readFileSync(path, 'utf8') }))

/** Absent outside development: then there is no name to keep clear of. A README is no product file. */
const collected = new Set(filesBelow(join(root, '../shared/data/real')).map((path) => basename(path)))
collected.delete('README.md')

describe('in this house', () => {
  test('every folder that the rules speak of is read', () => {
    const read = new Set(house.map(({ path }) => path.split('/')[0]))
    expect([...read]).toEqual(expect.arrayContaining(['schemas', 'transforms', 'infra', 'test']))
  })

  test.each<[string, Check]>([
    ['each folder imports only from where it may', imports],
    ['each driver is named in one file', driversInOneFile],
    ['only the configuration reads the environment', environmentInOneFile],
    ['transforms know no clock, no chance and no network', pureTransforms],
    ['files are named for what they hold', names],
    ['each file opens with a sentence that says what it is for', openingSentence],
  ])('%s', (_, check) => {
    expect(check(house)).toEqual([])
  })

  test('no file has the name of a collected product file', () => {
    const everything = allFiles.map((path) => ({ path: path.slice(root.length + 1), text: '' }))
    expect(notNamedLike(collected)(everything)).toEqual([])
  })
})

const file = (path: string, text = ''): SourceFile => ({ path, text })

describe('the import rule', () => {
  test.each([
    ['schemas/score.ts', `import { price } from '../transforms/silver/price.ts'`],
    ['schemas/score.ts', `import { createHash } from 'node:crypto'`],
    ['schemas/score.ts', `import type { Gold } from '../serving/workspace/gold.ts'`],
    ['transforms/silver/price.ts', `import { readFileSync } from 'node:fs'`],
    ['transforms/silver/price.ts', `import { readFileSync } from 'fs'`],
    ['transforms/silver/price.ts', `import { z } from 'zod'`],
    ['transforms/worker.ts', `import { pool } from '../infra/catalog/postgres.ts'`],
    ['transforms/worker.ts', `export type { Gold } from '../serving/workspace/gold.ts'`],
    ['infra/jobs.ts', `import { refine } from '../transforms/silver/refine.ts'`],
    ['infra/jobs.ts', `import { type Refined, refine } from '../transforms/silver/refine.ts'`],
    ['infra/jobs.ts', `import { type Refined } from '../transforms/silver/refine.ts'`],
    ['infra/jobs.ts', `import '../ingest/dataset.ts'`],
    ['infra/jobs.ts', `export * from '../ingest/dataset.ts'`],
    ['infra/jobs.ts', `const { gold } = await import('../serving/workspace/gold.ts')`],
    ['infra/mainly.ts', `import { gold } from '../serving/workspace/gold.ts'`],
    ['ingest/dataset.ts', `import { pool } from '../infra/catalog/postgres.ts'`],
    ['ingest/dataset.ts', `import { server } from '../serving/server.ts'`],
    ['ingest/dataset.ts', `import type { Gold } from '../serving/workspace/gold.ts'`],
    ['serving/server.ts', `import { jobs } from '../infra/jobs.ts'`],
    ['serving/server.ts', `import { pool } from '../infra/catalog/postgres.ts'`],
    ['serving/server.ts', `import { gather } from '../ingest/gather.ts'`],
    ['serving/server.ts', `import { harness } from '../test/harness.ts'`],
  ])('refuses in %s: %s', (path, text) => {
    expect(imports([file(path, text)])).toHaveLength(1)
  })

  test.each([
    ['schemas/score.ts', `import { z } from 'zod'\nimport type { Stage } from './product.ts'`],
    ['schemas/topics.ts', `import type { Log } from '../infra/log/port.ts'`],
    ['transforms/silver/text.ts', `import { decodeHTML } from 'entities'\nimport codes from 'currency-codes'`],
    [
      'transforms/worker.ts',
      `import type { Log } from '../infra/log/port.ts'\nimport { refine } from './silver/refine.ts'`,
    ],
    ['infra/jobs.ts', `import PgBoss from 'pg-boss'\nimport type { Refined } from '../transforms/silver/refine.ts'`],
    ['infra/main.ts', `import { server } from '../serving/server.ts'`],
    ['infra/system.ts', `import { work } from '../transforms/worker.ts'`],
    ['infra/cli/serve.ts', `import { gather } from '../../ingest/gather.ts'`],
    [
      'ingest/dataset.ts',
      `import type { Log } from '../infra/log/port.ts'\nimport { readFile } from 'node:fs/promises'`,
    ],
    ['serving/server.ts', `import { list } from '../infra/catalog/products.ts'\nimport Fastify from 'fastify'`],
    [
      'serving/server.ts',
      `import { imports } from '../ingest/dataset-route.ts'\nimport { route } from '../ingest/route.ts'`,
    ],
    ['schemas/score.ts', `// import { price } from '../transforms/silver/price.ts'`],
    ['schemas/score.ts', `/**\n import { price } from '../transforms/silver/price.ts'\n*/`],
    ['test/flow.test.ts', `import { server } from '../serving/server.ts'`],
  ])('allows in %s: %s', (path, text) => {
    expect(imports([file(path, text)])).toEqual([])
  })

  test('sees an import however its clause is broken into lines', () => {
    const gap = fc.stringMatching(/^[ \n]{0,4}$/)
    fc.assert(
      fc.property(gap, gap, gap, (a, b, c) => {
        const text = `/** First. */\nimport ${a}{${b}one,${c}two as three }${a}from './next.ts'\nexport const four = 'from'`
        expect(importsOf(file('infra/jobs.ts', text))).toEqual([{ target: 'infra/next.ts', typeOnly: false }])
      }),
    )
  })

  test('takes an interface before a type export for no import', () => {
    const text = `export interface A {\n  readonly b: string\n}\nexport type { C } from './c.ts'`
    expect(importsOf(file('infra/a.ts', text))).toEqual([{ target: 'infra/c.ts', typeOnly: true }])
  })
})

describe('a driver', () => {
  const pg = `import pg from 'pg'`
  const duck = `import { DuckDBInstance } from '@duckdb/node-api'`

  test('has one place', () => {
    expect(driversInOneFile([file('infra/catalog/postgres.ts', pg), file('ingest/readers/duckdb.ts', duck)])).toEqual(
      [],
    )
    expect(driversInOneFile([file('infra/catalog/products.ts', pg)])).toHaveLength(1)
    expect(driversInOneFile([file('serving/jobs.ts', `import PgBoss from 'pg-boss'`)])).toHaveLength(1)
  })

  test('has one file', () => {
    expect(driversInOneFile([file('ingest/a.ts', duck), file('infra/b.ts', duck)])).toHaveLength(1)
  })

  test('may be spoken of in types anywhere', () => {
    expect(driversInOneFile([file('infra/catalog/products.ts', `import type { ClientBase } from 'pg'`)])).toEqual([])
  })
})

describe('the environment', () => {
  test.each([
    ['infra/log/kafka.ts', 'const brokers = process.env.KAFKA_BROKERS'],
    ['serving/server.ts', `const port = process['env'].PORT`],
    ['ingest/dataset.ts', 'const { env } = process'],
    ['ingest/dataset.ts', `import { env } from 'node:process'`],
    ['infra/cli/serve.ts', 'readConfig(process.env)\nconst port = process.env.PORT'],
    ['infra/system.ts', 'readConfig(process.env)'],
    ['infra/main.ts', 'readConfig(process.env)'],
  ])('is not for %s: %s', (path, text) => {
    expect(environmentInOneFile([file(path, text)])).toHaveLength(1)
  })

  test.each([
    ['infra/config.ts', 'export const config = process.env'],
    ['infra/cli/assay.ts', 'readConfig(process.env)'],
    ['infra/transforms-main.ts', 'readConfig(process.env, true)'],
    ['infra/jobs.ts', '// process.env is read in infra/config.ts'],
    ['test/harness.ts', 'process.env.CI'],
  ])('may be met in %s: %s', (path, text) => {
    expect(environmentInOneFile([file(path, text)])).toEqual([])
  })
})

test.each(['Date.now()', 'new Date()', 'Math.random()', 'crypto.randomUUID()', 'await fetch(link)', 'process.pid'])(
  'a transform may not say %s',
  (text) => {
    expect(pureTransforms([file('transforms/worker.ts', text)])).toHaveLength(1)
    expect(pureTransforms([file('ingest/dataset.ts', text)])).toEqual([])
  },
)

test('a transform may read a date that a record gives', () => {
  expect(pureTransforms([file('transforms/worker.ts', 'new Date(record.at)')])).toEqual([])
})

describe('a name', () => {
  test.each([
    'infra/catalogStore.ts',
    'infra/Catalog.ts',
    'infra/catalog_store.ts',
    'infra/catalog/index.ts',
    'serving/console/index.tsx',
    'infra/date-utils.ts',
    'infra/helpers/date.ts',
    'serving/catalog.service.ts',
    'infra/base.ts',
    'infra/log-impl.ts',
  ])('like %s is refused', (path) => {
    expect(names([file(path)])).toHaveLength(1)
  })

  test.each([
    'infra/database.ts',
    'infra/catalog/migrations/001-spine.sql',
    'schemas/feeds/google-2026.ts',
    'serving/console/vite.config.ts',
    'test/transforms/silver/gtin.test.ts',
  ])('like %s is fine', (path) => {
    expect(names([file(path)])).toEqual([])
  })

  test('that a collected file has is refused, in any folder', () => {
    const check = notNamedLike(new Set(['emoji.xml']))
    expect(check([file('ingest/sample/emoji.xml'), file('ingest/sample/emoji.csv')])).toHaveLength(1)
  })
})

describe('the opening', () => {
  test.each([
    '',
    'export const a = 1',
    '// Reads a price.\nexport const a = 1',
    `import { b } from './b.ts'\n/** Reads a price. */`,
    '/** */\nexport const a = 1',
    '/** prices */\nexport const a = 1',
  ])('%j is no sentence', (text) => {
    expect(openingSentence([file('infra/a.ts', text)])).toHaveLength(1)
  })

  test.each([
    '/** Reads a price. */\nexport const a = 1',
    '/** Reads a price. Twice,\n * where it must. */',
    '#!/usr/bin/env node\n/** The command line. */',
    '/** Can the product be had? */',
  ])('%j is one', (text) => {
    expect(openingSentence([file('infra/a.ts', text)])).toEqual([])
  })
})
