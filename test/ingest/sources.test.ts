import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Ledger, Running } from '../running.ts'
import { sharedAssay, workspace } from '../shared-assay.ts'
import { type Story, telling } from './story.ts'

let assay: Running
beforeAll(async () => {
  assay = await sharedAssay()
})
afterAll(() => assay.close())

const tells = (tell: (story: Story) => Promise<void>) => telling(() => assay, tell)
const gtin = '4006381333931'

/** One supplier knows the product by SKU and GTIN, another by GTIN alone and with columns of its own; people edit it. */
const factory = (title: string, price = '10.00') =>
  `sku,ean,title,price,currency,brand\nLU-1,${gtin},${title},${price},EUR,Lumo\n`
const trader = (title: string, price = '12.00') =>
  `Barcode;Product Name;Retail Price;Colour;Condition\n${gtin};${title};${price} EUR;Blue;new\n`

/** Each says a title and a price, and something that nobody else says. */
const steps = {
  factory: (story: Story) => story.ingest(factory('Mug of the factory')),
  trader: (story: Story) => story.ingest(trader('Mug of the trader')),
  async edit(story: Story) {
    const said = { title: 'Mug as edited', price: 14, currency: 'EUR', category_path: ['Kitchen', 'Mugs'] }
    if ((await story.products()).length > 0) await story.patch(said)
    else expect((await story.create({ ...said, sku: 'LU-1', gtin })).status).toBe(201)
  },
}
type Step = keyof typeof steps
const lastSays = {
  factory: { title: 'Mug of the factory', price: 10 },
  trader: { title: 'Mug of the trader', price: 12 },
  edit: { title: 'Mug as edited', price: 14 },
}
const orders: [Step, Step, Step][] = [
  ['factory', 'trader', 'edit'],
  ['factory', 'edit', 'trader'],
  ['trader', 'factory', 'edit'],
  ['trader', 'edit', 'factory'],
  ['edit', 'factory', 'trader'],
  ['edit', 'trader', 'factory'],
]

describe.concurrent('a supplier with SKU and GTIN, one with the GTIN alone, and edits', () => {
  for (const order of orders) {
    const tell = async (story: Story) => {
      for (const step of order) await steps[step](story)
      const whole = {
        ...lastSays[order[2]],
        sku: 'LU-1',
        gtin,
        currency: 'EUR',
        brand: 'Lumo',
        color: 'Blue',
        condition: 'new',
        categoryPath: ['Kitchen', 'Mugs'],
      }
      expect(await story.only()).toMatchObject(whole)

      // An unchanged file changes nothing, whoever spoke last.
      const earlier = order[0] === 'edit' ? order[1] : order[0]
      expect(await steps[earlier](story)).toMatchObject({ created: 0, updated: 0, unchanged: 1 })
      expect(await story.only()).toMatchObject(whole)

      // One that changed a cell changes that field alone.
      expect(await story.ingest(factory('Mug no. 2'))).toMatchObject({ updated: 1, unchanged: 0 })
      expect(await story.only()).toMatchObject({ ...whole, title: 'Mug no. 2' })
    }
    test(`in the order ${order.join(', ')} are one product: the newest change wins, everybody adds`, tells(tell))
  }
})

describe.concurrent('a source', () => {
  test(
    'leaves an edit alone until its file itself changes that cell',
    tells(async (story) => {
      await story.ingest(factory('Mug'))
      await story.patch({ title: 'Mug as edited', brand: null })
      await story.ingest(factory('Mug'))
      await story.ingest(factory('Mug', '11.00'))
      expect(await story.only()).toMatchObject({ title: 'Mug as edited', brand: null, price: 11 })
      await story.ingest(factory('Mug no. 2', '11.00'))
      expect(await story.only()).toMatchObject({ title: 'Mug no. 2', brand: null, price: 11 })
    }),
  )

  test(
    'says nothing with a blank cell or an absent column, and clears with __CLEAR__',
    tells(async (story) => {
      await story.ingest(factory('Mug'))
      await story.ingest('sku,ean,title,price,currency,brand\nLU-1,,Mug,,EUR,__CLEAR__\n')
      expect(await story.only()).toMatchObject({ gtin, price: 10, brand: null })
      await story.ingest('sku,title,price,currency\nLU-1,Mug,10.00,EUR\n')
      expect(await story.only()).toMatchObject({ gtin, price: 10, brand: null })
    }),
  )

  test(
    'is the one that the caller names',
    tells(async (story) => {
      const result = await story.ingest(factory('Mug'), { source: 'Lumo GmbH' })
      const { source, notes } = await sourceOf(result)
      expect(source).toBe('file:Lumo GmbH')
      expect(notes).toContain('source Lumo GmbH: named by the caller')
      expect(result.notes).toEqual(notes)
    }),
  )

  test(
    'is named by its sorted header where it is new, and else the one whose header is nearest',
    tells(async (story) => {
      const first = await sourceOf(await story.ingest(factory('Mug')))
      expect(first.source).toMatch(/^file:[0-9a-f]{12}$/)
      const shuffled = `brand,currency,price,title,ean,sku\nLumo,EUR,10,Mug,${gtin},LU-1\n`
      expect((await sourceOf(await story.ingest(shuffled))).source).toBe(first.source)
      const wider = `sku,ean,title,price,currency,brand,weight\nLU-1,${gtin},Mug,10,EUR,Lumo,300 g\n`
      const { source, notes } = await sourceOf(await story.ingest(wider))
      expect(source).toBe(first.source)
      expect(notes.join()).toContain('its header shares 85 % with this file')
      expect((await sourceOf(await story.ingest(trader('Mug')))).source).not.toBe(first.source)
      await story.only()
    }),
  )

  test(
    'that could be one of two equally near is asked for (400), and nothing was read',
    tells(async (story) => {
      const file = (price: number) => `sku,title,price,currency\nLU-1,Mug,${price},EUR\n`
      await story.ingest(file(10), { source: 'one' })
      await story.ingest(file(10), { source: 'two' })
      const path = `/api/workspace/${workspace}/datasets/ingest?catalog_id=${story.catalog}`
      const answer = await assay.call('POST', path, Buffer.from(file(11)))
      expect(answer.status).toBe(400)
      expect(answer.body.details).toMatchObject({ message: expect.stringMatching(/one and two equally well.*source=/) })
      expect(await story.only()).toMatchObject({ price: 10 })
      await story.ingest(file(11), { source: 'one' })
      expect(await story.only()).toMatchObject({ price: 11 })
    }),
  )
})

test(
  'two creates without any identifier are two products, and two with one are one',
  tells(async (story) => {
    const said = { title: 'Mug', price: 10, currency: 'EUR' }
    for (const _ of [1, 2]) expect((await story.create(said)).status).toBe(201)
    expect(await story.products()).toHaveLength(2)
    expect((await story.create({ ...said, gtin })).status).toBe(201)
    expect((await story.create({ ...said, gtin })).status).toBe(409)
    expect(await story.products()).toHaveLength(3)
  }),
)

async function sourceOf({ importId }: Ledger): Promise<{ source: string; notes: string[] }> {
  const { rows } = await assay.system.catalog.pipeline.query<{ source: string; notes: string[] }>(
    `select i.source, c.body -> 'notes' as notes from import i join import_context c using (context_id) where import_id = $1`,
    [importId],
  )
  return rows[0] ?? { source: '', notes: [] }
}
