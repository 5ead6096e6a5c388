/** The real feeds in XML, and the counts that an independent script wrote of them in words. */
import { readFile } from 'node:fs/promises'
import { realPath } from './expected-figures.ts'

interface XmlCase {
  readonly file: string
  /** What the script calls a row. */
  readonly counts: 'items' | 'offers'
  readonly note: string
}
const google = (file: string, note = "Google's RSS"): XmlCase => ({ file, counts: 'items', note })
const yandex = (file: string): XmlCase => ({ file, counts: 'offers', note: "Yandex's YML" })

export const heureka = 'heureka/heureka-sample.xml'
export const czech = 'google-merchant/cs-importpc-rss.xml'
export const arabic = 'google-merchant/ar-oman-rss.xml'
export const atom = 'google-merchant/atom-variants-example.xml'
export const oneGroup = 'google-merchant/rss-sportmaster.xml'
export const cases: readonly XmlCase[] = [
  google(czech),
  google(arabic),
  google(atom, "Google's Atom"),
  google(oneGroup),
  { file: heureka, counts: 'items', note: "Heureka's feed" },
  yandex('yandex-yml/aliexpress.xml'),
  yandex('yandex-yml/cis-currencies.xml'),
  yandex('yandex-yml/all-not-available.xml'),
  yandex('yandex-yml/emoji.xml'),
  yandex('yandex-yml/products.xml'),
  yandex('yandex-yml/no-name-model.xml'),
]
export const feeds = cases.filter(({ file }) => file !== heureka)

/** "{'RUB': 88}" as the script writes what it counted. */
export function countsIn(file: string, pattern: RegExp, expected: readonly string[]): Record<string, number> {
  const text = expected.map((sentence) => pattern.exec(sentence)?.[1]).find((found) => found !== undefined)
  if (text === undefined) throw new Error(`no sentence of ${file} fits ${pattern}`)
  return Object.fromEntries([...text.matchAll(/'([^']*)': (\d+)/g)].map(([, word = '', n]) => [word, Number(n)]))
}

export async function sentences(file: string): Promise<readonly string[]> {
  const all = JSON.parse(await readFile(realPath('../expected.json'), 'utf8'))
  return all[file].expected
}

export function countBy<T>(list: readonly T[], of: (one: T) => unknown): Record<string, number> {
  const counts: Record<string, number> = {}
  for (const one of list) counts[String(of(one))] = (counts[String(of(one))] ?? 0) + 1
  return counts
}
