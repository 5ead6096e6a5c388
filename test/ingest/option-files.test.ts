import { expect, test } from 'vitest'
import { hasOptionsOnly } from '../../ingest/option-files.ts'
import { optionsColumn } from '../../schemas/pipeline.ts'
import { gather, outline } from './gathered.ts'

const head =
  '商品管理番号（商品URL）,選択肢タイプ,項目選択肢別在庫用横軸選択肢,項目選択肢別在庫用縦軸選択肢,項目選択肢別在庫用在庫数'

test('each row of a file of options is a variant of the product that it names, which the file tells by its key alone', async () => {
  const found = await gather([head, 'tee,i,S,赤,3', 'cap,i,F,,1', 'tee,i,S,青,0', ''].join('\n'))
  expect(outline(found)).toEqual(['parent - []', 'variant - [1]', 'variant - [3]', 'parent - []', 'variant - [2]'])
  const owners = found.filter(({ kind }) => kind === 'parent')
  expect(owners.map(({ cells }) => cells)).toEqual([
    { '商品管理番号（商品URL）': 'tee' },
    { '商品管理番号（商品URL）': 'cap' },
  ])
  expect(owners.map(({ ids }) => ids.owner)).toEqual([
    { text: 'rakuten\u001ftee', claims: false },
    { text: 'rakuten\u001fcap', claims: false },
  ])
  expect(JSON.parse(String(found[1]?.cells[optionsColumn]))).toEqual({ 横軸: 'S', 縦軸: '赤' })
  expect(found[1]).toMatchObject({ ids: { sourceId: null, sku: null }, cells: { 'assay:group': 'tee' } })
  expect(found[1]?.cells).not.toHaveProperty('商品管理番号（商品URL）')
})

test('rows without an option go with the product, which is a single where it has no other', async () => {
  const found = await gather([head, 'tee,s,,,', 'tee,i,S,,3', 'cap,c,,,', 'cap,s,,,', ''].join('\n'))
  expect(outline(found)).toEqual(['parent - [1]', 'variant - [2]', 'single - [3,4]'])
})

test('a file is one of options by its header, and a file of products is none', () => {
  expect(hasOptionsOnly(head.split(','))).toBe(true)
  expect(hasOptionsOnly(['商品管理番号（商品URL）', '商品名', '在庫数'])).toBe(false)
})
