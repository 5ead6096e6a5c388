/** What an independent script found in the real files beside the project: its figures, read from its own sentences. */
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

const folder = join(import.meta.dirname, '../../../shared/data')

/** Tests over ../shared run where it is laid beside the project, and say so where it is not. */
export const sharedIsThere = existsSync(folder)
export const overShared = (promise: string) =>
  sharedIsThere ? promise : `${promise} — skipped: ../shared is not beside the project`

export const realPath = (file: string) => join(folder, 'real', file)

interface Entry {
  readonly metrics: Readonly<Record<string, unknown>>
  readonly expected: readonly string[]
}

const entries: Readonly<Record<string, Entry>> = sharedIsThere
  ? JSON.parse(readFileSync(join(folder, 'expected.json'), 'utf8'))
  : {}

function entryOf(file: string): Entry {
  const entry = entries[file]
  if (!entry) throw new Error(`nothing is expected of ${file}`)
  return entry
}

/** @throws where the file has no such metric: a figure that is not there must not pass for 0 */
export function metric(file: string, name: string): number {
  const value = entryOf(file).metrics[name]
  if (typeof value !== 'number') throw new Error(`${file} has no metric ${name}`)
  return value
}

/** The numbers that the pattern's groups catch in the first sentence that it fits. */
export function numbersIn(file: string, pattern: RegExp): number[] {
  for (const sentence of entryOf(file).expected) {
    const found = pattern.exec(sentence)
    if (found) return found.slice(1).map((text) => Number(text.replaceAll(',', '')))
  }
  throw new Error(`no sentence of ${file} fits ${pattern}`)
}

/** Prices of a file; money in hundredths, so that no sum is a float's. */
export interface PriceFigures {
  readonly numeric: number
  readonly zero: number
  readonly min: bigint
  readonly max: bigint
  readonly sum: bigint
}

export function hundredths(amount: string | number): bigint {
  const [whole = '', fraction = ''] = String(amount).split('.')
  if (!/^\d+$/.test(whole) || !/^\d{0,2}$/.test(fraction)) throw new Error(`${amount} is no amount in hundredths`)
  return BigInt(whole + fraction.padEnd(2, '0'))
}

/** What the script says of one price column. */
export function expectedPrices(file: string, column: string): PriceFigures {
  const start = `${column}: forms `
  const sentence = entryOf(file).expected.find((one) => one.startsWith(start)) ?? ''
  const found = /numeric (\d+), zero (\d+), min ([\d.]+), max ([\d.]+), sum ([\d.]+)/.exec(sentence)
  if (!found) throw new Error(`${file} says nothing of the column ${column}`)
  const [, numeric = '', zero = '', min = '', max = '', sum = ''] = found
  return {
    numeric: Number(numeric),
    zero: Number(zero),
    min: hundredths(min),
    max: hundredths(max),
    sum: hundredths(sum),
  }
}

export function priceFigures(amounts: readonly (number | null)[]): PriceFigures {
  const prices = amounts.flatMap((amount) => (amount === null ? [] : [hundredths(amount)]))
  const sorted = prices.toSorted((a, b) => (a < b ? -1 : 1))
  return {
    numeric: prices.length,
    zero: prices.filter((price) => price === 0n).length,
    min: sorted[0] ?? 0n,
    max: sorted.at(-1) ?? 0n,
    sum: prices.reduce((sum, price) => sum + price, 0n),
  }
}
