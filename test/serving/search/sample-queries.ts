/** Queries over catalogs as merchants have them, each with what it means: our own sample judged by what its products say of themselves, collected ones by their titles. */
import type { RefinedProduct } from '../../../schemas/product.ts'

export interface SampleQuery {
  readonly q: string
  readonly kind: string
  readonly isMeant: (product: RefinedProduct) => boolean
}

const lower = (text: string | null) => (text ?? '').toLowerCase()
const leafOf = ({ categoryPath }: RefinedProduct) => lower(categoryPath.at(-1) ?? null)
const singular = (words: string) => words.replace(/s$/, '')

/** Of the products, the value that most have. */
function usual(products: readonly RefinedProduct[], of: (product: RefinedProduct) => string | null): string {
  const counts = new Map<string, number>()
  for (const value of products.map(of)) if (value) counts.set(value, (counts.get(value) ?? 0) + 1)
  return [...counts].sort(([a, n], [b, m]) => m - n || (a < b ? -1 : 1))[0]?.[0] ?? ''
}

/** Two letters in the middle change places. */
function mistyped(words: string): string {
  const at = Math.floor(words.length / 2)
  return words.slice(0, at) + words[at + 1] + words[at] + words.slice(at + 2)
}

/** By category, color, material, brand and number, as the products have them. */
export function ownQueries(products: readonly RefinedProduct[]): SampleQuery[] {
  const leaves = [...new Set(products.map(leafOf))].filter((leaf) => leaf !== '' && leaf !== 'garden').sort()
  const ofLeaves = leaves.flatMap((leaf): SampleQuery[] => {
    const isOne = (p: RefinedProduct) => leafOf(p) === leaf || lower(p.title).includes(singular(leaf))
    const own = products.filter((p) => leafOf(p) === leaf)
    const [color, material] = [lower(usual(own, (p) => p.color)), lower(usual(own, (p) => p.material))]
    const [brand, size] = [usual(own, (p) => p.brand), lower(usual(own, (p) => p.size))]
    const has = (p: RefinedProduct, word: string) =>
      [p.color, p.material, p.size, p.title].some((text) => lower(text).includes(word))
    const [first = ''] = leaf.split(' ')
    return [
      { q: leaf, kind: 'category', isMeant: isOne },
      { q: singular(leaf).toUpperCase(), kind: 'singular', isMeant: isOne },
      { q: `${color} ${singular(leaf)}`, kind: 'color', isMeant: (p) => isOne(p) && has(p, color) },
      { q: `${singular(leaf)} ${material}`, kind: 'material', isMeant: (p) => isOne(p) && has(p, material) },
      { q: `${singular(leaf)} ${size.replace(' ', '')}`, kind: 'measure', isMeant: (p) => isOne(p) && has(p, size) },
      { q: `${brand} ${leaf}`, kind: 'brand', isMeant: (p) => isOne(p) && p.brand === brand },
      ...(first.length > 6 ? [{ q: leaf.replace(first, mistyped(first)), kind: 'mistyped', isMeant: isOne }] : []),
    ]
  })
  const skus = products.flatMap(({ sku }) => sku ?? []).sort()
  const numbers = skus.filter((_, i) => i % Math.ceil(skus.length / 20) === 0)
  return [
    ...ofLeaves,
    ...numbers.map((sku) => ({ q: sku.toLowerCase(), kind: 'number', isMeant: (p: RefinedProduct) => p.sku === sku })),
  ]
}

const titled = (language: string, queries: readonly (readonly [string, RegExp])[]): SampleQuery[] =>
  queries.map(([q, title]) => ({ q, kind: language, isMeant: (p) => title.test(p.title ?? '') }))

/** By the collected file that they are asked of; whoever wrote them read its titles. */
export const collectedQueries: Readonly<Record<string, readonly SampleQuery[]>> = {
  'ndjson/google-retail-ja.jsonl': titled('ja', [
    ['パーカー', /パーカー/],
    ['ジップ パーカー', /ジップ.*パーカー/],
    ['トート', /トート/],
    ['マグ', /マグ/],
    ['ボトル ブラック', /ボトル.*ブラック/],
    ['ステッカー', /ステッカー/],
    ['サングラス', /サングラス/],
    ['ユース パーカー', /ユース.*パーカー/],
    ['ジャケット ブラック', /ジャケット.*ブラック/],
    ['レインコート', /レインコート/],
    ['キャンパス マグ', /キャンパス.*マグ/],
    ['段ボール', /段ボール/],
  ]),
  'yandex-yml/aliexpress.xml': titled('ru', [
    ['футболка', /футболк/i],
    ['ФУТБОЛКИ женские', /женск.*футболк/i],
    ['чехол для samsung', /чехол.*samsung/i],
    ['брошь', /брошь/i],
    ['серьги', /сер[её]г|серьг/i],
    ['чехлы', /чех[ое]?л/i],
    ['лампы светодиодные', /светодиодная лампа/i],
    ['детская шляпа', /детская.*шляпа/i],
    ['женские рюкзаки', /женский рюкзак/i],
    ['кабель hdmi', /кабель.*hdmi/i],
    ['рыболовная приманка', /рыболовная приманка/i],
    ['кожаный ремешок', /ремешок.*кожан|кожан.*ремеш/i],
    ['xiaomi redmi 10c', /redmi 10c/i],
    ['аккумулятор 3,7 В', /аккумулятор/i],
    ['кисти для макияжа', /кист.*макияж/i],
    ['аккумулятро', /аккумулятор/i],
  ]),
  'google-merchant/ar-oman-rss.xml': titled('ar', [
    ['مكواة', /مكواة/],
    ['مكواة الشعر', /مكواة.*الشعر/],
    ['ساعة رولكس', /ساعة.*رولكس/],
    ['ممسحة', /ممسحة/],
    ['مبخرة', /مبخرة/],
    ['مرآة سيارة', /مرآة.*سيارة/],
    ['شاحن سيارة', /شاحن.*سيارة/],
    ['شاحن سريع', /شاحن سريع/],
    ['جهاز تدليك', /جهاز.*تدليك/],
  ]),
}
