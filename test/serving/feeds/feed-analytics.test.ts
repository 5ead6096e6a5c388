import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Running, startAssay } from '../../running.ts'

let assay: Running
beforeAll(async () => {
  assay = await startAssay({}, { roles: ['api', 'jobs', 'transforms', 'events'] })
})
afterAll(() => assay.close())

const header = 'sku,title,description,price,currency,stock,image,link,condition'
const row = (sku: string) =>
  `${sku},Title of ${sku},A description that says enough.,"12,50",EUR,5,https://cdn.example.test/${sku}.jpg,https://shop.example.test/${sku},new`

test('200: reads, lines, bytes, consumers, the last position and what was refused, from the events of the reads', async () => {
  const made = await assay.newCatalog()
  await assay.ingest(made, `${header}\n${row('A-1')}\n${row('A-2')}\n`)
  await assay.publish(made)
  const path = '/api/v1/feeds/google'
  const read = (query: string, agent: string) =>
    assay.call('GET', `${path}?catalog_id=${made}&format=ndjson${query}`, undefined, { 'user-agent': agent })
  const plain = await read('', 'GPTBot/1.2')
  const placed = await read('&positions=1', 'GPTBot/1.2')
  await read('', 'somebody/1')
  const ask = () => assay.call('GET', `${path}/analytics?catalog_id=${made}&days=1`)
  let answer = await ask()
  for (const until = Date.now() + 30_000; answer.body.reads < 3 && Date.now() < until; answer = await ask())
    await sleep(200)
  const { position } = JSON.parse(placed.text.trimEnd().split('\n').at(-1) ?? '')._trailer
  const bytes = 2 * Buffer.byteLength(plain.text) + Buffer.byteLength(placed.text)
  expect(answer.body).toMatchObject({
    ...{ platform: 'google', catalogId: made, days: 1, reads: 3, complete: 3, lines: 6, bytes, errors: 0 },
    lastPosition: position,
    consumers: [
      { consumer: 'OpenAI', reads: 2, lines: 4 },
      { consumer: '', reads: 1, lines: 2 },
    ],
  })
}, 60_000)
