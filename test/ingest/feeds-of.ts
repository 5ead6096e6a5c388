/** The feeds that an imported catalog makes, checked apart from us: lines by their schema, tables by two readers, documents by an XML parser, prices by their currency. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DuckDBInstance } from '@duckdb/node-api'
import { Ajv } from 'ajv'
import { SaxesParser } from 'saxes'
import { expect } from 'vitest'
import type { PublishedRow } from '../../infra/catalog/feed-queries.ts'
import { readDelimited } from '../../ingest/readers/delimited.ts'
import { decimalsOf } from '../../schemas/feeds/decimals.ts'
import type { FeedProfile } from '../../schemas/feeds/profile.ts'
import { profiles } from '../../schemas/feeds/registry.ts'
import { feedForm } from '../../serving/feeds/forms/feed-form.ts'
import { lineRenderer } from '../../serving/feeds/render-line.ts'
import type { Running } from '../running.ts'
import { inPieces } from './in-pieces.ts'

type Line = Readonly<Record<string, unknown>>

const ajv = new Ajv({ strict: false })
const checks = new Map(profiles.map((profile) => [profile, ajv.compile(profile.schema)]))
const at = '2026-11-28T12:00:00.000Z'
/** As a workspace and a brand set them, where files say neither. */
const settings = {
  ...{ linkTemplate: 'https://shop.example.test/p/{id}', tracking: {} },
  options: { sellerName: 'Lumo' },
}
const mostProducts = 300

/** @returns how many lines Google has of it */
export async function expectValidFeeds({ system }: Running, catalog: string): Promise<number> {
  const { rows } = await system.catalog.pipeline.query<{ id: string; kind: string; refined: Record<string, unknown> }>(
    `select product_id as id, kind, refined from products
      where catalog_id = $1 and alive and kind <> 'parent' and refined is not null order by product_id limit ${mostProducts}`,
    [catalog],
  )
  const published = rows.map(({ id, kind, refined }) => {
    const product = { ...refined, currency: refined.currency ?? 'EUR', condition: refined.condition ?? 'new' }
    return { id, content: { kind, family: null, feedId: null, product } } as unknown as PublishedRow
  })
  let google = 0
  for (const profile of profiles) {
    const render = lineRenderer(profile, settings)
    const lines = published.flatMap((row) => {
      const { line, problems } = render(row, at)
      if ((line === null) === (problems === null)) expect.fail(`${row.id} has both a line and problems, or neither`)
      return line === null ? [] : [JSON.parse(line) as Line]
    })
    const check = checks.get(profile)
    const faulty = lines.filter((line) => !check?.(line) || !isPriced(line))
    expect(faulty.map((line) => ({ line, valid: check?.(line), errors: check?.errors }))).toEqual([])
    if (profile.platform === 'google') google = lines.length
    expectDocument(profile, lines)
    if (['google', 'meta', 'openai'].includes(profile.platform)) await expectTable(profile, lines)
  }
  return google
}

/** As many decimals as its currency has (KF-14). */
function isPriced({ price }: Line): boolean {
  if (typeof price !== 'string' || !price.includes(' ')) return true
  const [amount = '', currency = ''] = price.split(' ')
  return (amount.split('.')[1]?.length ?? 0) === decimalsOf(currency)
}

function expectDocument(profile: FeedProfile, lines: readonly Line[]): void {
  const form = feedForm(profile, 'xml')
  const about = { title: 'Real', link: 'https://shop.example.test/', at, categories: [] }
  const text = form.head(about) + lines.map((line) => form.row(line)).join('') + form.tail()
  const parser = new SaxesParser()
  let items = 0
  parser.on('opentag', ({ name }) => {
    if (name === profile.xml.item) items++
  })
  parser.on('error', (error) => {
    throw error
  })
  parser.write(text).close()
  expect(items).toBe(lines.length)
}

async function expectTable(profile: FeedProfile, lines: readonly Line[]): Promise<void> {
  const form = feedForm(profile, 'csv')
  const stored = Buffer.from(lines.map((line) => `${JSON.stringify(line)}\n`).join(''))
  let text = form.head({ title: '', link: '' })
  for (const rows of form.rows(stored)) text += rows.toString()
  const ours: (readonly string[])[] = []
  for await (const batch of readDelimited(inPieces(text, []), { delimiter: ',' }))
    ours.push(...batch.map(({ cells }) => cells))
  const [header = [], ...cells] = ours
  const [idAt, titleAt] = [header.indexOf(profile.columns[0] ?? ''), header.indexOf('title')]
  expect(cells.map((row) => [row[idAt], row[titleAt]])).toEqual(
    lines.map((line) => [line[profile.columns[0] ?? ''], line.title]),
  )
  expect(await duckRows(text, header.length)).toEqual(ours)
}

/** One for all tables of a process. */
let reading: Promise<DuckDBInstance> | undefined

async function duckRows(text: string, width: number): Promise<string[][]> {
  const folder = await mkdtemp(join(tmpdir(), 'assay-feeds-'))
  reading ??= DuckDBInstance.create(':memory:', { threads: '1' })
  const duckdb = await (await reading).connect()
  try {
    const path = join(folder, 'feed.csv')
    await writeFile(path, text)
    const columns = Array.from({ length: width }, (_, n) => `'c${n}': 'VARCHAR'`).join(', ')
    const reader = await duckdb.runAndReadAll(
      `select * from read_csv('${path}', auto_detect = false, header = false, delim = ',', quote = '"', escape = '"',
         columns = {${columns}}, new_line = '\\r\\n', parallel = false)`,
    )
    return reader.getRows().map((row) => row.map((cell) => (cell === null ? '' : String(cell))))
  } finally {
    duckdb.closeSync()
    await rm(folder, { recursive: true, force: true })
  }
}
