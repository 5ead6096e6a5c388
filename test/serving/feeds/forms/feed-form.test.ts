import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { type DuckDBConnection, DuckDBInstance } from '@duckdb/node-api'
import fc from 'fast-check'
import type { ClientBase } from 'pg'
import { SaxesParser } from 'saxes'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { connect, copyIn } from '../../../../infra/catalog/postgres.ts'
import { readDelimited } from '../../../../ingest/readers/delimited.ts'
import type { FeedProfile } from '../../../../schemas/feeds/profile.ts'
import { profiles } from '../../../../schemas/feeds/registry.ts'
import { feedForm } from '../../../../serving/feeds/forms/feed-form.ts'
import { emptyDatabase, type TestDatabase } from '../../../harness.ts'
import { inPieces } from '../../../ingest/in-pieces.ts'
import { anyFeedProduct } from '../../../schemas/feeds/any-feed-product.ts'
import { feedOf } from '../../../schemas/feeds/complete-product.ts'

const about = {
  title: 'Mugs & "more" <b>\u0000',
  link: 'https://shop.example.test/?a=1&b=2',
  at: '2026-11-28T12:00:00.000Z',
  categories: [['Furniture', 'Stools & <stands>'], ['Furniture']],
}

let database: TestDatabase
let postgres: ClientBase & { end(): Promise<void> }
let duckdb: DuckDBConnection
let folder: string

beforeAll(async () => {
  database = await emptyDatabase()
  postgres = await connect(database.url)
  duckdb = await (await DuckDBInstance.create(':memory:', { threads: '1' })).connect()
  folder = await mkdtemp(join(tmpdir(), 'assay-forms-'))
})
afterAll(async () => {
  duckdb?.closeSync()
  await postgres?.end()
  await database?.drop()
  await rm(folder, { recursive: true, force: true })
})

type Cells = readonly (readonly string[])[]
type Kind = 'csv' | 'tsv'
const separators = { csv: ',', tsv: '\t' } as const
const names = (width: number) => Array.from({ length: width }, (_, n) => `c${n}`)

/** What each reader makes of a whole file, header and all; nothing and an empty text are one here. */
const readers: Readonly<Record<string, (text: string, kind: Kind, width: number) => Promise<Cells>>> = {
  async 'our own'(text, kind) {
    const rows: (readonly string[])[] = []
    for await (const batch of readDelimited(inPieces(text, []), { delimiter: separators[kind] }))
      rows.push(...batch.map(({ cells }) => cells))
    return rows
  },
  async DuckDB(text, kind, width) {
    const path = join(folder, `file.${kind}`)
    await writeFile(path, text)
    const columns = names(width)
      .map((name) => `'${name}': 'VARCHAR'`)
      .join(', ')
    const reader = await duckdb.runAndReadAll(
      `select * from read_csv('${path}', auto_detect = false, header = false, delim = '${separators[kind]}', quote = '"',
         escape = '"', columns = {${columns}}, new_line = '${kind === 'csv' ? '\\r\\n' : '\\n'}', parallel = false)`,
    )
    return reader.getRows().map((row) => row.map((cell) => (cell === null ? '' : String(cell))))
  },
  async Postgres(text, kind, width) {
    await postgres.query(
      `create temp table read_back (n serial, ${names(width)
        .map((name) => `${name} text`)
        .join(', ')})`,
    )
    try {
      const into = copyIn(
        postgres,
        `copy read_back (${names(width).join(', ')}) from stdin (format csv, delimiter E'${kind === 'csv' ? ',' : '\\t'}')`,
      )
      await pipeline(Readable.from([Buffer.from(text)]), into)
      const { rows } = await postgres.query<Record<string, string | null>>('select * from read_back order by n')
      return rows.map((row) => names(width).map((name) => row[name] ?? ''))
    } finally {
      await postgres.query('drop table read_back')
    }
  },
}

/** The values of a list in one cell, of which one that holds the separator or a quote stands in quotes. */
async function valuesOf(cell: string): Promise<readonly string[]> {
  return (await readers['our own']?.(cell, 'csv', 1))?.[0] ?? []
}

/** A row read back against the line it was written from. */
async function expectLine(
  profile: FeedProfile,
  cells: readonly string[],
  line: Record<string, unknown>,
): Promise<void> {
  let at = 0
  for (const name of profile.columns) {
    const value = line[name]
    const count = profile.table.repeated?.[name]
    if (count !== undefined) {
      const values = Array.isArray(value) ? value : []
      expect(cells.slice(at, at + count)).toEqual(Array.from({ length: count }, (_, n) => values[n] ?? ''))
      at += count
      continue
    }
    const cell = cells[at++] ?? ''
    if (value === undefined) expect(cell).toBe('')
    else if (Array.isArray(value) && typeof value[0] === 'string') expect(await valuesOf(cell)).toEqual(value)
    else if (typeof value === 'object') expect(JSON.parse(cell)).toEqual(value)
    else expect(cell).toBe(String(value))
  }
  expect(cells).toHaveLength(at)
}

const quotes = profiles.filter(({ table }) => !table.unquoted)

describe.each(Object.entries(readers))('a table as %s reads it', (_, read) => {
  test.each(
    quotes.flatMap((profile) => (['csv', 'tsv'] as const).map((kind) => [profile.platform, kind, profile] as const)),
  )(
    '%s, %s: has as many cells as columns in every row, and gives back what was written',
    async (_platform, kind, profile) => {
      const form = feedForm(profile, kind)
      const header = form.head(about).trimEnd().split(separators[kind])
      await fc.assert(
        fc.asyncProperty(fc.array(anyFeedProduct, { minLength: 1, maxLength: 20 }), async (feeds) => {
          const lines = feeds.map((feed) => profile.line(feed))
          const text = form.head(about) + lines.map((line) => form.row(line)).join('') + form.tail()
          const [first, ...rows] = await read(text, kind, header.length)
          expect(first).toEqual(header)
          expect(rows).toHaveLength(lines.length)
          for (const [n, line] of lines.entries()) await expectLine(profile, rows[n] ?? [], line)
        }),
        { numRuns: 8 },
      )
    },
  )
})

test('a file without quotes has a cell a column, its texts on one line and its quotes as they are', async () => {
  const profile = profiles.find(({ platform }) => platform === 'microsoft') as FeedProfile
  const form = feedForm(profile, 'tsv')
  expect(form.extension).toBe('txt')
  const written = form.row(profile.line(feedOf({ title: '5" plate,\tblue\r\nglaze', sku: '"A"' })))
  const cells = written.trimEnd().split('\t')
  expect(cells.slice(0, 2)).toEqual(['"A"', '5" plate, blue glaze'])
  fc.assert(
    fc.property(anyFeedProduct, (feed) => {
      const row = form.row(profile.line(feed))
      expect(row.endsWith('\n') && !row.slice(0, -1).includes('\n')).toBe(true)
      expect(row.split('\t')).toHaveLength(profile.columns.length)
    }),
  )
})

describe("the social platform's table", () => {
  const profile = profiles.find(({ platform }) => platform === 'meta') as FeedProfile

  test('has the header of the contract, then ten columns of additional images, then what else is known', () => {
    const header = feedForm(profile, 'csv').head(about).trimEnd().split(',')
    expect(header.slice(0, 10).join()).toBe(
      'id,title,description,availability,condition,price,link,image_link,brand,google_product_category',
    )
    expect(header.slice(10, 20)).toEqual(new Array(10).fill('additional_image_link'))
    expect(header[20]).toBe('item_group_id')
    expect(new Set(header.slice(20)).size).toBe(header.length - 20)
  })

  test('has one quoted column of them where the feed is set up so', () => {
    const settings = { listsInOneColumn: true }
    const form = feedForm(profile, 'csv', settings)
    expect(
      form
        .head(about)
        .split(',')
        .filter((name) => name === 'additional_image_link'),
    ).toHaveLength(1)
    expect(form.row(profile.line({ ...feedOf(), settings }))).toContain(
      ',"https://cdn.example.test/b.jpg,https://cdn.example.test/c.jpg,https://cdn.example.test/d.jpg,https://cdn.example.test/e.jpg",',
    )
  })

  test('KF-25: gives titles as they are, whatever a spreadsheet would make of them', () => {
    const form = feedForm(profile, 'csv')
    const titled = (title: string) => form.row(profile.line(feedOf({ title }))).split('OS-1,')[1]
    expect(titled('=HYPERLINK("http://x.example.test","Sale")')).toMatch(
      /^"=HYPERLINK\(""http:\/\/x\.example\.test"",""Sale""\)",/,
    )
    expect(titled('-20% Summer Mug')).toMatch(/^-20% Summer Mug,/)
    expect(titled('@home Lamp')).toMatch(/^@home Lamp,/)
  })
})

interface Element {
  readonly name: string
  readonly attributes: Readonly<Record<string, string>>
  text: string
  readonly children: Element[]
}

/** @throws what is not well formed */
function parsed(text: string): Element {
  const root: Element = { name: '', attributes: {}, text: '', children: [] }
  const open = [root]
  const parser = new SaxesParser({ xmlns: true })
  parser.on('error', (error) => {
    throw error
  })
  parser.on('opentag', ({ name, attributes }) => {
    const values = Object.entries(attributes).map(([key, { value }]) => [key, value])
    const element = { name, attributes: Object.fromEntries(values), text: '', children: [] }
    open.at(-1)?.children.push(element)
    open.push(element)
  })
  parser.on('text', (part) => {
    const element = open.at(-1)
    if (element) element.text += part
  })
  parser.on('closetag', () => void open.pop())
  parser.write(text).close()
  return root.children[0] as Element
}

const found = (element: Element, name: string): Element[] => [
  ...(element.name === name ? [element] : []),
  ...element.children.flatMap((child) => found(child, name)),
]

/** Texts of an attribute in the order of its values. */
function textsOf(item: Element, profile: FeedProfile, name: string): readonly string[] {
  const { prefix = '', bare = [], attributes = {}, item: itemName } = profile.xml
  if (attributes[itemName]?.includes(name)) return name in item.attributes ? [item.attributes[name] ?? ''] : []
  const tag = (bare.includes(name) ? '' : prefix) + name
  return item.children.filter((child) => child.name === tag).map(({ text }) => text)
}

describe.each(profiles.map((profile) => [profile.platform, profile] as const))('%s as XML', (_, profile) => {
  const form = feedForm(profile, 'xml')
  const written = (lines: readonly Record<string, unknown>[]) =>
    form.head(about) + lines.map((line) => form.row(line)).join('') + form.tail()

  test('KF-18: is well formed whatever a product says, and gives its texts back', () => {
    fc.assert(
      fc.property(fc.array(anyFeedProduct, { maxLength: 5 }), (feeds) => {
        const lines = feeds.map((feed) => profile.line(feed))
        const items = found(parsed(written(lines)), profile.xml.item)
        expect(items).toHaveLength(lines.length)
        for (const [n, line] of lines.entries())
          for (const name of profile.columns) {
            const values = [line[name] ?? []].flat()
            if (values.every((value) => typeof value === 'string'))
              expect(textsOf(items[n] as Element, profile, name)).toEqual(values)
          }
      }),
      { numRuns: 50 },
    )
  })

  test('is well formed for texts and names that no line has', () => {
    const wild = fc.dictionary(
      fc.oneof(fc.string({ unit: 'binary' }), fc.constantFrom('__proto__', 'toString', 'xmlns', 'g:id', '1', 'value')),
      fc.oneof(fc.string({ unit: 'binary' }), fc.jsonValue(), fc.array(fc.string({ unit: 'binary' }))),
    )
    fc.assert(fc.property(wild, (line) => void parsed(written([line, { id: '\ud800]]>\u0000<![CDATA[' }]))))
  })

  test('is well formed as Postgres, which has another parser, reads it', async () => {
    const [sample = []] = fc.sample(fc.array(anyFeedProduct, { minLength: 20, maxLength: 20 }), {
      numRuns: 1,
      seed: 11,
    })
    const text = written(sample.map((feed) => profile.line(feed)))
    const { rows } = await postgres.query('select xml_is_well_formed_document($1) as is_well_formed', [text])
    expect(rows).toEqual([{ is_well_formed: true }])
  })
})

test('categories of YML have a number each and that of the one above, and offers refer to them', () => {
  const profile = profiles.find(({ platform }) => platform === 'yandex') as FeedProfile
  const form = feedForm(profile, 'xml')
  const categoryPath = ['Furniture', 'Stools & <stands>']
  const text = form.head(about) + form.row(profile.line(feedOf({ categoryPath, currency: 'RUB' }))) + form.tail()
  const root = parsed(text)
  const [wide, narrow, ...more] = found(root, 'category')
  expect(more).toEqual([])
  expect(wide?.text).toBe('Furniture')
  expect(narrow).toMatchObject({ text: 'Stools & <stands>', attributes: { parentId: wide?.attributes.id } })
  expect(found(root, 'categoryId').map((element) => element.text)).toEqual([narrow?.attributes.id])
  expect(root.attributes.date).toBe('2026-11-28T12:00+00:00')
})

test('JSON lines are a product each, as it is', () => {
  fc.assert(
    fc.property(fc.constantFrom(...profiles), fc.array(anyFeedProduct), (profile, feeds) => {
      const form = feedForm(profile, 'ndjson')
      const lines = feeds.map((feed) => profile.line(feed))
      const text = form.head(about) + lines.map((line) => form.row(line)).join('') + form.tail()
      expect(
        text
          .split('\n')
          .slice(0, -1)
          .map((row) => JSON.parse(row)),
      ).toEqual(JSON.parse(JSON.stringify(lines)))
    }),
  )
})
