import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import type { StoredRecord } from '../../infra/log/port.ts'
import type { BronzeRecord, SilverSettings } from '../../schemas/pipeline.ts'
import type { ProductStore, SinkBatch } from '../../transforms/ports.ts'
import { type ProductTopology, products } from '../../transforms/topology.ts'
import { runPartition } from '../../transforms/worker.ts'
import { record } from './bronze/story.ts'

const settings: SilverSettings = {
  number: 1,
  mappings: {},
  currency: null,
  decimal: null,
  linkTemplate: null,
  condition: null,
}

function stored(offset: number, title: string): StoredRecord {
  const [brand, catalog, product] = [randomUUID(), randomUUID(), randomUUID()]
  const more: Partial<BronzeRecord> = { brand, catalog, product, sid: 'a'.repeat(64), create: true, rows: [] }
  const value = Buffer.from(JSON.stringify(record('api', { title }, more)))
  return { partition: 0, offset, key: product, value }
}

/** Runs one partition over these records until the position stands behind the last. */
async function run(topology: ProductTopology, records: readonly StoredRecord[], begins = 0): Promise<SinkBatch[]> {
  const batches: SinkBatch[] = []
  const stop = new AbortController()
  const store: ProductStore = {
    claim: async () => 0,
    load: async () => new Map(),
    histories: async () => new Map(),
    contexts: async () => [],
    settings: async (workspaces) => new Map(workspaces.map((id) => [id, settings])),
    progress: async () => new Map(),
    letters: async () => [],
    refusedValue: () => false,
    commit: async (batch) => {
      batches.push(batch)
      if (batch.to === (records.at(-1)?.offset ?? 0) + 1) stop.abort()
      return 'done'
    },
  }
  const ports = {
    log: {
      epoch: 1,
      read: async (_topic: string, _partition: number, from: number) => records.slice(from),
      begins: async () => [begins],
    },
    store,
    digest: (text: string) => text,
    arrival: async () => {},
    onError: (error: unknown) => {
      stop.abort()
      throw error
    },
  }
  await runPartition(topology, 0, ports, stop.signal)
  return batches
}

test('a product that cannot be graded is buried alone, and every neighbour is written once', async () => {
  const topology: ProductTopology = {
    ...products,
    grade: (feed, kind) => {
      if (feed.product.title === 'Poison') throw new Error('no rule can read this')
      return products.grade(feed, kind)
    },
  }
  const titles = ['One', 'Two', 'Poison', 'Three', 'Four']
  const batches = await run(
    topology,
    titles.map((title, offset) => stored(offset, title)),
  )
  expect(batches.flatMap(({ writes }) => writes.map(({ refined }) => refined?.title))).toEqual([
    'One',
    'Two',
    'Three',
    'Four',
  ])
  expect(batches.flatMap(({ dead }) => dead)).toMatchObject([{ position: { offset: 2 }, attempts: 1 }])
  expect(batches.map(({ from, to }) => [from, to])).toEqual(
    batches.map((_, i) => [batches[i - 1]?.to ?? 0, batches[i]?.to]),
  )
})

test('records that the log has dropped before they were read are a loss that is told, and never passed over', async () => {
  const records = [stored(3, 'Three'), stored(4, 'Four')]
  await expect(run(products, records, 3)).rejects.toThrow(
    'begins at 3 in partition 0: what is from 0 on was never read',
  )
})

test('offsets that the engine keeps for itself are passed over', async () => {
  const batches = await run(products, [stored(3, 'Three'), stored(4, 'Four')])
  expect(batches.map(({ from, to }) => [from, to])).toEqual([[0, 5]])
})
