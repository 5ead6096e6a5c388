import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { rubricVersion } from '../../../transforms/gold/rubric.ts'
import type { Running } from '../../running.ts'
import { sharedAssay, workspace } from '../../shared-assay.ts'
import { expectSamplesForm } from '../envelopes.ts'

let assay: Running
beforeAll(async () => {
  assay = await sharedAssay()
})
afterAll(() => assay.close())

const path = `/api/workspace/${workspace}/catalog/products`

interface Cell {
  readonly source: string
  readonly column: string
  readonly mapped: string | null
  readonly raw: string
  readonly import: { id: string; fileName: string } | null
  readonly row: number | null
  readonly editor: { by: string; at: string } | null
  readonly position: object
}
interface Told {
  readonly field: string
  readonly value: unknown
  readonly from: Cell | null
  readonly steps: { step: string; says: string }[]
  readonly others: Cell[]
}

async function provenance(id: string) {
  const answer = await assay.call('GET', `${path}/${id}/provenance`)
  expect(answer.status).toBe(200)
  const fields: Told[] = answer.body.fields
  return (name: string) => fields.find(({ field }) => field === name)
}
const idOf = async (catalog: string, sku: string) => (await assay.products(catalog, { sku }))[0]?.id ?? ''

describe('provenance', () => {
  test('200: a value of a file names column, row, import and the steps that made it', async () => {
    const catalog = await assay.newCatalog()
    const file = [
      'Art-Nr;Bezeichnung;Preis;Währung;Verfügbarkeit',
      'A-1;Vase;"8,00";EUR;ja',
      'A-2;" <b>M&uuml;llerin</b>  Bud ";"1.064,90";€;auf Lager',
    ].join('\n')
    const { result } = await assay.ingest(catalog, `${file}\n`, { source: 'supplier' })
    const of = await provenance(await idOf(catalog, 'A-2'))
    expect(of('title')).toMatchObject({
      value: 'Müllerin Bud',
      from: {
        source: expect.stringContaining('supplier'),
        column: 'Bezeichnung',
        mapped: '"Bezeichnung" is a known name for title',
        import: { id: result.importId, fileName: expect.any(String), by: 'test:admin' },
        row: expect.any(Number),
        editor: null,
        position: { epoch: expect.any(Number), partition: expect.any(Number), offset: expect.any(Number) },
      },
      others: [],
    })
    const says = of('title')?.steps.map((step) => step.says)
    expect(says).toEqual(expect.arrayContaining(['markup was taken off', 'entities were decoded']))
    expect(of('price')).toMatchObject({ value: '1064.90', from: { raw: '1.064,90' } })
    expect(of('price')?.steps).toEqual([{ step: 'number-format', says: expect.stringContaining('is read as 1064.90') }])
    expect(of('availability')).toMatchObject({ value: 'in_stock', steps: [{ step: 'availability' }] })
    expect(of('sku')).toMatchObject({ value: 'A-2', steps: [] })
  })

  test('200: an edit names who made it and when, and the cell that it beat; a cleared field says so', async () => {
    const catalog = await assay.newCatalog()
    await assay.ingest(catalog, 'sku,title,brand,price\nB-1,Mug,Lumo,"1,50"\n')
    const id = await idOf(catalog, 'B-1')
    await assay.call('PATCH', `${path}/${id}`, { title: 'Large mug', brand: null })
    const of = await provenance(id)
    expect(of('title')).toMatchObject({
      value: 'Large mug',
      from: { source: 'api', column: 'title', mapped: null, row: null, import: null, editor: { by: 'test:admin' } },
      others: [{ column: 'title', raw: 'Mug', row: expect.any(Number), editor: null }],
    })
    expect(of('brand')).toMatchObject({ value: null, from: { source: 'api', clears: true }, others: [{ raw: 'Lumo' }] })
  })

  test('200: what cannot be read says why, and what nobody says is not there', async () => {
    const catalog = await assay.newCatalog()
    await assay.ingest(catalog, 'sku,title,availability\nC-1,Mug,perhaps tomorrow\n')
    const of = await provenance(await idOf(catalog, 'C-1'))
    expect(of('availability')).toMatchObject({ value: null, steps: [{ step: 'unknown_availability' }] })
    expect(of('gtin')).toBeUndefined()
  })

  test('200: what a variant has from an edit of its parent', async () => {
    const catalog = await assay.newCatalog()
    const rows = ['Handle,Title,Variant SKU,Option1 Name,Option1 Value', 'cap,Cap,D-S,Size,S', 'cap,,D-M,,M']
    await assay.ingest(catalog, `${rows.join('\n')}\n`)
    const parent = (await assay.products(catalog, { kind: 'parent' }))[0]?.id
    await assay.call('PATCH', `${path}/${parent}`, { title: 'Hat' })
    const of = await provenance(await idOf(catalog, 'D-M'))
    expect(of('title')).toMatchObject({ value: 'Hat', from: { source: 'api', fromFamily: true, row: null } })
  })

  test('404: what is no product', async () => {
    const nowhere = '00000000-0000-4000-8000-000000000001'
    expectSamplesForm(await assay.call('GET', `${path}/${nowhere}/provenance`), 404, 'NOT_FOUND', 'productId')
  })
})

describe('score history', () => {
  test('200: every score that the product had, newest first, page by page', async () => {
    const { product } = (await assay.call('POST', path, { title: 'Mug', price: 1, sku: 'H-1' })).body
    const scores: number[] = [product.optimizationScore]
    for (const change of [{ brand: 'Lumo' }, { currency: 'EUR' }, { gtin: '4006381333931' }]) {
      const { body } = await assay.call('PATCH', `${path}/${product.id}`, change)
      scores.unshift(body.product.optimizationScore)
    }
    await assay.call('DELETE', `${path}/${product.id}`)
    const back = await assay.call('POST', `${path}/${product.id}/undelete`, {})
    scores.unshift(back.body.product.optimizationScore)
    const history = `${path}/${product.id}/score-history`
    const seen: { run: number; score: number }[] = []
    for (let after = ''; ; ) {
      const { status, body } = await assay.call('GET', `${history}?limit=2${after}`)
      expect(status).toBe(200)
      seen.push(...body.scores)
      if (body.next === null) break
      after = `&after=${body.next}`
    }
    expect(seen.map(({ score }) => score)).toEqual(scores)
    expect(seen.map(({ run }) => run)).toEqual([5, 4, 3, 2, 1])
    expect(seen[0]).toMatchObject({ rubricVersion, weightsNumber: 1, dimensions: { pricing: expect.any(Number) } })
    expectSamplesForm(await assay.call('GET', `${history}?after=x`), 400, 'INVALID_REQUEST', 'after')
  })
})
