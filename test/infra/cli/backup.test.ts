import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { access, mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { findPostmaster } from '../../../infra/catalog/postmaster.ts'
import { childEnvironment } from '../../child-environment.ts'
import { enough } from '../../enough.ts'
import { type AssayFolder, type AssayProcess, assayFolder, demo } from '../../faults/assay-process.ts'
import { copyPrepared } from '../../faults/copy-prepared.ts'
import { serverFolder } from '../../harness.ts'
import { sentence } from './sentence.ts'

// Processes start, die and start again; on a busy machine each start takes seconds.
vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 })

const rows = 4_000
const file = `sku,title,price,currency\n${Array.from({ length: rows }, (_, i) => `K-${i},Enamel mug ${i},2.50,EUR`).join('\n')}\n`
const program = join(import.meta.dirname, '../../../infra/cli/assay.ts')

let ground: AssayFolder
let backups: string
let running: AssayProcess
const grounds: AssayFolder[] = []
const folders: string[] = []

async function groundAt(prefix: string, lay = async (_folder: string) => {}): Promise<AssayFolder> {
  const folder = await serverFolder(prefix)
  await lay(folder)
  folders.push(folder)
  const made = await assayFolder(folder)
  grounds.push(made)
  return made
}

beforeAll(async () => {
  ground = await groundAt('assay-backed-up-', copyPrepared)
  backups = await mkdtemp(join(tmpdir(), 'assay-backups-'))
  folders.push(backups)
  running = await ground.start()
  const path = join(backups, 'file.csv')
  await writeFile(path, file)
  const token = (await ground.run(['token', '--workspace', demo, '--role', 'admin'])).out.trim()
  await ground.run(['ingest', path], { ASSAY_URL: running.url, ASSAY_TOKEN: token })
})
afterAll(async () => {
  for (const made of grounds) await made.clear()
  for (const folder of folders) await rm(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 50 })
})

const isThere = (path: string) =>
  access(path).then(
    () => true,
    () => false,
  )
const total = async (assay: AssayProcess) =>
  (await assay.call('GET', `/api/workspace/${demo}/catalog/products?limit=1&sort=id`)).body.products.length

/** Kills the command with -9 once `path` is there and a moment more has passed. */
async function killed(args: string[], env: Record<string, string>, path: string, afterMs: number): Promise<void> {
  const child: ChildProcess = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', program, ...args], {
    env: { ...childEnvironment, ...env },
    stdio: 'ignore',
  })
  const ended = once(child, 'exit')
  while (child.exitCode === null && !(await isThere(path))) await sleep(2)
  await sleep(afterMs)
  child.kill('SIGKILL')
  await ended
}

test('what is missing or wrong is said in one sentence', async () => {
  expect(sentence(await ground.run(['backup']))).toMatch(/assay backup --to FOLDER/)
  expect(sentence(await ground.run(['backup', 'verify']))).toMatch(/which backup/)
  expect(sentence(await ground.run(['restore']))).toMatch(/which backup/)
  expect(sentence(await ground.run(['backup', '--to', join(backups, 'none'), '--data', '/nonexistent']))).toMatch(
    /There is no Assay in/,
  )
  expect(sentence(await ground.run(['restore', '--from', backups]))).toMatch(/is no backup/)
})

describe('assay backup', () => {
  test('of an Assay that runs leaves it running; verified, it is whole', async () => {
    const to = join(backups, 'running')
    const { code, out } = await ground.run(['backup', '--to', to])
    expect({ code, out }).toEqual({ code: 0, out: expect.stringMatching(/rows of \d+ tables, 1 files/) })
    expect(await total(running)).toBe(1)
    const verified = await ground.run(['backup', 'verify', to])
    expect({ code: verified.code, out: verified.out }).toEqual({ code: 0, out: expect.stringContaining('is whole') })
  })

  test.each(enough([60], [0, 60]))(
    'that is killed %i ms after it began is no backup, and a second takes its place',
    async (ms) => {
      const to = join(backups, `killed-${ms}`)
      await killed(['backup', '--to', to], { ASSAY_DATA: ground.folder }, join(to, 'UNFINISHED'), ms)
      if (await isThere(join(to, 'UNFINISHED')))
        expect(sentence(await ground.run(['backup', 'verify', to]))).toMatch(/did not come to its end/)
      await rm(join(to, 'SHA256SUMS'), { force: true })
      await writeFile(join(to, 'UNFINISHED'), '')
      expect((await ground.run(['backup', '--to', to])).code).toBe(0)
      expect((await ground.run(['backup', 'verify', to])).code).toBe(0)
    },
  )

  test('of an Assay that is stopped starts its Postgres and stops it again', async () => {
    running.signal('SIGTERM')
    await running.ended
    const to = join(backups, 'stopped')
    expect((await ground.run(['backup', '--to', to])).code).toBe(0)
    expect(await findPostmaster(join(ground.folder, 'postgres', 'data'))).toBeNull()
  })
})

describe('assay restore', () => {
  const from = () => join(backups, 'running')

  test('prints what it compared, leaves no server behind, and assay serve goes on from there', async () => {
    const into = await groundAt('assay-restored-')
    const { code, out } = await into.run(['restore', '--from', from()])
    expect(code).toBe(0)
    expect(out).toMatch(new RegExp(`^products +${rows} +${rows}  same$`, 'm'))
    expect(out).not.toContain('DIFFERS')
    expect(await findPostmaster(join(into.folder, 'postgres', 'data'))).toBeNull()
    expect((await readdir(into.folder)).sort()).toEqual(['issuer.json', 'postgres', 'secret-key', 'spool'])
    const assay = await into.start()
    const { body } = await assay.call('GET', `/api/workspace/${demo}/catalog/products?sku=K-3999`)
    expect(body.products).toMatchObject([{ sku: 'K-3999', title: 'Enamel mug 3999' }])
    // Said before that its archive is not empty, which is that Assay's too.
    await mkdir(join(into.folder, 'archive'))
    await writeFile(join(into.folder, 'archive', 'any'), '')
    expect(sentence(await into.run(['restore', '--from', from()]))).toMatch(/is in use by another Assay/)
    await assay.kill()
  })

  test.each(enough([100], [100, 1_500]))(
    'that is killed after %i ms serves nobody, and a second cleans up',
    async (ms) => {
      const into = await groundAt('assay-restore-killed-')
      await killed(['restore', '--from', from(), '--data', into.folder], {}, join(into.folder, 'RESTORING'), ms)
      if (await isThere(join(into.folder, 'RESTORING'))) {
        const served = await into.run(['serve', '--no-sample'])
        expect(sentence(served)).toMatch(/did not come to its end/)
        expect(sentence(await into.run(['backup', '--to', join(backups, 'of-half')]))).toMatch(
          /did not come to its end/,
        )
        expect((await into.run(['restore', '--from', from()])).code).toBe(0)
      }
      const assay = await into.start()
      expect(await total(assay)).toBe(1)
      await assay.kill()
    },
  )
})
