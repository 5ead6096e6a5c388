/** Search of a running Assay: what is published is found when the publish returns, and nothing else is. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Answer, type Running, startAssay } from '../../running.ts'
import { makeKey } from './make-key.ts'

let assay: Running
let catalog: string
let brand: string
let key: string

const file = [
  'sku,title,brand,category,price,currency,availability,condition,color,size,gtin,description,link,image',
  'AB-1042,Filter 2001,Kelo,Parts > Filters,12.50,EUR,in stock,new,white,,4006381333931,A filter for pumps,https://s.test/1,https://s.test/1.jpg',
  'AB-1043,Filter 2000,Kelo,Parts > Filters,11.00,EUR,out of stock,new,black,,,Another filter for pumps,https://s.test/2,https://s.test/2.jpg',
  'PL-1,Huśtawka ogrodowa,Orle,Garden,199.00,EUR,in stock,new,green,,,Solidna huśtawka do ogrodu,https://s.test/3,https://s.test/3.jpg',
  'PL-2,Łódka,Orle,Garden,999.00,EUR,in stock,used,blue,,,Mała łódka,https://s.test/4,https://s.test/4.jpg',
  'FR-1,Cafe\u0301 noir,Brûlerie,Coffee,8.00,EUR,in stock,new,,,,Un café pour le matin,https://s.test/5,https://s.test/5.jpg',
  'JP-1,電動自転車 26インチ,Kaze,自転車,1200.00,EUR,in stock,new,red,26,,通勤に,https://s.test/6,https://s.test/6.jpg',
  'EN-1,Running shoes,Fleet,Shoes > Sport,80.00,EUR,in stock,new,red,42,,Light shoes for the road,https://s.test/7,https://s.test/7.jpg',
  'EN-2,"Laptop 13"" silver",Nova,Computers,900.00,EUR,in stock,new,silver,13in,,A light laptop,https://s.test/8,https://s.test/8.jpg',
  '',
].join('\n')

beforeAll(async () => {
  assay = await startAssay()
  catalog = await assay.newCatalog('Shop')
  await assay.ingest(catalog, file)
  await assay.publish(catalog)
  brand = (await assay.call('GET', '/api/workspace/ws_test/brands')).body.brands[0].id
  key = await makeKey(assay, brand)
})
afterAll(() => assay.close())

const search = (query: Record<string, string>): Promise<Answer> =>
  assay.call('GET', `/api/v1/search?${new URLSearchParams(query)}`, undefined, { 'x-api-key': key, authorization: '' })
const skus = async (query: Record<string, string>) => {
  const { status, text, body } = await search(query)
  if (status !== 200) throw new Error(text)
  return body.products.map(({ sku }: { sku: string }) => sku)
}

describe('KF-30: codes and numbers are found only as they are', () => {
  test.each([
    ['2001', ['AB-1042']],
    ['AB-1042', ['AB-1042']],
    ['ab1042', ['AB-1042']],
    ['4006381333931', ['AB-1042']],
    ['AB-1049', []],
  ])('%s', async (q, found) => expect(await skus({ q })).toEqual(found))

  test('a mistyped word finds both filters, and says what it was taken for', async () => {
    const { body } = await search({ q: 'fliter' })
    expect(body.products.map(({ sku }: { sku: string }) => sku).sort()).toEqual(['AB-1042', 'AB-1043'])
    expect(body).toMatchObject({ corrected_to: 'filter', total: 2, total_is_estimate: false, relaxed: null })
  })
})

describe('KF-31: accents, strokes and scripts without spaces', () => {
  test.each([
    ['hustawka', 'PL-1'],
    ['huśtawki', 'PL-1'],
    ['lodka', 'PL-2'],
    ['cafe', 'FR-1'],
    ['café', 'FR-1'],
    ['自転車', 'JP-1'],
    ['shoe', 'EN-1'],
    ['13in laptop', 'EN-2'],
    ['13 inch laptop', 'EN-2'],
    ['laptop 13"', 'EN-2'],
  ])('%s', async (q, sku) => expect((await skus({ q }))[0]).toBe(sku))
})
