import { appendFile, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Client, client } from '../../../infra/cli/client.ts'
import { sendInParts } from '../../../infra/cli/send-in-parts.ts'
import { type Running, startAssay, workspace } from '../../running.ts'

const base = `/api/workspace/${workspace}`
const partBytes = 1_000
const rows = Array.from({ length: 200 }, (_, i) => `P-${i},Mug number ${i},"${i},50"\n`)

let assay: Running
let server: Client
let folder: string
beforeAll(async () => {
  assay = await startAssay()
  const url = await assay.app.listen({ port: 0, host: '127.0.0.1' })
  server = client(url, await assay.token('editor'))
  folder = await mkdtemp(join(tmpdir(), 'assay-parts-'))
})
afterAll(async () => {
  await assay.close()
  await rm(folder, { recursive: true, force: true })
})

async function file(name: string): Promise<string> {
  const path = join(folder, name)
  await writeFile(path, `sku,title,price\n${rows.join('')}`)
  return path
}

/** Counts the parts that leave, and lets the line break before one of them. */
function watched(breaksBefore = Number.POSITIVE_INFINITY) {
  const sent: string[] = []
  const through: Client = {
    ...server,
    put: (path, ...rest) => {
      if (sent.length === breaksBefore) return Promise.reject(new Error('the line broke'))
      sent.push(path.replace(/.*\//, ''))
      return server.put(path, ...rest)
    },
  }
  return { sent, through }
}

const send = (through: Client, path: string, catalog: string, tell: (done: number, total: number) => void = () => {}) =>
  sendInParts(through, base, new URLSearchParams({ catalog_id: catalog }), path, tell, partBytes)

test('a file that is sent in parts is imported whole', async () => {
  const catalog = await assay.newCatalog()
  const told: [number, number][] = []
  const path = await file('whole.csv')
  const { sent, through } = watched()
  const { job } = await send(through, path, catalog, (...figures) => told.push(figures))
  expect((await assay.job(job.id)).result).toMatchObject({ read: rows.length, created: rows.length })
  const size = 'sku,title,price\n'.length + rows.join('').length
  expect(sent).toEqual(Array.from({ length: Math.ceil(size / partBytes) }, (_, i) => String(i + 1)))
  expect(told.at(-1)).toEqual([size, size])
})

test('one that broke off goes on where it was, and what is there is not sent again', async () => {
  const catalog = await assay.newCatalog()
  const path = await file('broken.csv')
  const first = watched(3)
  await expect(send(first.through, path, catalog)).rejects.toThrow('the line broke')
  const second = watched()
  const { job } = await send(second.through, path, catalog)
  expect(first.sent).toEqual(['1', '2', '3'])
  expect(second.sent[0]).toBe('4')
  expect((await assay.job(job.id)).result).toMatchObject({ read: rows.length, created: rows.length })
})

test('one that is another file by now begins anew', async () => {
  const catalog = await assay.newCatalog()
  const path = await file('changed.csv')
  await expect(send(watched(3).through, path, catalog)).rejects.toThrow()
  await appendFile(path, 'LAST,One more,"1,00"\n')
  const { sent, through } = watched()
  const { job } = await send(through, path, catalog)
  expect(sent[0]).toBe('1')
  expect((await assay.job(job.id)).result).toMatchObject({ created: rows.length + 1 })
})

test('one that changes while it is sent is not imported', async () => {
  const path = await file('changing.csv')
  const changes: Client = {
    ...server,
    put: async (to, ...rest) => {
      await writeFile(path, 'x'.repeat(8_000))
      return server.put(to, ...rest)
    },
  }
  await expect(send(changes, path, await assay.newCatalog())).rejects.toThrow(/has changed while it was sent/)
})
