import { randomUUID } from 'node:crypto'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterAll, describe, expect, test } from 'vitest'
import type { Candidate } from '../../ingest/candidate.ts'
import type { Identifiers } from '../../ingest/identifiers.ts'
import { openRepeats } from '../../ingest/repeats.ts'
import { openScratch } from '../../ingest/scratch.ts'
import { contentText, type Verdict } from '../../ingest/verdicts.ts'
import { enough } from '../enough.ts'
import { factsOf, verdictsOf } from './judge.ts'
import { anyFiles, row } from './rows.ts'

const scratch = openScratch(join(tmpdir(), `verdicts-${randomUUID()}.duckdb`))
afterAll(() => scratch.close())

type Given = Partial<Identifiers> & { title?: string }
const rowsOf = (given: readonly Given[]): Candidate[] =>
  given.map(({ title = 'Mug', ...ids }, seq) => row(ids, seq, { title }))

/** One word a row: `win`, or the verdict and the row that stands instead; then what is shared. */
async function judge(...given: readonly Given[]): Promise<string[]> {
  const rows = rowsOf(given)
  const verdicts = await verdictsOf(await factsOf(scratch, rows), rows)
  return verdicts.map(({ verdict, winnerRow, shared }) => {
    const flags = Object.entries(shared).flatMap(([name, is]) => (is ? [name] : []))
    const instead = verdict === 'duplicate' || verdict === 'id_conflict' ? [`of ${winnerRow}`] : []
    return [verdict, ...instead, ...flags].join(' ')
  })
}

const [gtin, url, mpnBrand] = ['04006381333931', 'https://shop.example.test/mug', 'x1\u001flumo']
const red = { family: 'mugs', options: 'color=red' }
const blue = { family: 'mugs', options: 'color=blue' }

describe('rows of one file', () => {
  test('that have nothing in common all win', async () => {
    expect(await judge({ sku: 'A' }, { sku: 'B', gtin }, { url }, { title: 'Bowl' })).toEqual([
      'win',
      'win',
      'win',
      'win',
    ])
  })

  test('that repeat another are duplicates of the last', async () => {
    expect(await judge({ sku: 'A' }, { sku: 'B' }, { sku: 'A' })).toEqual(['duplicate of 3', 'win', 'win'])
  })

  test('of one product with other values are conflicts; the last wins', async () => {
    const same = [
      { sku: 'A', title: 'Mug' },
      { sku: 'A', title: 'Cup' },
      { sku: 'A', title: 'Cup' },
    ]
    expect(await judge(...same)).toEqual(['id_conflict of 3', 'duplicate of 3', 'win'])
  })

  test('without any identifier are told apart by their cells', async () => {
    expect(await judge({ title: 'Mug' }, { title: 'Cup' }, { title: ' Mug ' })).toEqual([
      'duplicate of 3',
      'win',
      'win',
    ])
  })

  test('are one product by the strongest identifier that they share', async () => {
    expect(await judge({ gtin, title: 'a' }, { gtin, title: 'b' })).toEqual(['id_conflict of 2', 'win'])
    expect(await judge({ sourceId: '7', title: 'a' }, { sourceId: '7', title: 'b', url })).toEqual([
      'id_conflict of 2',
      'win',
    ])
    expect(await judge({ ...red, title: 'a' }, { ...blue, title: 'b' }, { ...red, title: 'c' })).toEqual([
      'id_conflict of 3',
      'win',
      'win',
    ])
  })

  test('without a SKU are the row with one that alone has their weak identifier', async () => {
    expect(await judge({ sku: 'A', gtin, title: 'a' }, { gtin, title: 'b' })).toEqual(['id_conflict of 2', 'win'])
  })

  test('are one product over several steps: a URL leads to a GTIN, the GTIN to a SKU', async () => {
    const chain = [
      { url, title: 'a' },
      { gtin, url, title: 'b' },
      { sku: 'A', gtin, title: 'c' },
    ]
    expect(await judge(...chain)).toEqual(['id_conflict of 3', 'id_conflict of 3', 'win'])
    expect(await judge(...chain.toReversed())).toEqual(['id_conflict of 3', 'id_conflict of 3', 'win'])
  })
})

describe('an identifier is shared in its file', () => {
  test.each([
    ['gtin', { gtin }],
    ['mpnBrand', { mpnBrand }],
    ['url', { url }],
    ['sourceId', { sourceId: '7' }],
    ['family', red],
  ])('where it stands on rows with different SKUs: %s', async (name, ids) => {
    expect(await judge({ sku: 'A', ...ids }, { sku: 'B', ...ids })).toEqual([`win ${name}`, `win ${name}`])
    expect(await judge({ sku: 'A', ...ids }, { sku: 'B', ...ids }, ids)).toEqual([
      `win ${name}`,
      `win ${name}`,
      `ambiguous_identity ${name}`,
    ])
  })

  test('where a weak one stands on other ids of the source, or on other options', async () => {
    expect(await judge({ sourceId: '1', gtin }, { sourceId: '2', gtin })).toEqual(['win gtin', 'win gtin'])
    expect(await judge({ ...red, url }, { ...blue, url })).toEqual(['win url', 'win url'])
  })

  test('where a weaker one stands on rows with different GTINs, and then tells nothing', async () => {
    const other = '05901234123457'
    expect(await judge({ gtin, url }, { gtin: other, url }, { url })).toEqual([
      'win url',
      'win url',
      'ambiguous_identity url',
    ])
  })

  test('not where all its rows are one product', async () => {
    const rows = [
      { sku: 'A', sourceId: '7', gtin, title: 'a' },
      { sourceId: '7', gtin, title: 'b' },
      { gtin, title: 'c' },
    ]
    expect(await judge(...rows)).toEqual(['id_conflict of 3', 'id_conflict of 3', 'win'])
  })

  test('where it is the SKU of several options of one family, which then decide', async () => {
    expect(await judge({ sku: 'A', ...red }, { sku: 'A', ...blue }, { sku: 'A', ...red })).toEqual([
      'duplicate of 3 sku',
      'win sku',
      'win sku',
    ])
  })

  test('with every identifier of a row: the row is ambiguous, and stands for nobody else', async () => {
    expect(await judge({ sku: 'A', gtin }, { sku: 'B', gtin }, { gtin, title: 'a' }, { gtin, title: 'a' })).toEqual([
      'win gtin',
      'win gtin',
      'ambiguous_identity gtin',
      'ambiguous_identity gtin',
    ])
  })
})

describe('rows that the catalog knows as one product', () => {
  async function judgeKnown(
    given: readonly Given[],
    known: readonly (readonly [seq: number, product: string, gives?: boolean])[],
  ) {
    const rows = rowsOf(given)
    const facts = await factsOf(scratch, rows)
    await verdictsOf(facts, rows)
    await facts.resolve(known.map(([seq, product, gives = false]) => [seq, product, gives]))
    const meets = await facts.meet()
    const verdicts = await verdictsOf(facts, rows)
    return [
      meets,
      ...verdicts.map(({ verdict, winnerRow }) => (verdict === 'win' ? verdict : `${verdict} of ${winnerRow}`)),
    ]
  }

  test('are judged again as one', async () => {
    const rows = [{ gtin, title: 'a' }, { url, title: 'b' }, { sku: 'B' }]
    expect(
      await judgeKnown(rows, [
        [0, 'P'],
        [1, 'P'],
        [2, 'Q'],
      ]),
    ).toEqual([true, 'id_conflict of 2', 'win', 'win'])
    expect(
      await judgeKnown(rows, [
        [0, 'P'],
        [2, 'Q'],
      ]),
    ).toEqual([false, 'win', 'win', 'win'])
  })

  test('take those with them that lost to them before', async () => {
    const rows = [
      { sku: 'A', title: 'a' },
      { sku: 'A', title: 'b' },
      { gtin, title: 'c' },
    ]
    expect(
      await judgeKnown(rows, [
        [1, 'P'],
        [2, 'P'],
      ]),
    ).toEqual([true, 'id_conflict of 3', 'id_conflict of 3', 'win'])
  })

  test('are two where each would give it its first SKU', async () => {
    const rows = [
      { sku: 'A', gtin },
      { sku: 'B', url },
    ]
    expect(
      await judgeKnown(rows, [
        [0, 'P', true],
        [1, 'P', true],
      ]),
    ).toEqual([true, 'win', 'win'])
  })
})

test('SKUs that differ only by case are told, with the row of each', async () => {
  const facts = await factsOf(scratch, rowsOf([{ sku: 'ab-1' }, { sku: 'AB-1' }, { sku: 'AB-2' }, { sku: 'ab-1' }]))
  expect(await (await facts.judge()).caseOnly()).toEqual([
    { sku: 'ab-1', other: 'AB-1', row: 1 },
    { sku: 'AB-1', other: 'ab-1', row: 2 },
  ])
})

test('verdicts outlive what they were made of', async () => {
  const rows = rowsOf([{ sku: 'a' }, { sku: 'A' }, { sku: 'a', title: 'Bowl' }, { sku: 'b' }])
  const verdicts = await (await factsOf(scratch, rows)).judge()
  const told = async () => {
    const exceptions: Verdict[] = []
    for await (const batch of verdicts.exceptions()) exceptions.push(...batch)
    return { exceptions, caseOnly: await verdicts.caseOnly() }
  }
  const before = await told()
  expect(before.exceptions).toMatchObject([{ seq: 0, verdict: 'id_conflict', winnerRow: 3 }])
  expect(before.caseOnly).toHaveLength(2)
  await scratch.renew(verdicts.tables)
  expect(await told()).toEqual(before)
  await expect(scratch.run('from fact')).rejects.toThrow()
})

test('the order of cells and the space around them tell no two rows apart', () => {
  expect(contentText({ a: ' x', b: ['y ', 'z'] })).toBe(contentText({ b: ['y', 'z'], a: 'x\u00a0' }))
  expect(contentText({ a: 'x', b: 'y' })).not.toBe(contentText({ a: 'y', b: 'x' }))
})

test('the order of rows never changes which of them are one product', async () => {
  await fc.assert(
    fc.asyncProperty(anyFiles, fc.infiniteStream(fc.nat(999)), async (rows, luck) => {
      const order = rows.map((one) => [luck.next().value, one] as const).sort(([a], [b]) => a - b)
      const shuffled = order.map(([, one], seq) => ({ ...one, seq }))
      const groupsOf = async (candidates: readonly Candidate[]) => {
        const verdicts = await verdictsOf(await factsOf(scratch, candidates), candidates)
        const groups = Map.groupBy(verdicts, ({ verdict, winnerRow, seq }) =>
          verdict === 'ambiguous_identity' ? `alone ${seq}` : winnerRow,
        )
        return [...groups.values()].map((group) => group.map(({ seq }) => candidates[seq]?.rows[0]).sort()).sort()
      }
      expect(await groupsOf(shuffled)).toEqual(await groupsOf(rows))
    }),
    { numRuns: enough(2, 5) },
  )
})

test('the facts of the few rows that have anything in common tell what those of all rows tell', async () => {
  await fc.assert(
    fc.asyncProperty(anyFiles, fc.infiniteStream(fc.nat(9)), async (rows, luck) => {
      const known = rows.flatMap(({ seq }) => {
        const product = luck.next().value
        return product < 4 ? [[seq, `P${product}`, product === 0] as const] : []
      })
      const told = async (all: boolean) => {
        const facts = await factsOf(scratch, rows, all)
        const first = await verdictsOf(facts, rows)
        await facts.resolve(known)
        const again = (await facts.meet()) ? await verdictsOf(facts, rows) : null
        return { first, again, caseOnly: await (await facts.judge()).caseOnly() }
      }
      expect(await told(false)).toEqual(await told(true))
    }),
    { numRuns: enough(5, 20) },
  )
})

test('facts of all rows, as families have them, are looked at only where something repeats or there are too many to know', async () => {
  let asked = 0
  const counting = { ...scratch, run: (sql: string) => scratch.run(sql).finally(() => asked++) }
  const told = async (rows: Candidate[]) => {
    asked = 0
    const few = await verdictsOf(await factsOf(counting, rows, true, openRepeats([16, 16])), rows)
    const statements = asked
    expect(few).toEqual(await verdictsOf(await factsOf(scratch, rows, true), rows))
    return { statements, wins: few.filter(({ verdict }) => verdict === 'win').length }
  }
  const named = (n: number) => Array.from({ length: n }, (_, i) => ({ sku: `S-${i}` }))
  expect(await told(rowsOf(named(9)))).toEqual({ statements: 0, wins: 9 })
  const repeating = await told(rowsOf([...named(9), { sku: 'S-3' }]))
  expect(repeating.wins).toBe(9)
  expect(repeating.statements).toBeGreaterThan(0)
  const many = await told(rowsOf(named(40)))
  expect(many.wins).toBe(40)
  expect(many.statements).toBeGreaterThan(0)
})
