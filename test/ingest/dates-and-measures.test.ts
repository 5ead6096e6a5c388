import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Running } from '../running.ts'
import { saveSettings, settled } from '../serving/workspace/pipeline.ts'
import { sharedAssay, workspace } from '../shared-assay.ts'
import { table } from './filled.ts'

let assay: Running
beforeAll(async () => {
  assay = await sharedAssay()
})
afterAll(() => assay.close())

const base = `/api/workspace/${workspace}`
const file = table(
  'Artikelnummer;Titel;Beschreibung;Preis;Währung;Angebotspreis;Aktion von;Aktion bis;Verfügbarkeit;Gewicht in kg;Abmessungen (LxBxH);Füllmenge;Grundpreis Einheit;Link;Bild',
  'K-1;Krug;Ein Krug für den Tisch und die Küche, der mit der Hand gedreht ist;20,00;EUR;15,00;03/12/2026;24/12/2026;Vorbestellung ab 01.12.2026;1,250;12,5 x 30 x 5 cm;750 ml;100 ml;https://shop.example.test/k1;https://cdn.example.test/k1.jpg',
  'K-2;MÃ¼ller-Krug;Ein Krug, der nicht tropft;30,00;EUR;;;;auf Lager;0,5;;;;https://shop.example.test/k2;https://cdn.example.test/k2.jpg',
)

const seen = {
  availability: 'preorder',
  availabilityDate: '2026-12-01',
  salePriceEffectiveDate: '2026-12-03/2026-12-24',
  weight: '1.25 kg',
  length: '12.5 cm',
  width: '30 cm',
  height: '5 cm',
  unitPricingMeasure: '750 ml',
  unitPricingBaseMeasure: '100 ml',
}

test('dates, measures and languages of a file are told in its preview, on its products, in the feed and in its import', async () => {
  const catalog = await assay.newCatalog()
  const preview = await assay.call('POST', `${base}/import/preview?catalog_id=${catalog}`, Buffer.from(file))
  const column = (name: string) => preview.body.preview.columns.find((one: { name: string }) => one.name === name)
  expect(column('Beschreibung').language).toMatchObject({ language: 'de', confidence: expect.any(Number) })
  expect(column('Aktion bis').dates).toMatchObject({ order: 'day first' })
  expect(column('Gewicht in kg').numbers).toMatchObject({ decimal: ',' })
  const dry = await assay.job(preview.body.job.id)
  expect(JSON.stringify(dry.result)).toContain('"language":"de"')

  const { result } = await assay.ingest(catalog, Buffer.from(file))
  // The order of "03/12/2026" is told by no cell of its own column; so the row says that it is in doubt.
  expect(result.warnings).toEqual({ ambiguous_date: 1, mojibake_repaired: 1 })
  const { body } = await assay.call('GET', `${base}/imports/${result.importId}`)
  expect(body.import.context.languages.Beschreibung).toMatchObject({ language: 'de' })
  expect(body.import.context.notes).toContainEqual(
    expect.stringMatching(/^texts of "Beschreibung" are in de, with 0\.\d+ of 1/),
  )

  await saveSettings(assay, { locale: 'de-DE' })
  await settled(assay)
  const [jug, other] = await assay.products(catalog)
  expect([jug, other].find((product) => product?.sku === 'K-1')).toMatchObject(seen)
  expect([jug, other].find((product) => product?.sku === 'K-2')).toMatchObject({
    title: 'Müller-Krug',
    weight: '0.5 kg',
  })

  await assay.publish(catalog)
  const lines = await assay.feed(catalog)
  expect(lines.find(({ id }) => id === 'K-1')).toMatchObject({
    availability_date: '2026-12-01',
    sale_price_effective_date: '2026-12-03T00:00Z/2026-12-24T23:59Z',
    unit_pricing_measure: '750ml',
    product_length: '12.5 cm',
  })
})

test('an export with dates and measures is imported again as unchanged, in any time zone of the workspace', async () => {
  const catalog = await assay.newCatalog()
  await assay.ingest(catalog, Buffer.from(file), { source: 'jugs' })
  await saveSettings(assay, { locale: 'de-DE', time_zone: 'Europe/Berlin' })
  await settled(assay)
  const [product] = await assay.products(catalog, { sku: 'K-1' })
  expect(product).toMatchObject({
    availabilityDate: '2026-12-01T00:00:00+01:00',
    salePriceEffectiveDate: '2026-12-03T00:00:00+01:00/2026-12-24T23:59:59+01:00',
  })
  const { text } = await assay.call('GET', `${base}/catalogs/${catalog}/export?format=csv`)
  const { result } = await assay.ingest(catalog, text)
  expect(result).toMatchObject({ updated: 0, unchanged: 2, warnings: {} })
  const edited = await assay.ingest(catalog, text.replace('12.5 cm', '14 cm'))
  expect(edited.result).toMatchObject({ updated: 1, unchanged: 1 })
  expect(await assay.products(catalog, { sku: 'K-1' })).toMatchObject([
    { ...product, length: '14 cm', updatedAt: expect.any(String) },
  ])
})

test('a column of numbers that no unit is said of is told once, counted, and not on each of its rows', async () => {
  const catalog = await assay.newCatalog()
  const { result } = await assay.ingest(
    catalog,
    table(
      'sku,title,weight,weight_unit,width,dimensions,height',
      'U-1,Mug,2,,0,12 x 30 x 5,30 cm',
      'U-2,Jug,"3,5",,10,10 x 20 x 30,20',
      'U-3,Jar,n/a,,"1 200",,10 cm',
    ),
  )
  expect(result.warnings).toEqual({ unit_missing: 2 + 2 + 2 + 1 })
  expect(result.notes).toEqual(
    expect.arrayContaining([
      expect.stringMatching(/^"weight" has no unit in any of its 2 numbers/),
      expect.stringMatching(/^"width" has no unit in any of its 2 numbers/),
      expect.stringMatching(/^"dimensions" has no unit in any of its 2 numbers/),
    ]),
  )
  // Its neighbours say centimetres, and this one nothing.
  const rows = await assay.rows(result.importId)
  expect(rows.filter(({ code }) => code)).toMatchObject([
    { row: 2, code: 'unit_missing', raw: '20', result: 'created' },
  ])
  const { body } = await assay.call('GET', `${base}/imports/${result.importId}/rows?result=created`)
  expect(body.rows.map(({ row }: { row: number }) => row)).toEqual([1, 2, 3])
  const jug = (await assay.products(catalog)).find(({ sku }) => sku === 'U-2')
  expect(jug).toMatchObject({ weight: '3.5', width: '10', height: '20' })
})

test('a number without a unit in a file that says units in a column beside it is told on its row', async () => {
  const catalog = await assay.newCatalog()
  const file = table('sku,title,weight,weight_unit', 'V-1,Mug,2,kg', 'V-2,Jug,3,')
  const { result } = await assay.ingest(catalog, file)
  expect(result.warnings).toEqual({ unit_missing: 1 })
  expect((await assay.rows(result.importId)).filter(({ code }) => code)).toMatchObject([{ row: 2, raw: '3' }])
})
