/** The tests of what real files are worth, beside whatever else is promised of them: each was imported for that, and need not be again. */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { overShared, sharedIsThere } from './expected-figures.ts'
import type { Graded } from './real-scores.ts'

const real = test.skipIf(!sharedIsThere)
const withinMs = 300_000

/** Of each file that has products below 40: what it does not say of them. No workspace fills anything here. */
const reasons: Readonly<Record<string, string>> = {
  'odoo/product-template-de.csv': 'a parts list: no descriptions, images or stock, and 30 of 32 prices are blank',
  'openfoodfacts/it-excel-damaged.tsv.csv': 'a database of foods: no prices, no stock, often no descriptions',
  'parquet/alko-fi.parquet': 'a price list without images, stock, descriptions and currency',
  'pricelists/de-led-catalogue.cp1252.tsv.csv': 'a catalogue of types: no prices, images and stock',
  'pricelists/de-led-catalogue.utf16le.tsv.txt': 'the same list',
  'pricelists/de-led-catalogue.utf8bom.tsv.csv': 'the same list',
  'rakuten/dl-item.sjis.csv': 'no SKU, category or stock word stands in it, and 19 have hardly any text',
  'rakuten/dl-select.sjis.csv': 'options alone: titles, texts, images and prices are in the file of products',
  'rakuten/item-workbook.xlsx': 'as dl-item, without images',
  'shopify/pt-br-export.csv': 'a draft that was begun: PRODUTO 1 has no text, no image and a price of 0',
}

/** What was begun and never finished, in a shop that is well-formed otherwise. */
const draft = 'shopify/pt-br-export.csv'
const shops = /^(shopify|woocommerce|magento|prestashop|vendure|hm)\//

/** @param leftOut what a run does not import stays as it was reviewed @param snapshot file of what was reviewed; a change of silver or of the rubric: run with -u, and read what moved and why */
export function areWorthWhatWasReviewed(
  snapshot: string,
  files: readonly string[],
  grade: (file: string) => Promise<Graded>,
  leftOut: readonly string[] = [],
): void {
  let graded: Promise<Graded[]> | undefined
  const all = () => {
    graded ??= oneByOne([...files].sort(), grade)
    return graded
  }

  real(overShared('every one of these files is worth what was reviewed'), { timeout: withinMs }, async () => {
    const found = (await all()).map(({ file, line }) => `${file}\n  ${line.replaceAll(' | ', '\n  ')}\n`)
    const text = [...found, ...(await reviewed(snapshot, leftOut))].sort().join('\n')
    await expect(text).toMatchFileSnapshot(snapshot)
  })

  real(
    overShared('no product scores below 40 for a fault of ours: each file that has some lacks what they lack'),
    { timeout: withinMs },
    async () => {
      const found = (await all()).flatMap(({ file, below }) => (below.length > 0 ? file : []))
      expect(found).toEqual(
        Object.keys(reasons)
          .filter((file) => files.includes(file))
          .sort(),
      )
    },
  )

  real(overShared('a well-formed shop has no such product but a draft'), { timeout: withinMs }, async () => {
    const found = (await all()).filter(({ file }) => shops.test(file)).flatMap(({ below }) => below)
    const drafts = [expect.stringMatching(/^PRODUTO 1 \d+: without description, image/)]
    expect(found).toEqual(files.includes(draft) ? drafts : [])
  })
}

/** What stands there of these files. */
async function reviewed(snapshot: string, files: readonly string[]): Promise<string[]> {
  const all = (await readFile(join(import.meta.dirname, snapshot), 'utf8')).split(/\n(?=\S)/)
  return all.filter((one) => files.includes(one.slice(0, one.indexOf('\n'))))
}

async function oneByOne(files: readonly string[], grade: (file: string) => Promise<Graded>): Promise<Graded[]> {
  const graded: Graded[] = []
  for (const file of files) graded.push(await grade(file))
  return graded
}
