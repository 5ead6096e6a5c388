import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { connect, openCatalog } from '../../../infra/catalog/postgres.ts'
import { postgresLog } from '../../../infra/log/postgres.ts'
import { topics } from '../../../schemas/topics.ts'
import { type AssayFolder, type AssayProcess, assayFolder, demo, type Ran } from '../../faults/assay-process.ts'
import { besideEmbedded } from './beside-embedded.ts'
import { type HostedCommands, hostedCommands } from './hosted-commands.ts'
import { sentence } from './sentence.ts'

// Processes start, die and start again; on a busy machine each start takes seconds.
vi.setConfig({ testTimeout: 90_000, hookTimeout: 90_000 })

let ground: AssayFolder
let assay: AssayProcess
let token: string
let files: string
let hosted: HostedCommands
beforeAll(async () => {
  ground = await assayFolder()
  assay = await ground.start()
  token = (await ground.run(['token', '--workspace', demo, '--role', 'admin'])).out.trim()
  files = join(ground.folder, 'files')
  await mkdir(files)
  hosted = hostedCommands()
})
afterAll(async () => {
  hosted.close()
  await ground.clear()
})

besideEmbedded(() => ({ ground, assay }))

async function file(name: string, text: string | Buffer): Promise<string> {
  const path = join(files, name)
  await writeFile(path, text)
  return path
}
const server = () => ({ ASSAY_URL: assay.url, ASSAY_TOKEN: token })
const ingest = (args: string[], env: Record<string, string> = {}) =>
  ground.run(['ingest', ...args], { ...server(), ...env })
/** Without a process of its own, for what it says. */
const hostedRun = (args: string[], env: Record<string, string> = {}) =>
  hosted.run(args, { ASSAY_DATA: ground.folder, ...server(), ...env })
const hostedIngest = (args: string[], env: Record<string, string> = {}) => hostedRun(['ingest', ...args], env)

const table = `sku,title,price,currency
C-1,Enamel mug,12.50,EUR
C-2,Oak stool,99.00,EUR
C-2,Oak stool,99.00,EUR
,,,
C-3,Linen towel,soon,EUR
C-4,One cell,1.00,EUR,too many
`

describe('assay token', () => {
  test('prints a token and nothing else, and the API takes it', async () => {
    const { code, out, err } = await ground.run(['token', '--workspace', demo, '--role', 'viewer'])
    expect({ code, err }).toEqual({ code: 0, err: '' })
    expect(out).toMatch(/^[\w-]+\.[\w-]+\.[\w-]+\n$/)
    const headers = { authorization: `Bearer ${out.trim()}` }
    const read = await fetch(`${assay.url}/api/workspace/${demo}/catalogs`, { headers })
    expect(read.status).toBe(200)
    const write = await fetch(`${assay.url}/api/workspace/${demo}/catalogs`, {
      method: 'POST',
      headers: { ...headers, 'content-type': 'application/json' },
      body: '{"name":"x"}',
    })
    expect(write.status).toBe(403)
  })

  test.each<[string, string[], RegExp]>([
    ['no workspace', ['--role', 'admin'], /--workspace/],
    ['a role that there is not', ['--workspace', demo, '--role', 'king'], /--role: .*viewer/],
    ['a brand that is no id', ['--workspace', demo, '--role', 'admin', '--brand', 'main'], /--brand/],
    [
      'a folder where no Assay was',
      ['--workspace', demo, '--role', 'admin', '--data', '/nonexistent'],
      /start Assay there first/,
    ],
  ])('with %s says so in one sentence', async (_, args, says) => {
    expect(sentence(await hostedRun(['token', ...args]))).toMatch(says)
  })
})

describe('assay ingest', () => {
  test('prints the ledger as a table that adds up to the rows, and ends with 0', async () => {
    const { code, out, err } = await ingest([await file('table.csv', table)])
    expect({ code, err }).toEqual({ code: 0, err: '' })
    const figure = (name: string) => Number(new RegExp(`^${name} +(\\d+)$`, 'm').exec(out)?.[1])
    const rows = Number(/: (\d+) rows$/m.exec(out)?.[1])
    const results = ['created', 'updated', 'unchanged', 'duplicate', 'rejected'].map(figure)
    expect(results.reduce((sum, n) => sum + n, 0)).toBe(rows)
    expect({ rows, created: figure('created'), duplicate: figure('duplicate'), rejected: figure('rejected') }).toEqual({
      rows: 5,
      created: 3,
      duplicate: 1,
      rejected: 1,
    })
    expect(out).toContain('warnings')
  })

  test('with --json prints the ledger for programs, alone on a line', async () => {
    const { code, out } = await ingest(['--json', await file('table.csv', table)])
    expect(code).toBe(0)
    expect(out.split('\n')).toHaveLength(2)
    expect(JSON.parse(out)).toMatchObject({ read: 5, created: 0, unchanged: 3, duplicate: 1, rejected: 1 })
  })

  test('ends with 1 where the import is held, and says which and what to do', async () => {
    const rows = (title: string) => ['A', 'B', 'C', 'D'].map((sku) => `H-${sku},${title} ${sku},1.00\n`).join('')
    const { body } = await assay.call('POST', `/api/workspace/${demo}/catalogs`, { name: 'held' })
    const into = ['--source', 'Held', '--catalog', body.catalog.id]
    const first = await ingest([await file('held-1.csv', `sku,title,price\n${rows('Lamp')}`), ...into])
    expect(first.code).toBe(0)
    const changed = await file('held-2.csv', `sku,title,price\n${rows('Stool')}`)
    const { code, out, err } = await ingest([changed, ...into])
    expect({ code, out }).toEqual({ code: 1, out: '' })
    expect(err).toMatch(
      /was not imported yet: import [0-9a-f-]{36} is held\. It would change 4 .*Release or discard it/,
    )
    const json = await ingest(['--json', changed, ...into])
    expect(json.code).toBe(1)
    expect(JSON.parse(json.out)).toMatchObject({ state: 'held' })
  })

  test('with --map takes a column for the field that it is said to be', async () => {
    const path = await file('mapped.csv', 'sku,Zustand der Ware,Gericht\nM-1,x,Suppe\n')
    const { code } = await ingest([path, '--map', 'Gericht=title', '--source', 'Mapped'])
    expect(code).toBe(0)
    const { body } = await assay.call('GET', `/api/workspace/${demo}/catalog/products?limit=200`)
    const found = body.products.find((product: { sku: string }) => product.sku === 'M-1')
    expect(found).toMatchObject({ sku: 'M-1', title: 'Suppe' })
  })

  test('with --dry-run prints what an import would do, ends with 0 where it can be done, and does nothing', async () => {
    const path = await file('dry.csv', table.replaceAll('C-', 'D-'))
    const { code, out, err } = await ingest([path, '--dry-run'])
    expect({ code, err }).toEqual({ code: 0, err: '' })
    for (const said of [/^created +3$/m, /^rejected +1$/m, /^ragged +1$/m, /^sku +sku +\S/m, /row \d+: Line 7 /])
      expect(out).toMatch(said)
    const { code: again, out: json } = await ingest([path, '--dry-run', '--json'])
    expect(again).toBe(0)
    expect(json.split('\n')).toHaveLength(2)
    expect(JSON.parse(json)).toMatchObject({
      preview: { format: 'delimited', rows: expect.any(Array) },
      result: { read: 5, created: 3, duplicate: 1, rejected: 1 },
    })
    const { body } = await assay.call('GET', `/api/workspace/${demo}/catalog/products?limit=200`)
    expect(body.products.filter(({ sku }: { sku: string }) => sku?.startsWith('D-'))).toEqual([])
  })

  test('with --dry-run ends with 1 and one sentence on what cannot be imported', async () => {
    const path = await file('weather.csv', 'date,temperature\n2026-01-01,4\n')
    expect(sentence(await ingest([path, '--dry-run']))).toMatch(/cannot be imported: No column .* map/)
  })

  test.each<[string, () => Promise<Ran>, RegExp]>([
    [
      'no server',
      () => ingest([join(ground.folder, 'files/table.csv')], { ASSAY_URL: 'http://127.0.0.1:9' }),
      /No server answers at http:\/\/127\.0\.0\.1:9/,
    ],
    [
      'a token that is none of ours',
      () => hostedIngest([join(files, 'table.csv')], { ASSAY_TOKEN: 'abc' }),
      /answered 401/,
    ],
    ['no token', () => hostedIngest([join(files, 'table.csv')], { ASSAY_TOKEN: '' }), /Set ASSAY_TOKEN/],
    ['no file', () => hostedIngest([]), /one file/],
    [
      'a file that is not there',
      () => hostedIngest([join(files, 'none.csv')]),
      /none\.csv cannot be read \(there is no such file\)/,
    ],
    ['a folder', () => hostedIngest([files]), /is no file/],
    ['two files', () => hostedIngest(['a.csv', 'b.csv']), /"b\.csv" is one argument too many/],
    [
      'a workbook',
      async () => hostedIngest([await file('book.xlsx', Buffer.from('PK\x03\x04 and so on', 'latin1'))]),
      /answered 400: .*Excel/,
    ],
    ['an empty file', async () => hostedIngest([await file('empty.csv', '')]), /answered 400: /],
    [
      'a mapping to no field',
      () => hostedIngest([join(files, 'table.csv'), '--map', 'title=nothing']),
      /answered 400: .*maps nothing/,
    ],
    [
      'a catalog that there is not',
      () => hostedIngest([join(files, 'table.csv'), '--catalog', crypto.randomUUID()]),
      /answered 404: Catalog not found/,
    ],
    ['another workspace', () => hostedIngest([join(files, 'table.csv'), '--workspace', 'ws_other']), /answered 403: /],
    [
      'a flag that there is not',
      () => hostedIngest(['--catlog', 'x', join(files, 'table.csv')]),
      /Unknown option '--catlog'; see assay --help\.$/,
    ],
  ])('ends with 1 and one sentence on %s', async (_, run, says) => {
    expect(sentence(await run())).toMatch(says)
  })

  test('a large file is refused for a bad token as clearly as a small one', async () => {
    const path = await file('large.csv', `sku,title\n${'L-1,A title that goes on and on\n'.repeat(500_000)}`)
    expect(sentence(await ingest([path], { ASSAY_TOKEN: 'abc' }))).toMatch(/answered 401/)
  })
})

describe('assay verify', () => {
  const verify = (...args: string[]) => ground.run(['verify', ...args], { ASSAY_URL: assay.url, ASSAY_TOKEN: token })
  const newGround = async () => {
    const { body } = await assay.call('POST', `/api/workspace/${demo}/catalogs`, { name: 'Verified' })
    const { id } = body.catalog
    await ingest([await file('verified.csv', 'sku,title,price,currency\nF-1,Mug,1.00,EUR\n'), '--catalog', id])
    return id
  }

  test('prints what it compared, and ends with 1 exactly where something differs', async () => {
    const catalog = await newGround()
    const equal = await verify('--catalog', catalog, '--all')
    expect(equal).toMatchObject({ code: 0, err: '' })
    for (const said of [/^1 products compared$/m, /^equal +1$/m, /^differing +0$/m, /^stale +0$/m])
      expect(equal.out).toMatch(said)
    const database = await connect(await ground.databaseUrl())
    await database.query(`update products set refined = jsonb_set(refined, '{title}', '"Cup"') where catalog_id = $1`, [
      catalog,
    ])
    await database.end()
    const differing = await verify('--catalog', catalog)
    expect(differing).toMatchObject({ code: 1, err: '' })
    expect(differing.out).toMatch(/^[\da-f-]{36} +F-1 +silver +title +"Cup" +"Mug"$/m)
    const { code, out } = await verify('--catalog', catalog, '--sample', '5', '--json')
    expect(code).toBe(1)
    expect(JSON.parse(out)).toMatchObject({ compared: 1, differing: 1, examples: [{ step: 'silver', at: 'title' }] })
  })

  test.each<[string, string[], RegExp]>([
    ['no catalog', [], /which catalog/],
    ['a sample of all', ['--catalog', 'x', '--sample', '5', '--all'], /not both/],
    ['a sample of none', ['--catalog', 'x', '--sample', '0'], /--sample takes a number/],
    ['a catalog that there is not', ['--catalog', crypto.randomUUID()], /answered 404: Catalog not found/],
  ])('ends with 1 and one sentence on %s', async (_, args, says) => {
    expect(sentence(await hostedRun(['verify', ...args]))).toMatch(says)
  })
})

describe('assay rebuild', () => {
  const rebuild = (...args: string[]) => ground.run(['rebuild', ...args], { ASSAY_URL: assay.url, ASSAY_TOKEN: token })

  test('makes a catalog anew from the log, and prints what it found wrong', async () => {
    const { body } = await assay.call('POST', `/api/workspace/${demo}/catalogs`, { name: 'Rebuilt' })
    const { id } = body.catalog
    await ingest([
      await file('rebuilt.csv', 'sku,title,price,currency\nG-1,Mug,1.00,EUR\nG-2,Jar,2.00,EUR\n'),
      '--catalog',
      id,
    ])
    const database = await connect(await ground.databaseUrl())
    await database.query(
      `update products set refined = jsonb_set(refined, '{title}', '"Cup"') where catalog_id = $1 and sku = 'G-1'`,
      [id],
    )
    await database.query(`delete from products where catalog_id = $1 and sku = 'G-2'`, [id])
    await database.end()
    const first = await rebuild('--catalog', id)
    expect(first).toMatchObject({ code: 0, err: '' })
    for (const said of [/: 2 products compared$/m, /^mended +1$/m, /^restored +1$/m, /^failed +0$/m])
      expect(first.out).toMatch(said)
    expect(first.out).toMatch(/^[\da-f-]{36} +G-1 +silver +title +"Cup" +"Mug"$/m)
    const { code, out } = await rebuild('--all', '--json')
    expect(code).toBe(0)
    const results = out
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line))
    expect(results.find(({ catalogId }) => catalogId === id)).toMatchObject({ compared: 2, equal: 2, mended: 0 })
  })

  test.each<[string, string[], RegExp]>([
    ['nothing to rebuild', [], /--catalog ID, or --all/],
    ['one catalog and all', ['--catalog', 'x', '--all'], /--catalog ID, or --all/],
    ['a catalog that there is not', ['--catalog', crypto.randomUUID()], /answered 404: Catalog not found/],
  ])('ends with 1 and one sentence on %s', async (_, args, says) => {
    expect(sentence(await hostedRun(['rebuild', ...args]))).toMatch(says)
  })
})

describe('assay replay', () => {
  const replay = (...args: string[]) => ground.run(['replay', ...args], { ASSAY_URL: assay.url, ASSAY_TOKEN: token })

  test('prints the verdict, writes it as a file, and promotes or discards what it made', async () => {
    const { body } = await assay.call('POST', `/api/workspace/${demo}/catalogs`, { name: 'Replayed' })
    const { id } = body.catalog
    await ingest([await file('replayed.csv', 'sku,title,price,currency\nF-1,Mug,1.00,EUR\n'), '--catalog', id])
    const settings = await file('settings.json', JSON.stringify({ link_template: 'https://shop.example/{sku}' }))
    const out = await file('verdict.json', '')
    const made = await replay('--catalog', id, '--settings', settings, '--share', '1', '--out', out)
    expect(made).toMatchObject({ code: 0, err: '' })
    for (const said of [/^1 products compared$/m, /^silver +1$/m, /^mean score +[\d.]+ +[\d.]+$/m])
      expect(made.out).toMatch(said)
    expect(JSON.parse(await readFile(out, 'utf8'))).toMatchObject({ compared: 1, differing: { silver: 1 } })
    const [, shadow = ''] = /assay replay promote ([\da-f-]{36});/.exec(made.out) ?? []
    expect(await replay('promote', shadow)).toMatchObject({ code: 0, out: expect.stringContaining('is promoted') })
    expect(sentence(await replay('discard', shadow))).toMatch(/answered 409: The replay is promoted/)
    const again = await replay('--catalog', id, '--json')
    const { replay: other, verdict } = JSON.parse(again.out)
    expect(verdict).toMatchObject({ compared: 1, unchanged: 1, examples: [] })
    expect(await replay('discard', other)).toMatchObject({ code: 0, out: expect.stringContaining('is discarded') })
  })

  test.each<[string, string[], RegExp]>([
    ['a decision that there is not', ['keep', 'x'], /promoted or discarded, not "keep"/],
    ['no replay to decide on', ['promote'], /Say which replay/],
    ['offsets without a partition', ['--offsets', '5-9'], /--offsets takes PARTITION:FROM-TO/],
    ['an epoch that is none', ['--offsets', 'a/1:5-9'], /--offsets takes PARTITION:FROM-TO/],
    ['a time that is none', ['--from', 'yesterday'], /--from takes a time/],
    ['settings that cannot be read', ['--settings', 'nowhere.json'], /nowhere\.json cannot be read/],
    ['a catalog that there is not', ['--catalog', crypto.randomUUID()], /answered 404: Catalog not found/],
  ])('ends with 1 and one sentence on %s', async (_, args, says) => {
    expect(sentence(await hostedRun(['replay', ...args]))).toMatch(says)
  })
})

describe('assay dead-letters', () => {
  const letters = (...args: string[]) =>
    ground.run(['dead-letters', ...args], { ASSAY_URL: assay.url, ASSAY_TOKEN: token })

  test('lists, shows and redrives what no step could read', async () => {
    expect(await letters()).toEqual({ code: 0, out: 'No dead letters.\n', err: '' })
    const store = openCatalog(await ground.databaseUrl())
    const { rows } = await store.pipeline.query('select epoch, partitions from log_epoch')
    const log = postgresLog(store.pipeline, rows[0])
    const key = crypto.randomUUID()
    await log.append(topics.bronze, [{ key, value: JSON.stringify({ v: 9, workspace: demo }) }])
    while ((await store.pipeline.query('select from dead_record')).rowCount === 0) await sleep(50)
    await store.close()

    const listed = await letters('list', '--kind', 'unknown_version')
    expect(listed).toMatchObject({ code: 0, err: '' })
    expect(listed.out).toMatch(/^unknown_version +1 +unknown schema version 9$/m)
    const id = /^products\.bronze:\S+/m.exec(listed.out)?.[0] ?? ''
    const shown = await letters('show', id)
    expect(shown.out).toMatch(/is dead: unknown schema version 9/)
    expect(shown.out).toMatch(/"v": 9/)
    const dry = await letters('redrive', '--all', '--dry-run')
    expect(dry.out).toMatch(/^1 dead letters would be redriven$/m)
    const done = await letters('redrive', id, '--json')
    expect(done).toMatchObject({ code: 0, err: '' })
    expect(JSON.parse(done.out)).toMatchObject({
      matched: 1,
      redriven: 0,
      stillDead: 1,
      reasons: { unknown_version: 1 },
    })
    expect((await letters('show', id)).out).toMatch(/^ +2 +\S+ +\S+ +dead/m)
  })

  test.each<[string, string[], RegExp]>([
    ['nothing to redrive', ['redrive'], /Say which to redrive/],
    ['nothing to show', ['show'], /which one to show/],
    ['a word that is not known', ['bury'], /"bury" is not known/],
    ['a rate of none', ['redrive', '--all', '--rate', '0'], /--rate takes a number/],
    ['a letter that there is not', ['show', 'products.bronze:1:0:999999'], /answered 404/],
  ])('ends with 1 and one sentence on %s', async (_, args, says) => {
    expect(sentence(await hostedRun(['dead-letters', ...args]))).toMatch(says)
  })
})

describe('assay archive', () => {
  test('archives what a living server has, and checks it file by file', async () => {
    const { body } = await assay.call('POST', `/api/workspace/${demo}/catalogs`, { name: 'Archived' })
    await ingest([
      await file('archived.csv', 'sku,title,price,currency\nA-1,Mug,1.00,EUR\n'),
      '--catalog',
      body.catalog.id,
    ])
    const ran = await ground.run(['archive'])
    expect(ran).toMatchObject({ code: 0, err: '' })
    expect(ran.out).toMatch(/^\d+ records in \d+ new files in .*archive$/m)
    const listed = JSON.parse((await ground.run(['archive', 'list', '--json'])).out)
    expect(listed.files[0]).toMatchObject({ epoch: 1, topic: expect.any(String), from: 0 })
    const sound = await ground.run(['archive', 'verify'])
    expect(sound).toMatchObject({ code: 0, err: '' })
    expect(sound.out).toMatch(/^Every file is what was written/m)

    await writeFile(join(ground.folder, 'archive', listed.files[0].path), 'x')
    const damaged = await ground.run(['archive', 'verify'])
    expect(damaged).toMatchObject({ code: 1, err: '' })
    expect(damaged.out).toMatch(/^\S+\.parquet: its checksum is not that of the file that was written$/m)
    // The server was only joined: it lives.
    expect((await assay.call('GET', `/api/workspace/${demo}/catalogs`)).status).toBe(200)
  })

  test('ends with 1 and one sentence on a word that it does not know', async () => {
    expect(sentence(await ground.run(['archive', 'mend']))).toMatch(/run, list or verify/)
  })
})

describe('the command line', () => {
  test('says what there is when asked, and when the command is unknown', async () => {
    const asked = await ground.run(['serve', '--help'])
    expect(asked).toMatchObject({ code: 0, err: '', out: expect.stringMatching(/^Usage: assay/) })
    const unknown = await ground.run(['ingst'])
    expect(unknown).toMatchObject({
      code: 2,
      out: '',
      err: expect.stringMatching(/^There is no command "ingst"\.\n\nUsage: assay/),
    })
    expect(await ground.run([])).toMatchObject({ code: 2, err: expect.stringMatching(/^Usage: assay/) })
  })

  test.each<[string, string[], Record<string, string>, RegExp]>([
    [
      'a setting that there is not',
      ['token'],
      { ASSAY_TOKN: 'x' },
      /ASSAY_TOKN is no setting of Assay; did you mean ASSAY_TOKEN\?/,
    ],
    [
      'a setting with an impossible value',
      ['serve'],
      { PORT: 'eighty' },
      /PORT must be a port from 0 to 65535, not "eighty"/,
    ],
    ['a port that there is not', ['serve', '--port', '70000'], {}, /--port takes a number/],
    ['an argument that serve does not take', ['serve', 'now'], {}, /"now" is one argument too many/],
    ['a flag that migrate does not take', ['migrate', '--force'], {}, /Unknown option '--force'/],
    ['a data folder that is a file', ['serve', '--data', '/dev/null'], {}, /The data folder \/dev\/null/],
  ])('ends with 1 and one sentence on %s', async (_, args, env, says) => {
    expect(sentence(await ground.run(args, env))).toMatch(says)
  })
})
