import { createHash } from 'node:crypto'
import { mkdtemp, readdir, readFile, rm, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { clearUnfinished, spool } from '../../ingest/spool.ts'

let folder: string
beforeEach(async () => {
  folder = join(await mkdtemp(join(tmpdir(), 'spool-')), 'not', 'there', 'yet')
})
afterEach(() => rm(join(folder, '../../..'), { recursive: true }))

async function* pieces(...parts: readonly (string | Uint8Array)[]): AsyncGenerator<Uint8Array> {
  for (const part of parts) yield Buffer.from(part)
}

describe('a file that is spooled', () => {
  test('is kept byte by byte under its hash, in whatever pieces it came', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.uint8Array({ maxLength: 50 }), { maxLength: 5 }), async (parts) => {
        const whole = Buffer.concat(parts)
        const kept = await spool(folder, pieces(...parts), 10_000)
        const sha256 = createHash('sha256').update(whole).digest('hex')
        expect(kept).toEqual({ path: join(folder, sha256), bytes: whole.length, sha256 })
        expect(await readFile(kept.path)).toEqual(whole)
      }),
      { numRuns: 20 },
    )
  })

  test('twice is kept once', async () => {
    const [a, b] = await Promise.all([spool(folder, pieces('sku\nA'), 100), spool(folder, pieces('sku', '\nA'), 100)])
    expect(a).toEqual(b)
    expect(await readdir(folder)).toEqual([a?.sha256])
  })

  test('may have exactly the bytes that are allowed, and with one more is refused and leaves nothing behind', async () => {
    expect((await spool(folder, pieces('12345'), 5)).bytes).toBe(5)
    await expect(spool(folder, pieces('123', '456'), 5)).rejects.toMatchObject({ code: 'too_large' })
    expect(await readdir(folder)).toHaveLength(1)
  })

  test('leaves nothing behind where its stream breaks', async () => {
    async function* broken() {
      yield Buffer.from('half')
      throw new Error('connection lost')
    }
    await expect(spool(folder, broken(), 100)).rejects.toThrow('connection lost')
    expect(await readdir(folder)).toEqual([])
  })

  test('that nobody has written to for a day is cleared beside others that are being written', async () => {
    await spool(folder, pieces('whole'), 100)
    const [left, written] = [join(folder, 'left.part'), join(folder, 'written.part')]
    for (const path of [left, written]) await writeFile(path, 'half')
    const longAgo = new Date(Date.now() - 25 * 3_600_000)
    await utimes(left, longAgo, longAgo)
    await clearUnfinished(folder, 24 * 3_600_000)
    expect((await readdir(folder)).filter((name) => name.endsWith('.part'))).toEqual(['written.part'])
  })

  test('that was cut off by a kill is cleared at the next start, and whole files are kept', async () => {
    const { sha256 } = await spool(folder, pieces('whole'), 100)
    await writeFile(join(folder, 'cut-off.part'), 'half')
    await writeFile(join(folder, 'an-import.duckdb.wal'), '')
    await clearUnfinished(folder, 0)
    expect(await readdir(folder)).toEqual([sha256])
    await clearUnfinished(join(folder, 'not-there'), 0)
  })
})
