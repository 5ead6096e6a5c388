import { hash } from 'node:crypto'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { ArchiveFileGone } from '../../../infra/archive/store.ts'
import { type FeedFileStore, feedFileStore } from '../../../infra/system/feed-file-store.ts'
import { bucketServer } from '../archive/bucket-server.ts'

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'assay-feeds-'))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

const id = '3b1f0c52-6a7e-4c1d-9d7e-0f4a2c8b6d11'

async function keepAndRead(store: FeedFileStore): Promise<void> {
  await writeFile(await store.draft(id), 'id,title\r\n')
  await expect(store.local(id)).rejects.toThrow(ArchiveFileGone)
  await store.keep(id, hash('sha256', 'id,title\r\n', 'hex'))
  expect(await readFile(await store.local(id), 'utf8')).toBe('id,title\r\n')
}

test('a file is there once it is whole, in the data folder', async () => {
  const store = feedFileStore({ dataFolder: folder, archive: { folder: join(folder, 'archive') } })
  await keepAndRead(store)
  expect(await readFile(join(folder, 'spool', 'feeds', id), 'utf8')).toBe('id,title\r\n')
  await store.remove(id)
  await expect(store.local(id)).rejects.toThrow(ArchiveFileGone)
})

test('or in the bucket of the archive, under a name that is none of the archive’s', async () => {
  const key = { region: 'us-east-1', keyId: 'id', secret: 'a secret' }
  const server = await bucketServer(key)
  const archive = { ...key, endpoint: server.endpoint, bucket: 'assay', prefix: 'one' }
  const store = feedFileStore({ dataFolder: folder, archive })
  await keepAndRead(store)
  expect([...server.objects.keys()]).toEqual([`assay/one/feeds/${id}`])
  await store.remove(id)
  expect(server.objects.size).toBe(0)
  await server.close()
})
