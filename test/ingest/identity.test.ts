import { randomUUID } from 'node:crypto'
import fc from 'fast-check'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { identities } from '../../infra/catalog/identities.ts'
import { type Catalog, openCatalog } from '../../infra/catalog/postgres.ts'
import { isUniqueViolation } from '../../infra/catalog/sql-errors.ts'
import type { Candidate } from '../../ingest/candidate.ts'
import {
  decidingKind,
  type Identifiers,
  identifyingGtin,
  type Kind,
  kinds,
  productId,
} from '../../ingest/identifiers.ts'
import { asJudged, type Resolution, resolve } from '../../ingest/identity.ts'
import type { Verdict } from '../../ingest/verdicts.ts'
import { enough } from '../enough.ts'
import { freshDatabase, type TestDatabase } from '../harness.ts'
import { factsOf, verdictsOf, withScratch } from './judge.ts'
import { anyFiles, notShared, row } from './rows.ts'

let database: TestDatabase
let catalog: Catalog
let scope: { workspace: string; catalog: string; source: string }
beforeAll(async () => {
  database = await freshDatabase()
  catalog = openCatalog(database.url)
})
afterAll(async () => {
  await catalog.close()
  await database.drop()
})
beforeEach(() => {
  scope = { workspace: 'ws_test', catalog: randomUUID(), source: 'file:a' }
})

const known = () => identities(catalog.pipeline)
type Judged = Pick<Verdict, 'shared' | 'own'>
const look = (rows: readonly (readonly [Candidate, (Judged | undefined)?])[], source = scope.source) =>
  resolve(
    rows.map(([candidate, judged]) => asJudged(candidate, judged ?? null)),
    { ...scope, source },
    known(),
    false,
  )

const keep = (told: Resolution) =>
  catalog.inTransaction(catalog.pipeline, async (tx) => {
    await known().insert(tx, scope.catalog, told.insert)
    await known().share(tx, scope.catalog, told.share)
    await known().gain(tx, scope.catalog, told.gain)
  })

/** As one import takes a batch of rows: which product each of them is. */
async function take(ids: readonly Partial<Identifiers>[], source?: string): Promise<(string | null)[]> {
  const told = await look(
    ids.map((one, seq) => [row(one, seq)] as const),
    source,
  )
  await keep(told)
  return told.found.map(({ product }) => product)
}
const takeOne = async (ids: Partial<Identifiers>, source?: string) => (await take([ids], source))[0] ?? null

const gtin = '04006381333931'
const [sku, url] = ['LU-1', 'https://shop.example.test/mug']
const every: readonly (readonly [Kind, Partial<Identifiers>])[] = [
  [kinds.sku, { sku }],
  [kinds.sourceId, { sourceId: '77' }],
  [kinds.family, { family: 'mugs', options: 'color=red' }],
  [kinds.gtin, { gtin }],
  [kinds.mpnBrand, { mpnBrand: 'x1\u001flumo' }],
  [kinds.url, { url }],
]

describe('the kinds of identifiers', () => {
  const pairs = every.flatMap(([a, strong], i) => every.slice(i + 1).map(([b, weak]) => [a, b, strong, weak] as const))

  test.each(pairs)('decide in order: kind %i before kind %i', async (_a, _b, strong, weak) => {
    const first = await takeOne(strong)
    const second = await takeOne(weak)
    expect(second).not.toBe(first)
    expect(await takeOne({ ...strong, ...weak })).toBe(first)
  })

  test.each(every)('make a product whose id says which one decided: kind %i', async (kind, ids) => {
    const product = await takeOne(ids)
    expect(decidingKind(product ?? '')).toBe(kind)
    expect(await takeOne(ids)).toBe(product)
  })

  test('are all registered: a row is found again by any one that it has', async () => {
    const product = await takeOne(Object.assign({}, ...every.map(([, ids]) => ids)))
    for (const [, ids] of every) expect(await takeOne(ids)).toBe(product)
  })

  test('mean something in their own source alone where a source gave them', async () => {
    const first = await takeOne({ sourceId: '77' }, 'file:a')
    expect(await takeOne({ sourceId: '77' }, 'file:b')).not.toBe(first)
    expect(await takeOne({ sku })).toBe(await takeOne({ sku }, 'file:b'))
  })

  test('end with the whole row, in whatever order its cells stand', async () => {
    const told = await look([[row({}, 0, { title: 'Mug', color: 'red ' })]])
    await keep(told)
    const product = told.found[0]?.product
    expect(decidingKind(product ?? '')).toBe(kinds.row)
    const again = async (cells: Candidate['cells'], source?: string) =>
      (await look([[row({}, 0, cells)]], source)).found[0]?.product
    expect(await again({ color: 'red', title: 'Mug' })).toBe(product)
    expect(await again({ color: 'blue', title: 'Mug' })).not.toBe(product)
    expect(await again({ color: 'red', title: 'Mug' }, 'file:b')).not.toBe(product)
  })

  test('compare a GTIN by the number that silver reads: an ISBN of ten signs, and one that lost its zeros', () => {
    const isbn = '09780306406157'
    for (const text of ['0-306-40615-2', '9780306406157', '978-0-306-40615-7', 'ISBN 0306406152'])
      expect(identifyingGtin(text)).toBe(isbn)
    expect(identifyingGtin('306406152', 'ISBN')).toBe(isbn)
    expect(identifyingGtin('36282818705')).toBe('00036282818705')
    expect(identifyingGtin('0317-8471')).toBeNull()
  })

  test.each([
    ['4006381333931', gtin],
    ['04006381333931', gtin],
    [' 4006381-333931', gtin],
    ['0000000000000', null],
    ['2000000000008', null],
    ['4006381333932', null],
    ['', null],
  ])('compare a GTIN by its 14 digits, and never a placeholder or restricted one: %j is %j', (text, full) => {
    expect(identifyingGtin(text)).toBe(full)
  })
})

describe('an identifier that stands on several products', () => {
  test('is shared and decides nothing more: a row with nothing else is ambiguous', async () => {
    const [a, b] = await take([
      { sku: 'A', gtin },
      { sku: 'B', gtin },
    ])
    expect(a).not.toBe(b)
    expect(await takeOne({ gtin })).toBeNull()
    const other = await takeOne({ gtin, url })
    expect([a, b, null]).not.toContain(other)
    expect(await takeOne({ gtin, url })).toBe(other)
    expect(await takeOne({ sku: 'A', gtin })).toBe(a)
  })

  test('of one file is shared from the start, for rows that come in whatever batch', async () => {
    const shared = { shared: { ...notShared, gtin: true }, own: false }
    for (const name of ['A', 'B']) await keep(await look([[row({ sku: name, gtin }), shared]]))
    expect(await takeOne({ gtin }, 'file:b')).toBeNull()
    expect(decidingKind((await takeOne({ gtin, url }, 'file:b')) ?? '')).toBe(kinds.url)
  })

  test('was the one SKU of several options: the options tell the rows apart', async () => {
    const shared = { shared: { ...notShared, sku: true }, own: false }
    const variant = (color: string) => row({ sku, family: 'mugs', options: `color=${color}` })
    const told = await look([
      [variant('red'), shared],
      [variant('blue'), shared],
    ])
    await keep(told)
    const [red, blue] = told.found.map(({ product }) => product)
    expect([decidingKind(red ?? ''), decidingKind(blue ?? '')]).toEqual([kinds.family, kinds.family])
    expect(red).not.toBe(blue)
    expect(await takeOne({ sku, family: 'mugs', options: 'color=blue' })).toBe(blue)
    expect(await takeOne({ sku }, 'file:b')).toBeNull()
  })

  test('becomes shared where a second product comes with it', async () => {
    const first = await takeOne({ sku: 'A', url })
    const second = await takeOne({ sku: 'B', url })
    expect(second).not.toBe(first)
    expect(await takeOne({ url })).toBeNull()
  })
})

describe('the owner of options', () => {
  const owner = (claims: boolean) => ({ text: 'rakuten\u001fjersey', claims })
  const item = (id = 'jersey') => ({ sourceId: id, owner: owner(true) })
  const ofOptions = { family: 'file:b\u001fjersey', options: 'parent', owner: owner(false) }

  test('is the product of the other file, whichever came first', async () => {
    const [product] = await take([item()], 'file:a')
    expect(await take([ofOptions], 'file:b')).toEqual([product])
    scope = { ...scope, catalog: randomUUID() }
    const [parent] = await take([ofOptions], 'file:b')
    expect(await take([item()], 'file:a')).toEqual([parent])
    expect(await take([item(), ofOptions], 'file:a')).toEqual([parent, parent])
  })

  test('that one file of products claimed is not another’s, and stays with those that know it', async () => {
    const [product] = await take([item()], 'file:a')
    await take([ofOptions], 'file:b')
    const [other] = await take([item()], 'file:of another shop')
    expect(other).not.toBe(product)
    expect(await take([item()], 'file:a')).toEqual([product])
    expect(await take([ofOptions], 'file:b')).toEqual([product])
    expect(await take([item()], 'file:of another shop')).toEqual([other])
  })

  test('may have a SKU that only the file of products knows', async () => {
    const [parent] = await take([ofOptions], 'file:b')
    expect(await take([{ ...item(), sku: 'J-1' }], 'file:a')).toEqual([parent])
    expect(await take([{ sku: 'J-1' }], 'file:c')).toEqual([parent])
  })
})

describe('a row', () => {
  test('never attaches to a product with another SKU', async () => {
    for (const [, ids] of every.slice(1)) {
      scope = { ...scope, catalog: randomUUID() }
      const first = await takeOne({ sku: 'A', ...ids })
      expect(await takeOne({ sku: 'B', ...ids })).not.toBe(first)
    }
  })

  test('never attaches by a weak identifier to a product with other options', async () => {
    const red = await takeOne({ family: 'mugs', options: 'color=red', gtin, url })
    expect(await takeOne({ family: 'mugs', options: 'color=blue', gtin })).not.toBe(red)
    expect(await takeOne({ family: 'cups', options: 'color=blue', url })).not.toBe(red)
  })

  test('attaches to a product without options once, and gives it its own', async () => {
    const product = await takeOne({ gtin, url })
    expect(await takeOne({ family: 'mugs', options: 'color=red', gtin })).toBe(product)
    expect(await takeOne({ family: 'cups', options: 'color=blue', url })).not.toBe(product)
    expect(await takeOne({ family: 'mugs', options: 'color=red' })).toBe(product)
  })

  test('that has options of a product made by its SKU keeps rows with others away from it', async () => {
    const product = await takeOne({ sku, gtin, url })
    expect(await takeOne({ sku, family: 'mugs', options: 'color=red' })).toBe(product)
    expect(await takeOne({ family: 'mugs', options: 'color=blue', gtin })).not.toBe(product)
    expect(await takeOne({ url })).toBe(product)
  })

  test('with a new SKU attaches to a product that has none and gives it one; a second SKU is a product of its own', async () => {
    const product = await takeOne({ gtin, url }, 'file:b')
    expect(await takeOne({ sku: 'A', gtin })).toBe(product)
    expect(await takeOne({ sku: 'A' }, 'file:c')).toBe(product)
    const second = await takeOne({ sku: 'B', url })
    expect(second).not.toBe(product)
    expect(await takeOne({ sku: 'A' })).toBe(product)
    expect(await takeOne({ gtin })).toBe(product)
  })

  test('in the same batch finds the SKU that the row before it gave', async () => {
    const product = await takeOne({ gtin, url }, 'file:b')
    const [first, second, third] = await take([{ sku: 'A', gtin }, { sku: 'B', url }, { sku: 'A' }])
    expect([first, third]).toEqual([product, product])
    expect(second).not.toBe(product)
  })
})

test('two look-ups of the same identifiers at once make one product', async () => {
  const ids = { sku, gtin, url }
  const both = await Promise.all(
    ['file:a', 'file:b'].map(async (source) => {
      for (;;) {
        const told = await look([[row(ids)]], source)
        try {
          await keep(told)
          return told.found[0]?.product
        } catch (error) {
          if (!isUniqueViolation(error)) throw error
        }
      }
    }),
  )
  expect(both[0]).toBe(both[1])
  const { rows } = await catalog.pipeline.query(
    'select distinct product_id, shared from product_identity where catalog_id = $1',
    [scope.catalog],
  )
  expect(rows).toEqual([{ product_id: both[0], shared: false }])
})

test('one of two transactions that register an identifier at once waits for the other and is told', async () => {
  const [mine, theirs] = [await look([[row({ sku, gtin })]]), await look([[row({ sku: 'B', gtin })]])]
  const first = await catalog.pipeline.connect()
  try {
    await first.query('begin')
    await known().insert(first, scope.catalog, mine.insert)
    const second = keep(theirs)
    const outcome = expect(second).rejects.toSatisfy(isUniqueViolation)
    await first.query('commit')
    await outcome
  } finally {
    first.release()
  }
  const again = await look([[row({ sku: 'B', gtin })]])
  expect(again.found[0]).toMatchObject({ fresh: true })
  expect(again.share).toHaveLength(1)
})

const anyKind = fc.constantFrom(...Object.values(kinds))

test('a product id is a UUIDv8 that carries its kind, one for a workspace, catalog and identifier', () => {
  const seen = new Map<string, string>()
  fc.assert(
    fc.property(fc.constantFrom('ws_a', 'ws_b'), fc.uuid(), anyKind, fc.string(), (workspace, into, kind, text) => {
      const { id, sid } = productId(workspace, into, kind, text)
      expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
      expect(sid).toMatch(/^[0-9a-f]{64}$/)
      expect(decidingKind(id)).toBe(kind)
      const what = JSON.stringify([workspace, into, kind, text])
      expect(seen.get(id) ?? what).toBe(what)
      seen.set(id, what)
      expect(productId(workspace, into, kind, text)).toEqual({ id, sid })
    }),
  )
})

/** Rows in batches that are cut where luck has it, and the batches in any order. */
const anyBatches = fc.tuple(anyFiles, fc.array(fc.nat(99), { minLength: 30, maxLength: 30 })).map(([rows, luck]) => {
  const cut: Candidate[][] = [[]]
  for (const [at, one] of rows.entries()) {
    if ((luck[at % luck.length] ?? 0) < 20) cut.push([])
    cut.at(-1)?.push(one)
  }
  const order = cut.map((batch, at) => [luck[at % luck.length] ?? 0, batch] as const).sort(([a], [b]) => a - b)
  return { rows, batches: order.map(([, batch]) => batch).filter((batch) => batch.length > 0) }
})

/** @returns the product of each row that wins, by seq */
async function takeWinners(batches: readonly (readonly Candidate[])[], verdicts: readonly Verdict[]) {
  const products = new Map<number, string | null>()
  for (const batch of batches) {
    const winners = batch.filter(({ seq }) => verdicts[seq]?.verdict === 'win')
    const told = await look(winners.map((one) => [one, verdicts[one.seq]] as const))
    await keep(told)
    for (const { candidate, product } of told.found) products.set(candidate.seq, product)
  }
  return products
}

const inOrder = (products: ReadonlyMap<number, string | null>) => [...products].sort(([a], [b]) => a - b)

/** What fails is made smaller for as long as this, and then told. */
const bounded = { numRuns: enough(2, 4), interruptAfterTimeLimit: 20_000 }

describe('however a judged file is cut into batches, and in whatever order they come,', () => {
  test('each row that wins is a product of its own, the same one every time', async () => {
    await fc.assert(
      fc.asyncProperty(anyBatches, async ({ rows, batches }) => {
        const verdicts = await withScratch(async (scratch) => verdictsOf(await factsOf(scratch, rows), rows))
        scope = { ...scope, catalog: randomUUID() }
        const whole = inOrder(await takeWinners([rows], verdicts))
        const ids = whole.map(([, product]) => product)
        expect(ids).not.toContain(null)
        expect(new Set(ids).size).toBe(ids.length)
        // The same file again finds them again.
        expect(inOrder(await takeWinners(batches, verdicts))).toEqual(whole)

        const cut = { ...scope, catalog: randomUUID() }
        const named = new Map(whole.map(([seq, product]) => [seq, decidingKind(product ?? '')]))
        scope = cut
        const other = inOrder(await takeWinners(batches, verdicts))
        expect(new Set(other.map(([, product]) => product)).size).toBe(other.length)
        expect(new Map(other.map(([seq, product]) => [seq, decidingKind(product ?? '')]))).toEqual(named)
      }),
      bounded,
    )
  }, 120_000)

  /** @returns the product of each row that wins, where the catalog knows the rows before */
  async function takeOver(before: readonly Candidate[], rows: readonly Candidate[], batches: readonly Candidate[][]) {
    return withScratch(async (scratch) => {
      scope = { workspace: 'ws_test', catalog: randomUUID(), source: 'file:a' }
      await takeWinners([before], await verdictsOf(await factsOf(scratch, before), before))
      scope = { ...scope, source: 'file:b' }

      const facts = await factsOf(scratch, rows)
      let verdicts = await verdictsOf(facts, rows)
      for (const batch of batches) {
        const winners = batch.filter(({ seq }) => verdicts[seq]?.verdict === 'win')
        const { found } = await look(winners.map((one) => [one, verdicts[one.seq]] as const))
        for (const { candidate, alone } of found)
          if (alone) await facts.resolve([[candidate.seq, alone.product, alone.gives]])
      }
      if (await facts.meet()) verdicts = await verdictsOf(facts, rows)
      return takeWinners(batches, verdicts)
    })
  }

  test('over a catalog that knows some of it each row that wins is still a product of its own', async () => {
    await fc.assert(
      fc.asyncProperty(anyFiles, anyBatches, async (before, { rows, batches }) => {
        const taken = [...(await takeOver(before, rows, batches)).values()].filter((product) => product !== null)
        expect(new Set(taken).size).toBe(taken.length)
      }),
      bounded,
    )
  }, 120_000)

  const known = { family: 'F', options: '', gtin, url }
  test.each<[string, readonly Partial<Identifiers>[]]>([
    [
      'SKU',
      [
        { sku: 'C', url },
        { sku: 'B', gtin },
        { family: 'F', options: '' },
      ],
    ],
    [
      'options',
      [
        { family: 'G', options: 'color=blue', gtin },
        { family: 'H', options: 'color=red', url },
        { family: 'F', options: '' },
      ],
    ],
  ])('who may not give a known product its first %s is another, also where the row that may loses', async (_, ids) => {
    const rows = ids.map((one, seq) => row(one, seq, { title: `Mug ${seq}` }))
    const [first, second, third] = rows as [Candidate, Candidate, Candidate]
    for (const batches of [
      [rows],
      [[first], [second], [third]],
      [[third], [second], [first]],
      [[second], [first, third]],
    ]) {
      const taken = await takeOver([row(known)], rows, batches)
      expect([...taken.keys()].sort()).toEqual([1, 2])
      expect(taken.get(1)).not.toBe(taken.get(2))
    }
  })
})
