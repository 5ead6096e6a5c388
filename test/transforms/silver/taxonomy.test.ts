import { readFile } from 'node:fs/promises'
import { describe, expect, test } from 'vitest'
import { suggester } from '../../../transforms/silver/suggest-category.ts'
import { readTaxonomy, type Taxonomy } from '../../../transforms/silver/taxonomy.ts'
import { overShared, realPath, sharedIsThere } from '../../ingest/expected-figures.ts'

const english = [
  '# Google_Product_Taxonomy_Version: 2021-09-21',
  '536 - Home & Garden',
  '696 - Home & Garden > Decor',
  '602 - Home & Garden > Decor > Vases',
  '2169 - Home & Garden > Kitchen & Dining > Tableware > Drinkware > Mugs',
  '',
].join('\n')
const german = ['# Google_Product_Taxonomy_Version: 2015-02-19', '602 - Heim & Garten > Dekoration > Vasen'].join(
  '\r\n',
)

describe('a taxonomy', () => {
  const taxonomy = readTaxonomy([english, german])

  test('is asked by id, or by a path in any of its languages, however it is written', () => {
    const vases = { id: '602', path: ['Home & Garden', 'Decor', 'Vases'] }
    for (const asked of [
      '602',
      ' 602 ',
      'Home & Garden > Decor > Vases',
      'home & garden>DÉCOR >vases',
      'Heim & Garten > Dekoration > Vasen',
    ])
      expect(taxonomy.find(asked)).toEqual(vases)
  })

  test('knows nothing of an id or a path that it does not have', () => {
    for (const asked of ['603', 'Vases', 'Home & Garden > Vases', '']) expect(taxonomy.find(asked)).toBeNull()
  })

  test('says the version of each file', () => {
    expect(taxonomy.versions).toEqual(['2021-09-21', '2015-02-19'])
  })

  test('is refused with the line that is none of it', () => {
    expect(() => readTaxonomy([`${english}Home & Garden > Lamps`])).toThrow(/^line 6 is no line of a taxonomy/)
  })
})

const real = test.runIf(sharedIsThere)
const files = ['google-product-taxonomy.en-US.2021-09-21.txt', 'google-product-taxonomy.de-DE.2015-02-19.txt']
let read: Taxonomy | undefined
const realTaxonomy = async () => {
  read ??= readTaxonomy(await Promise.all(files.map((file) => readFile(realPath(`reference/${file}`), 'utf8'))))
  return read
}

real(
  overShared("Google's files are read whole: each id once, and all of the German ones are among the English"),
  async () => {
    const taxonomy = await realTaxonomy()
    expect(taxonomy.entries).toHaveLength(5_595)
    expect(taxonomy.entries.filter(({ id }) => taxonomy.pathsOf(id).length === 2)).toHaveLength(5_427)
    expect(Math.max(...taxonomy.entries.map(({ path }) => path.length))).toBe(7)
  },
)

real.each([
  [['Kitchen', 'Mugs'], '2169'],
  [['Home & Garden', 'Home Décor', 'Vases'], '602'],
  [['Clothing', 'Tops', 'T-Shirts'], '212'],
  [['Electronics', 'Headphones'], '543626'],
  [['Damen', 'Kleider'], '2271'],
  [['Beleuchtung', 'Deckenleuchten'], '2524'],
  [['Wohnen', 'Teppiche'], '598'],
])(overShared('for %j the first suggestion is %s'), async (path, id) => {
  const [first] = suggester(await realTaxonomy())(path, 3)
  expect(first?.id).toBe(id)
  expect(first?.confidence).toBeLessThan(1)
})

real(
  overShared('a path of the taxonomy itself is suggested with certainty, and nothing for words that it does not have'),
  async () => {
    const suggest = suggester(await realTaxonomy())
    expect(suggest(['Bekleidung & Accessoires', 'Schmuck', 'Ringe'], 3)).toMatchObject([{ id: '200', confidence: 1 }])
    expect(suggest(['Zzyzx', 'Qwrty'], 3)).toEqual([])
  },
)
