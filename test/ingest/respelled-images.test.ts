import { expect, test } from 'vitest'
import type { PresentProduct } from '../../ingest/edit-rows.ts'
import type { Resolution } from '../../ingest/identity.ts'
import { respelledImages } from '../../ingest/respelled-images.ts'
import type { CellValue, ImportContext } from '../../schemas/pipeline.ts'

const mapping = {
  image_link: { field: 'image', reason: '' },
  additional_image_link: { field: 'images', reason: '' },
  title: { field: 'title', reason: '' },
} as unknown as ImportContext['mapping']
const own = ['a', 'b', 'c'].map((name) => `https://cdn.example.test/w_1,h_1/${name}.jpg`)
const encoded = own.map((address) => address.replace(',', '%2C'))
const present = async () => new Map([['p', { product: { images: own } } as unknown as PresentProduct]])

async function respelled(cells: Record<string, CellValue>) {
  const found = [{ product: 'p', fresh: false, candidate: { cells } }]
  const resolution = { found } as unknown as Resolution
  const [one] = (await respelledImages({ mapping }, present)(resolution)).found
  return one?.candidate.cells
}

test('addresses that a feed wrote with %2C come back as the product has them, one, in a text or in a list', async () => {
  const cells = { image_link: encoded[0] ?? '', title: 'A%2CB' }
  const rest = encoded.slice(1)
  const whole = { image_link: own[0], title: 'A%2CB', additional_image_link: own.slice(1) }
  expect(await respelled({ ...cells, additional_image_link: rest.join(',') })).toEqual(whole)
  expect(await respelled({ ...cells, additional_image_link: rest })).toEqual(whole)
})

test('an image that is left out or new stays an edit', async () => {
  const other = 'https://cdn.example.test/w_9%2Ch_9/d.jpg'
  expect(await respelled({ additional_image_link: `${encoded[1]},${other}` })).toEqual({
    additional_image_link: [own[1], other],
  })
  expect(await respelled({ image_link: other })).toEqual({ image_link: other })
})
