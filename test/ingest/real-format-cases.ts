/** The real files in other encodings and formats than plain CSV, and what was counted in each apart from us. */
import { enough, isLong } from '../enough.ts'
import { expectedPrices, numbersIn, type PriceFigures } from './expected-figures.ts'

interface Expected {
  readonly file: string
  /** What the notes say of how it was read. */
  readonly readAs: RegExp
  readonly read: (file: string) => number
  readonly products: (file: string) => number
  readonly duplicate?: (file: string) => number
  readonly rejected?: number
  readonly prices?: (file: string) => PriceFigures
  /** Its second import tells nothing that those of the others do not. */
  readonly once?: boolean
  /** Five and twelve thousand products: they are imported in the long form of the suite, and read in every run. */
  readonly long?: true
}

const first = (pattern: RegExp) => (file: string) => numbersIn(file, pattern)[0] ?? 0
const led = (encoding: string, readAs: RegExp, once = false): Expected => ({
  file: `pricelists/de-led-catalogue.${encoding}`,
  readAs,
  read: first(/^(\d+) records/),
  products: first(/Artikelnummer (\d+) distinct/),
  once,
})
export const hm = 'hm/products.xlsx'

export const select = 'rakuten/dl-select.sjis.csv'

export const files: readonly Expected[] = [
  led('cp1252.tsv.csv', /^encoding WINDOWS-1252, 9\d % sure: .*"Gehäuse"/),
  led('utf16le.tsv.txt', /^encoding UTF-16LE, with mark$/, enough(true, false)),
  led('utf8bom.tsv.csv', /^encoding UTF-8, with mark$/, enough(true, false)),
  {
    file: 'pricelists/it-distributor.latin1.tsv.csv',
    readAs: /^encoding WINDOWS-1252, 9\d % sure: .* Italian/,
    read: first(/^([\d,]+) records/),
    products: first(/-> ([\d,]+) products/),
    prices: (file) => expectedPrices(file, 'Prezzo'),
  },
  {
    file: 'rakuten/dl-item.sjis.csv',
    readAs: /^encoding SHIFT_JIS \(CP932\), 99 % sure: .* Japanese/,
    read: first(/^([\d,]+) records/),
    products: first(/-> ([\d,]+) products/),
    prices: (file) => expectedPrices(file, '販売価格'),
  },
  {
    file: 'rakuten/item-workbook.xlsx',
    readAs: /^sheet "item" of a workbook.*"ALL" \(choose with sheet=\)$/,
    read: first(/`item` ([\d,]+) records/),
    products: first(/`item` ([\d,]+) records/),
  },
  {
    file: 'openfoodfacts/it-excel-damaged.tsv.csv',
    readAs: /^encoding UTF-8$/,
    read: first(/^([\d,]+) records/),
    products: first(/right result: ([\d,]+) products/),
    duplicate: first(/(\d+) records are exact repeats/),
  },
  {
    file: 'meta-catalog/ru-catalog-products.csv',
    readAs: /^encoding UTF-8$/,
    read: first(/^(\d+) record/),
    products: () => 1,
  },
  {
    file: 'meta-catalog/template-with-comment-line.csv',
    readAs: /^above the header stand "# Required \|/,
    read: first(/^(\d+) record/),
    products: () => 1,
  },
  {
    file: 'vendure/invalid-row-length.csv',
    readAs: /^encoding UTF-8$/,
    read: first(/^(\d+) records/),
    products: () => 2,
    rejected: 1,
  },
  {
    file: hm,
    readAs: /^sheet "Sheet1" of a workbook$/,
    read: first(/^([\d,]+) records/),
    products: first(/-> ([\d,]+) distinct ids/),
    duplicate: first(/(\d+) are exact repeats/),
    once: true,
    long: true,
  },
  {
    file: 'parquet/alko-fi.parquet',
    readAs: /./,
    read: first(/^([\d,]+) rows/),
    products: first(/-> ([\d,]+) products/),
    once: true,
    long: true,
  },
  {
    file: 'ndjson/google-retail-ja.jsonl',
    readAs: /^encoding UTF-8$/,
    read: first(/^([\d,]+) lines/),
    products: first(/-> ([\d,]+) distinct ids/),
    rejected: 1,
  },
]

/** Those that this run imports, and those that it only reads. */
export const importedFiles = files.filter(({ long }) => isLong || !long)
export const onlyRead = files.filter((one) => !importedFiles.includes(one))
