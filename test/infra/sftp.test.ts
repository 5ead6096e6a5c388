import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { faultOfKey, putBySftp, type SftpPut } from '../../infra/sftp.ts'
import { newKey, type SftpServer, sftpServer } from './sftp-server.ts'

let folder: string
let server: SftpServer
const clientKey = newKey()
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'assay-sftp-'))
  server = await sftpServer(folder, { clientKey })
  await writeFile(join(folder, 'own'), 'x'.repeat(300_000))
})
afterAll(async () => {
  await server.close()
  await rm(folder, { recursive: true, force: true })
})

const put = (more: Partial<SftpPut> = {}) =>
  putBySftp({
    ...{ socket: connect(server.port, '127.0.0.1'), user: server.user, secret: { password: server.password } },
    ...{ hostKey: null, file: join(folder, 'own'), to: '/in/google.xml', name: 'f-1' },
    signal: new AbortController().signal,
    ...more,
  })

test('a file comes whole under another name first, and takes the place of the one before it', async () => {
  server.asked.length = 0
  const { hostKey } = await put()
  expect(hostKey).toMatch(/^SHA256:[A-Za-z0-9+/]{43}$/)
  expect(server.asked).toEqual(['open /in/.f-1.part', 'rename /in/.f-1.part /in/google.xml'])
  await writeFile(join(folder, 'own'), 'y'.repeat(200_000))
  await put({ hostKey, name: 'f-2' })
  expect(await readFile(join(folder, 'google.xml'), 'utf8')).toBe('y'.repeat(200_000))
  expect((await readdir(folder)).sort()).toEqual(['google.xml', 'own'])
})

test('with a private key in place of a password', async () => {
  await put({ secret: { privateKey: clientKey }, to: '/in/key.xml' })
  expect(await readdir(folder)).toContain('key.xml')
})

describe('nothing is sent', () => {
  test('to a server with another host key than the one that is known', async () => {
    server.asked.length = 0
    const refused = put({ hostKey: `SHA256:${'A'.repeat(43)}` })
    await expect(refused).rejects.toMatchObject({ code: 'host_key', message: expect.stringContaining('SHA256:AAAA') })
    expect(server.asked).toEqual([])
  })

  test('where the password or the key is another', async () => {
    await expect(put({ secret: { password: 'wrong' } })).rejects.toMatchObject({ code: 'sign_in' })
    await expect(put({ secret: { privateKey: newKey() } })).rejects.toMatchObject({ code: 'sign_in' })
  })
})

test('a connection that breaks off in the middle leaves the file before it as it was', async () => {
  const before = await readFile(join(folder, 'google.xml'))
  server.breaking = 1
  await expect(put()).rejects.toMatchObject({ code: expect.stringMatching(/broken_off|refused_path/) })
  expect((await readFile(join(folder, 'google.xml'))).equals(before)).toBe(true)
})

test('who gives up is let go at once', async () => {
  const given = new AbortController()
  const asked = put({ signal: given.signal })
  given.abort(new Error('enough'))
  await expect(asked).rejects.toThrow()
})

test('a private key that cannot be read is said before it is kept', () => {
  expect(faultOfKey({ privateKey: clientKey })).toBeNull()
  expect(faultOfKey({ password: 'x' })).toBeNull()
  expect(faultOfKey({ privateKey: '-----BEGIN NOTHING-----' })).toContain('private_key')
})
