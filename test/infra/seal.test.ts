import { randomBytes } from 'node:crypto'
import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { openSealing, SealError } from '../../infra/seal.ts'
import { secretKeyFile, secretKeys } from '../../infra/secret-key.ts'

const [first, second] = [randomBytes(32), randomBytes(32)]

test('what is sealed opens under its key, for what it belongs to, and for nothing else', () => {
  const sealing = openSealing([first])
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), fc.string(), (secret, of) => {
      const one = sealing.seal(secret, of)
      expect(sealing.open(one, of)).toBe(secret.toWellFormed())
      expect(() => sealing.open(one, `${of}.`)).toThrow(SealError)
      expect(() => openSealing([second]).open(one, of)).toThrow(SealError)
    }),
  )
})

test('every byte counts, no two sealings are alike, and none has the secret in it', () => {
  const sealing = openSealing([first])
  const one = sealing.seal('demo-signing-secret', 'a')
  expect(one.sealed).not.toEqual(sealing.seal('demo-signing-secret', 'a').sealed)
  expect(one.sealed.includes('demo')).toBe(false)
  for (let i = 0; i < one.sealed.length; i++) {
    const altered = Buffer.from(one.sealed)
    altered[i] = (altered[i] ?? 0) ^ 1
    expect(() => sealing.open({ ...one, sealed: altered }, 'a')).toThrow(SealError)
  }
  for (let length = 0; length < one.sealed.length; length++)
    expect(() => sealing.open({ ...one, sealed: one.sealed.subarray(0, length) }, 'a')).toThrow(SealError)
})

test('a former key opens and no longer seals', () => {
  const old = openSealing([first]).seal('secret', 'a')
  const sealing = openSealing([second, first])
  expect(sealing.formerIds).toEqual([old.keyId])
  expect(sealing.open(old, 'a')).toBe('secret')
  expect(sealing.seal('secret', 'a').keyId).toBe(sealing.keyId)
  expect(sealing.keyId).not.toBe(old.keyId)
})

test('a first start makes a key that only its owner reads; later starts take it, and one that is configured goes before it', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'assay-key-'))
  const none = { present: undefined, former: [] }
  const together = await Promise.all(Array.from({ length: 8 }, () => secretKeys(folder, none)))
  const [made] = together[0] ?? []
  for (const keys of together) expect(keys).toEqual([made])
  expect((await stat(join(folder, secretKeyFile))).mode & 0o777).toBe(0o600)
  expect(Buffer.from(await readFile(join(folder, secretKeyFile), 'utf8'), 'base64')).toEqual(made)
  const configured = { present: first.toString('base64'), former: [second.toString('base64')] }
  expect(await secretKeys(folder, configured)).toEqual([first, second, made])
  await writeFile(join(folder, secretKeyFile), 'rubbish')
  await expect(secretKeys(folder, none)).rejects.toThrow('holds no key')
  await rm(folder, { recursive: true })
})
