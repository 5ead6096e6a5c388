import { randomUUID } from 'node:crypto'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterAll, describe, expect, test } from 'vitest'
import { groupColumn, isFault } from '../../ingest/candidate.ts'
import { openScratch } from '../../ingest/scratch.ts'
import { optionsColumn } from '../../schemas/pipeline.ts'
import { enough } from '../enough.ts'
import { gather as gatherIn, gatherTwice, outline, source } from './gathered.ts'

const scratch = openScratch(join(tmpdir(), `gather-${randomUUID()}.duckdb`))
afterAll(() => scratch.close())

const gather = (...lines: readonly string[]) => gatherIn(`${lines.join('\n')}\n`, scratch)
const optionsOf = (cells: Readonly<Record<string, unknown>> | undefined) => JSON.parse(String(cells?.[optionsColumn]))

describe('a file without families', () => {
  test('is one single a row, in order, without its blank cells', async () => {
    const found = await gather('sku,title,price', 'A,Mug,', 'B, ,10')
    expect(outline(found)).toEqual(['single A [1]', 'single B [2]'])
    expect(found.map(({ cells }) => cells)).toEqual([
      { sku: 'A', title: 'Mug' },
      { sku: 'B', price: '10' },
    ])
  })

  test('keeps a column of any name', async () => {
    const [one] = await gather('sku,title,__proto__,constructor', 'A,Mug,x,y')
    expect(Object.entries(one?.cells ?? {})).toEqual([
      ['sku', 'A'],
      ['title', 'Mug'],
      ['__proto__', 'x'],
      ['constructor', 'y'],
    ])
    const [two] = await gather('sku,title,constructor', 'A,Mug,')
    expect(two?.ids).toMatchObject({ sku: 'A', gtin: null, mpnBrand: null, url: null })
  })

  test('gives a row that cannot be trusted its place in the order, and its neighbours theirs', async () => {
    const [items] = await gatherTwice('sku,title\nA,Mug\nB,Cup,x\nC,Bowl\n', scratch)
    expect(items.map((item) => [item.seq, isFault(item) ? item.code : item.rows[0]])).toEqual([
      [0, 1],
      [1, 'ragged'],
      [2, 3],
    ])
  })
})

describe("Shopify's file", () => {
  const head =
    'Handle,Title,Vendor,Option1 Name,Option1 Value,Option2 Name,Option2 Value,Variant SKU,Variant Price,Image Src'

  test('continues a product on rows without its title, whose option names stand in the first', async () => {
    const [parent, ...variants] = await gather(
      head,
      'mug,Mug,Lumo,Color,Red,Size,L,M-R,10,https://x.test/1.jpg',
      'mug,,,,Blue,,S,M-B,11,https://x.test/2.jpg',
    )
    expect(parent).toMatchObject({
      kind: 'parent',
      rows: [],
      ids: { family: `${source}\u001fmug`, options: 'parent', sku: null },
    })
    expect(outline(variants)).toEqual(['variant M-R [1]', 'variant M-B [2]'])
    expect(variants.map(({ cells }) => optionsOf(cells))).toEqual([
      { Color: 'Red', Size: 'L' },
      { Color: 'Blue', Size: 'S' },
    ])
    expect(variants[0]?.inherited).toBeUndefined()
    expect(variants[1]).toMatchObject({
      cells: { Title: 'Mug', Vendor: 'Lumo', 'Variant Price': '11', [groupColumn]: 'mug' },
    })
    expect(variants[1]?.inherited).toEqual({ row: 1, columns: ['Title', 'Vendor', 'Option1 Name', 'Option2 Name'] })
  })

  test('has images of a product on all of its rows, also on rows with nothing else: one list in order, each once', async () => {
    const found = await gather(
      head,
      'mug,Mug,Lumo,Color,Red,,,M-R,10,https://x.test/1.jpg',
      'mug,,,,Blue,,,M-B,11,',
      'mug,,,,,,,,,https://x.test/2.jpg',
      'mug,,,,,,,,,https://x.test/1.jpg',
    )
    expect(outline(found)).toEqual(['parent - [3,4]', 'variant M-R [1]', 'variant M-B [2]'])
    for (const { cells } of found) expect(cells['Image Src']).toEqual(['https://x.test/1.jpg', 'https://x.test/2.jpg'])
  })

  test('says Default Title for a product without options, which is a single with all its images', async () => {
    const found = await gather(
      head,
      'mug,Mug,Lumo,Title,Default Title,,,M,10,https://x.test/1.jpg',
      'mug,,,,,,,,,https://x.test/2.jpg',
      'cup,Cup,Lumo,Title,Default Title,,,C,9,',
    )
    expect(outline(found)).toEqual(['single M [1,2]', 'single C [3]'])
    expect(found[0]?.cells).toMatchObject({ 'Image Src': ['https://x.test/1.jpg', 'https://x.test/2.jpg'] })
    expect(found[0]?.cells[optionsColumn]).toBeUndefined()
  })

  test('with one variant is a single that keeps its option', async () => {
    const [one, ...others] = await gather(head, 'mug,Mug,Lumo,Color,Red,,,M-R,10,')
    expect(others).toEqual([])
    expect(one).toMatchObject({ kind: 'single', ids: { options: 'color=Red' } })
    expect(optionsOf(one?.cells)).toEqual({ Color: 'Red' })
  })

  test('without a SKU tells its variants apart by their options', async () => {
    const found = await gather(head, 'mug,Mug,,Color,Red,,,,10,', 'mug,,,,Blue,,,,11,', 'mug,,,,Red,,,,12,')
    expect(found.map(({ ids }) => ids.options)).toEqual(['parent', 'color=Red', 'color=Blue', 'color=Red'])
  })

  test('may have the rows of a product far apart', async () => {
    const between = Array.from({ length: 5_000 }, (_, i) => `p${i},Plate ${i},Lumo,Title,Default Title,,,P-${i},5,`)
    const found = await gather(
      head,
      'mug,Mug,Lumo,Color,Red,,,M-R,10,https://x.test/1.jpg',
      ...between,
      'mug,,,,Blue,,,M-B,11,https://x.test/2.jpg',
    )
    expect(outline(found.slice(0, 4))).toEqual([
      'parent - []',
      'variant M-R [1]',
      'variant M-B [5002]',
      'single P-0 [2]',
    ])
    expect(found).toHaveLength(5_003)
    expect(found[2]?.cells).toMatchObject({
      Title: 'Mug',
      'Image Src': ['https://x.test/1.jpg', 'https://x.test/2.jpg'],
    })
  })

  test('with a product of 5,000 variants, an image each, stays within bounds', async () => {
    const rows = Array.from(
      { length: 5_000 },
      (_, i) => `mug,${i === 0 ? 'Mug' : ''},,Color,c${i},,,M-${i},10,https://x.test/${i}.jpg`,
    )
    const started = performance.now()
    const found = await gather(head, ...rows)
    expect(found).toHaveLength(5_001)
    expect(performance.now() - started).toBeLessThan(10_000)
    expect(Math.max(...found.map((one) => JSON.stringify(one).length))).toBeLessThan(20_000)
    expect(found.at(-1)).toMatchObject({ rows: [5_000], cells: { Title: 'Mug' } })
  })
})

describe("WooCommerce's file", () => {
  const head = 'ID,Type,SKU,Name,Description,Parent,Regular price,Attribute 1 name,Attribute 1 value(s)'
  const parent = '7,variable,T-1,Shirt,Of cotton,,,Size,"S, M"'
  const [small, medium] = ['8,variation,T-1-S,Shirt S,,T-1,10,Size,S', '9,variation,T-1-M,Shirt M,,T-1,11,Size,M']

  test.each([
    ['before', [parent, small, medium], ['parent T-1 [1]', 'variant T-1-S [2]', 'variant T-1-M [3]']],
    ['after', [small, medium, parent], ['parent T-1 [3]', 'variant T-1-S [1]', 'variant T-1-M [2]']],
    ['between', [small, parent, medium], ['parent T-1 [2]', 'variant T-1-S [1]', 'variant T-1-M [3]']],
  ])('may have the parent %s its variants', async (_, rows, expected) => {
    const found = await gather(head, ...rows)
    expect(outline(found)).toEqual(expected)
    expect(found[1]?.cells).toMatchObject({ Description: 'Of cotton', Name: 'Shirt S', [groupColumn]: 'T-1' })
    expect(found.map(({ ids }) => ids.family)).toEqual(['T-1', 'T-1', 'T-1'])
  })

  test('names a parent without a SKU by its number, which means something in this shop alone', async () => {
    const found = await gather(
      head,
      '7,variable,,Shirt,,,,Size,"S, M"',
      '8,variation,S,,,id:7,10,Size,S',
      '9,variation,M,,,id:7,11,Size,M',
    )
    expect(found.map(({ ids }) => ids.family)).toEqual(new Array(3).fill(`${source}\u001fid:7`))
  })

  test('that tells a parent twice has a result for both rows', async () => {
    const found = await gather(head, parent, small, medium, parent.replace('Of cotton', 'Of linen'))
    expect(outline(found)).toEqual(['parent T-1 [1]', 'parent T-1 [4]', 'variant T-1-S [2]', 'variant T-1-M [3]'])
    expect(found[2]?.cells).toMatchObject({ Description: 'Of linen' })
  })

  test('may lack the parent: several variants have one all the same, and a simple product is a single', async () => {
    const found = await gather(head, small, medium, '1,simple,X,Mug,,,5,,')
    expect(outline(found)).toEqual(['parent T-1 []', 'variant T-1-S [1]', 'variant T-1-M [2]', 'single X [3]'])
    expect(found[0]?.cells).toMatchObject({ SKU: 'T-1' })
  })
})

describe("Magento's file", () => {
  const head = 'sku,product_type,name,description,price,configurable_variations'
  const parent = (sku: string, ...children: string[]) => `${sku},configurable,Shirt,Of cotton,,"${children.join('|')}"`

  test('has children before their parent, which names them and their options', async () => {
    const found = await gather(
      head,
      'T-S,simple,Shirt S,,10,',
      'T-M,simple,Shirt M,,11,',
      'X,simple,Mug,,5,',
      parent('T', 'sku=T-S,size=S', 'sku=T-M,size=M', 'sku=T-L,size=L'),
    )
    expect(outline(found)).toEqual(['parent T [4]', 'variant T-S [1]', 'variant T-M [2]', 'single X [3]'])
    expect(found.map(({ ids }) => ids.options)).toEqual(['parent', 'size=S', 'size=M', null])
    expect(found[1]).toMatchObject({ cells: { description: 'Of cotton', name: 'Shirt S' }, inherited: { row: 4 } })
  })

  test('has a child that two parents name with the same of them in whatever order, and with its options', async () => {
    const parents = [parent('Z', 'sku=T-S,size=S'), parent('A', 'sku=T-S,colour=red')]
    for (const rows of [parents, parents.toReversed()]) {
      const found = await gather(head, ...rows, 'T-S,simple,Shirt S,,10,')
      const child = found.find(({ kind }) => kind === 'variant')
      expect(child?.ids).toMatchObject({ family: 'A', options: 'colour=red' })
    }
  })
})

test("Vendure's file continues a product on rows with a blank name", async () => {
  const found = await gather(
    'name,slug,description,assets,facets,optionGroups,optionValues,sku,price,stockOnHand,trackInventory',
    'Shirt,shirt,Of cotton,a.jpg,,size|color,S|red,T-S,10,5,true',
    ',,,,,,M|red,T-M,11,6,true',
    'Mug,mug,White,b.jpg,,,,M,5,1,true',
  )
  expect(outline(found)).toEqual(['parent - []', 'variant T-S [1]', 'variant T-M [2]', 'single M [3]'])
  expect(optionsOf(found[2]?.cells)).toEqual({ size: 'M', color: 'red' })
  expect(found[2]?.cells).toMatchObject({ name: 'Shirt', description: 'Of cotton', price: '11' })
})

describe('a column of groups', () => {
  const head = 'sku,item_group_id,title,description,color,price'

  test('makes families of rows that share one, wherever they stand', async () => {
    const found = await gather(
      head,
      'A,g1,Mug red,White rim,red,10',
      'X,,Bowl,,,5',
      'B,g1,Mug blue,,blue,11',
      'C,g2,Cup,,red,9',
    )
    expect(outline(found)).toEqual(['parent - []', 'variant A [1]', 'variant B [3]', 'single X [2]', 'single C [4]'])
    expect(found[2]).toMatchObject({ cells: { title: 'Mug blue', [groupColumn]: 'g1' } })
    expect(found[2]?.ids).toMatchObject({ family: `${source}\u001fg1`, options: 'color=blue' })
  })

  test('gives no variant the text of a sibling, unless those that are unlike in everything say it alike', async () => {
    const described = async (...rows: readonly [string, string, string][]) => {
      const lines = rows.map(([color, size, text], i) => `S${i},g1,Mug ${i},${text},${color},${size},10`)
      const found = await gather('sku,item_group_id,title,description,color,size,price', ...lines)
      return found.find(({ ids }) => ids.sku === 'S0')?.cells.description
    }
    expect(await described(['red', 'L', ''], ['blue', 'L', 'A blue mug'])).toBeUndefined()
    expect(await described(['red', 'L', ''], ['blue', 'L', 'A blue mug'], ['blue', 'S', 'A blue mug'])).toBeUndefined()
    expect(await described(['red', 'L', ''], ['blue', 'L', 'A mug'], ['red', 'S', 'Another'])).toBeUndefined()
    expect(await described(['red', 'L', ''], ['blue', 'L', 'A mug'], ['red', 'S', 'A mug'])).toBe('A mug')
  })

  test('has a brand of all its variants where those that name one name the same', async () => {
    const brands = async (...said: readonly string[]) => {
      const lines = said.map((brand, i) => `S${i},g1,Mug ${i},${brand},c${i},10`)
      const found = await gather('sku,item_group_id,title,brand,color,price', ...lines)
      return new Map(found.map(({ ids, cells }) => [ids.sku, cells.brand])).get('S0')
    }
    expect(await brands('', 'Lumo')).toBe('Lumo')
    expect(await brands('', 'Lumo', 'Lumo')).toBe('Lumo')
    expect(await brands('', 'Lumo', 'Nord')).toBeUndefined()
  })

  test('keeps the group of variants that differ in nothing that has a column of its own', async () => {
    const found = await gather(head, 'A,g1,Disk 1 TB,,,10', 'B,g1,Disk 2 TB,,,20')
    expect(outline(found)).toEqual(['parent - []', 'variant A [1]', 'variant B [2]'])
    expect(found[1]?.cells[groupColumn]).toBe('g1')
  })
})

describe('a column of parents', () => {
  const head = 'sku,parent_sku,title,description,size'

  test('makes a parent of the row that others name, wherever it stands, and of no other', async () => {
    const rows = ['T-S,T,Shirt S,,S', 'X,,Mug,,', 'T,,Shirt,Of cotton,', 'T-M,T,Shirt M,,M']
    const found = await gather(head, ...rows)
    expect(outline(found)).toEqual(['parent T [3]', 'variant T-S [1]', 'variant T-M [4]', 'single X [2]'])
    expect(found.map(({ ids }) => ids.family)).toEqual(['T', 'T', 'T', null])
  })

  test('may name the parent in its own row too', async () => {
    const found = await gather(head, 'T,T,Shirt,Of cotton,', 'T-S,T,Shirt S,,S', 'X,X,Mug,,')
    expect(outline(found)).toEqual(['parent T [1]', 'variant T-S [2]', 'single X [3]'])
  })
})

/** Any Shopify rows: few handles, few values, blank cells anywhere. */
const anyRow = fc
  .tuple(
    fc.constantFrom('mug', 'cup', 'pot', ''),
    fc.constantFrom('', '', 'Mug'),
    fc.constantFrom('', 'Color'),
    fc.constantFrom('', 'Red', 'Blue', 'Default Title'),
    fc.constantFrom('', 'A', 'B', 'C'),
    fc.constantFrom('', '10'),
    fc.constantFrom('', 'https://x.test/1.jpg', 'https://x.test/2.jpg'),
  )
  .map((cells) => cells.join(','))

test('whatever the rows, each one but a blank one belongs to exactly one candidate, and a second pass gives the same', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(anyRow, { minLength: 1, maxLength: 12 }), async (rows) => {
      const file = [
        'Handle,Title,Option1 Name,Option1 Value,Variant SKU,Variant Price,Image Src',
        ...rows,
        'end,E,,,E,1,',
      ].join('\n')
      const [first, second] = await gatherTwice(`${file}\n`, scratch)
      expect(second).toEqual(first)
      expect(first.map(({ seq }) => seq)).toEqual(first.map((_, i) => i))
      const own = first.flatMap((item) => (isFault(item) ? [item.row] : item.rows)).sort((a, b) => a - b)
      const blank = rows.filter((row) => /^,*$/.test(row)).length
      expect(own).toEqual(Array.from({ length: rows.length + 1 - blank }, (_, i) => i + 1))
    }),
    { numRuns: enough(12, 30) },
  )
})

test('a variant in a product of XML has what the family says, marked as inherited from the row that says it', async () => {
  const variant = (sku: string, size: string) => `<variant><sku>${sku}</sku><size>${size}</size></variant>`
  const found = await gather(
    `<all><product id="7"><title>Shirt</title><variants>${variant('S', 'small')}${variant('M', 'medium')}</variants></product>
<product id="8"><title>Cap</title><variants><variant><sku>C</sku></variant></variants></product></all>`,
  )
  expect(outline(found)).toEqual(['parent - []', 'variant S [1]', 'variant M [2]', 'single C [3]'])
  const [, small, medium] = found
  expect(small?.inherited).toBeUndefined()
  expect(medium).toMatchObject({ cells: { title: 'Shirt' }, inherited: { row: 1, columns: ['title'] } })
})
