import { existsSync, globSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { TestSpecification, Vitest } from 'vitest/node'
import { longFiles } from './long-files.ts'
import { LongestFirst } from './longest-first.ts'
import { besideOthers, ownProcess } from './own-process.ts'

const root = join(import.meta.dirname, '..')

test('every test file that is said to be long, or to run apart from most, is there', () => {
  expect(longFiles.filter((path) => !existsSync(join(root, path)))).toEqual([])
  const apart = [...ownProcess, ...besideOthers]
  expect(apart.filter((pattern) => globSync(pattern, { cwd: root }).length === 0)).toEqual([])
})

test('the longest files begin, those that share an Assay follow, then the others, each in the order in which they would have come', async () => {
  const project = { name: '', config: { isolate: true, sequence: { groupOrder: 0 } } }
  const tookMs = new Map([
    ['test/tally.test.ts', 1],
    ['test/flow.test.ts', 2],
    [longFiles[1], 5],
    ['test/architecture.test.ts', 3],
    ['test/ingest/undo.test.ts', 3],
    [longFiles[0], 4],
  ])
  const files = [...tookMs.keys()].map((path) => ({ moduleId: join(root, path ?? ''), project }) as TestSpecification)
  const duration = ({ moduleId }: TestSpecification) => tookMs.get(moduleId.slice(root.length + 1))
  const cache = {
    getTestSpecificationResult: (file: TestSpecification) => ({ failed: false, duration: duration(file) }),
  }
  const sorted = await new LongestFirst({ cache } as unknown as Vitest).sort(files)
  expect(sorted.map(({ moduleId }) => moduleId.slice(root.length + 1))).toEqual([
    longFiles[0],
    longFiles[1],
    'test/ingest/undo.test.ts',
    'test/flow.test.ts',
    'test/architecture.test.ts',
    'test/tally.test.ts',
  ])
})
