import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Running } from '../running.ts'
import { sharedAssay, workspace } from '../shared-assay.ts'
import { type File, filled as fill, table } from './filled.ts'

let assay: Running
beforeAll(async () => {
  assay = await sharedAssay()
})
afterAll(() => assay.close())

const filled = (...files: File[]) => fill(assay, ...files)

describe.concurrent('KF-01: a byte-order mark', () => {
  const text = table('sku,title,price', 'A-1,Mug,9.5')
  const utf16be = (of: string) => Buffer.from(of, 'utf16le').swap16()
  test.each([
    ['UTF-8', Buffer.from(`\ufeff${text}`)],
    ['UTF-16LE', Buffer.from(`\ufeff${text}`, 'utf16le')],
    ['UTF-16BE', utf16be(`\ufeff${text}`)],
    ['UTF-8, before a quoted name', Buffer.from(`\ufeff"sku",title,price\nA-1,Mug,9.5\n`)],
    ['UTF-8, twice', Buffer.from(`\ufeff\ufeff${text}`)],
  ])('of %s is not data, and a second import finds the product again', async (_, bytes) => {
    const { results, products } = await filled(bytes, bytes)
    expect(products).toMatchObject([{ sku: 'A-1', title: 'Mug', price: 9.5 }])
    expect(results).toMatchObject([{ created: 1 }, { created: 0, updated: 0, unchanged: 1 }])
  })

  test('makes no other source and no other product of the same file', async () => {
    const { results } = await filled(Buffer.from(text), Buffer.from(`\ufeff${text}`, 'utf16le'))
    expect(results[1]).toMatchObject({ created: 0, updated: 0, unchanged: 1 })
  })
})

describe.concurrent('KF-03: a file in Windows-1252', () => {
  const bytes = Buffer.from('sku,title\r\nC-1,Caf\xe9 cr\xe8me 250 g \x80\r\n', 'latin1')

  test.each([
    ['as it is', (file: Buffer) => file],
    ['packed with gzip', (file: Buffer) => gzipSync(file)],
  ])('is found out, read and said, %s', async (_, packed) => {
    const { results, products } = await filled(packed(bytes), packed(bytes))
    expect(products.map(({ title }) => title)).toEqual(['Café crème 250 g €'])
    expect(results).toMatchObject([{ created: 1 }, { created: 0, unchanged: 1 }])
    expect(results[0]?.notes).toContainEqual(expect.stringMatching(/^encoding WINDOWS-1252, 9\d % sure/))
  })

  test('is read as the caller says, and an encoding that nobody knows is refused', async () => {
    const catalog = await assay.newCatalog()
    const { result } = await assay.ingest(catalog, bytes, { encoding: 'iso-8859-15' })
    expect(result.notes[0]).toBe('encoding ISO-8859-15, as the caller says')
    const path = `/api/workspace/${workspace}/datasets/ingest?catalog_id=${catalog}&encoding=latin-17`
    expect(await assay.call('POST', path, bytes)).toMatchObject({
      status: 400,
      body: { details: { field: 'encoding' } },
    })
  })

  test('is not what UTF-8 with one odd byte is: its row is refused by its place, and no other', async () => {
    const odd = Buffer.from('sku,title\nC-1,Café\nC-2,Caf?\nC-3,Crème\n')
    odd[odd.indexOf('?')] = 0xe9
    const catalog = await assay.newCatalog()
    const { result } = await assay.ingest(catalog, odd)
    expect(result).toMatchObject({ read: 3, created: 2, rejected: 1 })
    expect(await assay.rows(result.importId)).toMatchObject([
      {
        row: 2,
        code: 'not_text',
        says: expect.stringMatching(/^Line 3, column "title": the byte E9 after "Caf" is not/),
      },
    ])
    expect((await assay.products(catalog)).map(({ title }) => title).sort()).toEqual(['Café', 'Crème'])
  })
})

describe.concurrent('KF-05: a repeated header', () => {
  const address = (name: string) => `https://cdn.example.test/${name}.jpg`

  test('of images is one list in order', async () => {
    const { products } = await filled(table('sku,image,image,image', `P-1,${['a', 'b', 'c'].map(address).join()}`))
    expect(products[0]?.images).toEqual(['a', 'b', 'c'].map(address))
  })

  test('of anything else refuses the file with its name and its columns, and nothing is begun', async () => {
    const catalog = await assay.newCatalog()
    const path = `/api/workspace/${workspace}/datasets/ingest?catalog_id=${catalog}`
    const answer = await assay.call('POST', path, Buffer.from(table('sku,title,price,title', 'P-1,A,1,B')))
    expect(answer.status).toBe(400)
    expect(answer.text).toContain('title')
    expect(answer.text).toContain('2, 4')
    expect(await assay.products(catalog)).toEqual([])
  })

  test('by two columns that the caller maps to one field fails the job with both names, and nothing is appended', async () => {
    const catalog = await assay.newCatalog()
    const path = `/api/workspace/${workspace}/datasets/ingest?catalog_id=${catalog}&map=title_a=title&map=title_b=title`
    const { status, body, text } = await assay.call('POST', path, Buffer.from(table('sku,title_a,title_b', 'P-1,A,B')))
    const says = status === 202 ? String((await assay.job(body.job.id)).error?.message) : text
    expect(says).toMatch(/title_a.*title_b/)
    expect(await assay.products(catalog)).toEqual([])
  })
})

describe.concurrent('KF-06: what a file does not say', () => {
  const stored = table('sku,title,brand,description', 'L-1,Lamp,Lumo,Old A', 'L-2,Lamp 2,Lumo,Old B')

  test('an absent column and a blank cell change nothing, and no row takes its neighbour’s value', async () => {
    const { results, products } = await filled(stored, table('sku,description', 'L-1,New text', 'L-2,'))
    expect(products).toMatchObject([
      { sku: 'L-1', title: 'Lamp', brand: 'Lumo', description: 'New text' },
      { sku: 'L-2', title: 'Lamp 2', brand: 'Lumo', description: 'Old B' },
    ])
    expect(results[1]).toMatchObject({ created: 0, updated: 1, unchanged: 1 })
  })

  test('__CLEAR__ clears, and a later blank does not bring the value back', async () => {
    const { products, results } = await filled(
      [stored, 'a'],
      [table('sku,description', 'L-1,__CLEAR__', 'L-2,'), 'a'],
      [table('sku,description', 'L-1,', 'L-2,'), 'a'],
    )
    expect(products.map(({ description }) => description)).toEqual([null, 'Old B'])
    expect(results[2]).toMatchObject({ created: 0, updated: 0, unchanged: 2 })
  })

  test('a blank cell of another source takes nothing away either', async () => {
    const { products } = await filled([stored, 'a'], [table('sku,brand,gtin', 'L-1,,', 'L-2,   ,'), 'b'])
    expect(products.map(({ brand }) => brand)).toEqual(['Lumo', 'Lumo'])
  })

  test('null and an absent key of NDJSON are a blank and an absent cell', async () => {
    const line = (value: object) => `${JSON.stringify(value)}\n`
    const { products } = await filled(
      [stored, 'a'],
      [line({ sku: 'L-1', description: null }) + line({ sku: 'L-2', brand: '', description: 'New' }), 'a'],
    )
    expect(products).toMatchObject([
      { description: 'Old A', brand: 'Lumo' },
      { description: 'New', brand: 'Lumo' },
    ])
  })
})

describe.concurrent('KF-18: an invisible character', () => {
  const columns = 'sku,title,description,price,currency,availability,condition,image,link,brand,gtin'
  const row = (sku: string, title: string) =>
    `${sku},${title},A pen that writes on glass and on wet paper.,2.50,EUR,in_stock,new,https://cdn.example.test/${sku}.jpg,https://shop.example.test/${sku},Lumo,`

  test('is taken out on the way to product and feed; its neighbours are as they were', async () => {
    const file = table(columns, row('P-1', 'Ruler'), row('P-2', 'Pen\b Set 🚀\0 blue'), row('P-3', 'Ink'))
    const { catalog, results, products } = await filled(file, file)
    expect(products.map(({ title }) => title)).toEqual(['Ruler', 'Pen Set 🚀 blue', 'Ink'])
    expect(results[1]).toMatchObject({ created: 0, updated: 0, unchanged: 3 })
    await assay.publish(catalog)
    expect((await assay.feed(catalog)).map(({ title }) => title).sort()).toEqual(['Ink', 'Pen Set 🚀 blue', 'Ruler'])
  })

  test.each(['sku', 'title', 'description', 'price', 'currency', 'availability', 'image', 'link', 'brand', 'gtin'])(
    'U+0000 in a %s stops no row of the file',
    async (field) => {
      const names = columns.split(',')
      const broken = row('P-2', 'Pen').split(',')
      broken[names.indexOf(field)] += '\0x'
      const { results, products } = await filled(table(columns, row('P-1', 'Ruler'), broken.join(), row('P-3', 'Ink')))
      expect(results[0]).toMatchObject({ read: 3, created: 3, rejected: 0 })
      expect(products.map(({ title }) => title)).toEqual(expect.arrayContaining(['Ruler', 'Ink']))
      expect(JSON.stringify(products)).not.toContain('\\u0000')
    },
  )

  test('U+0000 as an escape of NDJSON, in a value and in a name, stops no line either', async () => {
    const lines = String.raw`{"sku":"N-1","title":"Pen\u0000 red","no\u0000te":"a\u0000b"}
{"sku":"N-2","title":"Ink","price":"2.5\u00000"}
`
    const { results, products } = await filled(lines, lines)
    expect(products.map(({ title }) => title)).toEqual(['Pen red', 'Ink'])
    expect(results).toMatchObject([{ created: 2 }, { created: 0, updated: 0, unchanged: 2 }])
  })
})
