import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { type AssayFolder, type AssayProcess, assayFolder, demo } from '../../faults/assay-process.ts'

// Processes start, die and start again; on a busy machine each start takes seconds.
vi.setConfig({ testTimeout: 90_000, hookTimeout: 90_000 })

let ground: AssayFolder
let first: AssayProcess
beforeAll(async () => {
  ground = await assayFolder()
  first = await ground.start([])
  await told(first)
})
afterAll(() => ground.clear())

/** The start ends with how to import a file of one's own. */
async function told(assay: AssayProcess): Promise<void> {
  await vi.waitFor(() => expect(assay.out()).toContain('npm run assay -- ingest'), { timeout: 60_000, interval: 50 })
}

const figure = (text: string, pattern: RegExp) => Number(pattern.exec(text)?.[1]?.replaceAll(',', ''))

test('the first start imports the sample, publishes it, and tells bands, average and the five dearest gaps', async () => {
  const out = first.out()
  const products = figure(out, /^([\d,]+) products, /m)
  const variants = figure(out, /, ([\d,]+) variants, published as version 1$/m)
  expect(products).toBeGreaterThan(300)
  const bands = [...out.matchAll(/^(\S+) +(\d+)(?: +█+)?$/gm)].map(([, , n]) => Number(n))
  expect(bands.length).toBeGreaterThan(3)
  expect(bands.reduce((sum, n) => sum + n, 0)).toBe(variants)
  const average = figure(out, /^average score ([\d.]+)$/m)
  expect(average).toBeGreaterThan(20)
  expect(average).toBeLessThan(95)
  expect(out.match(/^\S+ +\d+ +products +\+\d+\.\d\d points each$/gm)).toHaveLength(5)
  const told = first.err().split('\n')
  expect(told.filter((line) => line.includes('THE LOCAL ISSUER IS ON'))).toHaveLength(1)
  expect(told.filter((line) => !line.includes('THE LOCAL ISSUER IS ON')).join('\n')).not.toMatch(
    /"level":|\bat .+:\d+:\d+/,
  )
})

test('every line that it prints to paste works as it stands', async () => {
  const lines = first.out().split('\n')
  const exports = lines.filter((line) => line.startsWith('export ')).join('\n')
  const curls = lines.filter((line) => line.startsWith('curl '))
  expect(curls).toHaveLength(3)
  const answers = await Promise.all(
    curls.map((line) => promisify(execFile)('sh', ['-c', `${exports}\n${line}`], { maxBuffer: 1 << 24 })),
  )
  const [list = '', feed = '', gold = ''] = answers.map(({ stdout }) => stdout)
  expect(JSON.parse(list).products).toHaveLength(2)
  const rows = feed
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line))
  expect(rows).toHaveLength(3)
  expect(rows[0]).toHaveProperty('price')
  expect(JSON.parse(gold)).toMatchObject({ catalogSummary: { avgScore: expect.any(Number) } })
})

test('the second start changes nothing and says so', async () => {
  const versions = async (assay: AssayProcess) => {
    const { body } = await assay.call('GET', `/api/workspace/${demo}/catalogs`)
    return body.catalogs.map(({ publishedVersion, updatedAt }: Record<string, unknown>) => ({
      publishedVersion,
      updatedAt,
    }))
  }
  const before = await versions(first)
  first.signal('SIGTERM')
  expect(await first.ended).toBe(0)
  const second = await ground.start([])
  await told(second)
  expect(await versions(second)).toEqual(before)
  expect(second.out()).toMatch(/everything is as you left it; nothing was changed$/m)
  const report = (out: string) => out.slice(out.indexOf(' products, '), out.indexOf('export '))
  expect(report(second.out())).toBe(report(first.out()))
  second.signal('SIGTERM')
  expect(await second.ended).toBe(0)
})

test('a first start that is killed on the way is brought to its end by the next', async () => {
  const other = await assayFolder()
  try {
    const killed = await other.start([])
    await killed.kill()
    const next = await other.start([])
    await told(next)
    expect(next.out()).toMatch(/published as version 1$/m)
    expect(next.out()).not.toContain('nothing was changed')
  } finally {
    await other.clear()
  }
})
