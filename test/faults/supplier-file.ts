/** A supplier's file of any length whose every row has a result that is known beforehand. */

export interface Expected {
  readonly sku: string
  readonly title: string
  readonly price: string
  readonly gtin: string
}

export interface SupplierFile {
  readonly text: string
  readonly rows: number
  readonly products: readonly Expected[]
  readonly counts: { readonly created: number; readonly duplicate: number; readonly rejected: number }
}

const header = 'sku,ean,title,description,price,currency,stock,image,link,brand,condition'
/** One row in so many is a repeat, a conflict with the row before it, or no row at all. */
const [repeatEvery, conflictEvery, brokenEvery] = [97, 101, 211]
const colours = ['white', 'red', 'green', 'ochre', 'slate']

/**
 * @param edition changes every price
 * @param repeats how often each product comes again: rows count for what is appended at once, products are what costs
 */
export function supplierFile(rows: number, edition = 0, repeats = 0): SupplierFile {
  const lines = [header]
  const products: Expected[] = []
  const counts = { created: 0, duplicate: 0, rejected: 0 }
  for (let i = 0; lines.length <= rows; i++) {
    const product = productAt(i, edition)
    const last = lines.length === rows
    if (!last && i % brokenEvery === 7) {
      lines.push(`${line(i, product)},one,cell,too,many`)
      counts.rejected++
      continue
    }
    if (!last && i % conflictEvery === 11) {
      // The last row of a product counts, those before it are refused.
      lines.push(line(i, { ...product, price: '1.00' }))
      counts.rejected++
    }
    lines.push(line(i, product))
    products.push(product)
    counts.created++
    for (let left = i % repeatEvery === 13 ? repeats + 1 : repeats; left > 0 && lines.length <= rows; left--) {
      lines.push(line(i, product))
      counts.duplicate++
    }
  }
  return { text: `${lines.join('\n')}\n`, rows, products, counts }
}

function productAt(i: number, edition: number): Expected {
  const cents = 100 + ((i * 37 + edition * 11) % 90_000)
  const digits = `952${String(i).padStart(9, '0')}`
  return {
    sku: `F-${String(i).padStart(7, '0')}`,
    title: `Enamel mug ${colours[i % colours.length]} number ${i}`,
    price: `${Math.floor(cents / 100)}.${String(cents % 100).padStart(2, '0')}`,
    gtin: `${digits}${checkDigit(digits)}`,
  }
}

function line(i: number, { sku, title, price, gtin }: Expected): string {
  const words = `A mug of enamel with a ${colours[i % colours.length]} rim that keeps coffee warm for a long while; number ${i}.`
  const site = `https://shop.example.test/${sku}`
  return `${sku},${gtin},${title},"${words}",${price},EUR,${1 + (i % 50)},${site}.jpg,${site},Lumo,new`
}

function checkDigit(digits: string): number {
  let sum = 0
  for (let i = 0; i < digits.length; i++) sum += Number(digits[digits.length - 1 - i]) * (i % 2 === 0 ? 3 : 1)
  return (10 - (sum % 10)) % 10
}
