/** Products and queries in eight languages, each pair judged by how the product was made: what it is, in which color, and whether it is the thing, something for it, or only mentions it. */
import { createHash } from 'node:crypto'
import type { RefinedProduct } from '../../../schemas/product.ts'
import { unrefined } from '../../../schemas/product.ts'
import { complete } from '../../schemas/feeds/complete-product.ts'

interface Language {
  readonly code: string
  /** One and several of each thing, in one order in all languages. */
  readonly things: string
  readonly colors: string
  /** Something for the thing, and a text that mentions it: `*` is where it stands. */
  readonly forIt: string
  readonly withIt: string
  readonly about: string
}

const languages: readonly Language[] = [
  {
    ...{ code: 'en', colors: 'black red blue', forIt: 'Cover for *', withIt: 'Goes well with a * in the hall' },
    things:
      'chair/chairs table/tables lamp/lamps shoe/shoes shirt/shirts bicycle/bicycles backpack/backpacks kettle/kettles blanket/blankets mirror/mirrors',
    about: 'Made for the home and for every day, it is light and will be with you for years',
  },
  {
    ...{ code: 'de', colors: 'schwarz rot blau', forIt: 'Hülle für *', withIt: 'Passt gut zu einem * im Flur' },
    things:
      'Stuhl/Stühle Tisch/Tische Lampe/Lampen Schuh/Schuhe Hemd/Hemden Fahrrad/Fahrräder Rucksack/Rucksäcke Wasserkocher/Wasserkocher Decke/Decken Spiegel/Spiegel',
    about: 'Für das Haus und für jeden Tag gemacht, leicht und aus gutem Material',
  },
  {
    ...{ code: 'fr', colors: 'noir rouge bleu', forIt: 'Housse pour *', withIt: 'Va bien avec une * dans l’entrée' },
    things:
      'chaise/chaises bureau/bureaux lampe/lampes chaussure/chaussures chemise/chemises vélo/vélos sac/sacs bouilloire/bouilloires couverture/couvertures miroir/miroirs',
    about: 'Pour la maison et pour tous les jours, est léger et fait pour durer avec vous',
  },
  {
    ...{ code: 'es', colors: 'negro rojo azul', forIt: 'Funda para *', withIt: 'Queda bien con una * en la entrada' },
    things:
      'silla/sillas mesa/mesas lámpara/lámparas zapato/zapatos camisa/camisas bicicleta/bicicletas mochila/mochilas hervidor/hervidores manta/mantas espejo/espejos',
    about: 'Para la casa y para cada día, es muy ligero y está hecho para durar con su familia',
  },
  {
    ...{ code: 'it', colors: 'nero rosso blu', forIt: 'Fodera per *', withIt: 'Sta bene con una * nella sala' },
    things:
      'sedia/sedie tavolo/tavoli lampada/lampade scarpa/scarpe camicia/camicie bicicletta/biciclette zaino/zaini bollitore/bollitori coperta/coperte specchio/specchi',
    about: 'Per la casa e per tutti i giorni, è leggero ed è fatto per durare nel tempo con questa cura',
  },
  {
    ...{ code: 'pl', colors: 'czarny czerwony niebieski', forIt: 'Pokrowiec na *', withIt: 'Pasuje do * w korytarzu' },
    things:
      'krzesło/krzesła stolik/stoliki lampa/lampy but/buty koszula/koszule rower/rowery plecak/plecaki czajnik/czajniki koc/koce lustro/lustra',
    about: 'Do domu i na co dzień, jest lekki oraz wykonany z dbałością dla całej rodziny',
  },
  {
    ...{ code: 'pt', colors: 'preto vermelho azulado', forIt: 'Capa para *', withIt: 'Fica bem com uma * na entrada' },
    things:
      'cadeira/cadeiras escrivaninha/escrivaninhas lâmpada/lâmpadas sapato/sapatos blusa/blusas trotinete/trotinetes bolsa/bolsas chaleira/chaleiras cobertor/cobertores espelho/espelhos',
    about: 'Para a casa e para o dia a dia, é leve e não pesa, feito com muito cuidado para você',
  },
  {
    ...{ code: 'ja', colors: '黒 赤 青', forIt: '*用カバー', withIt: '玄関の*によく合います' },
    things:
      '椅子/椅子 テーブル/テーブル ランプ/ランプ 革靴/革靴 シャツ/シャツ 自転車/自転車 リュック/リュック やかん/やかん 毛布/毛布 手鏡/手鏡',
    about: '毎日の暮らしのために作られた軽くて丈夫な品です',
  },
]

export interface JudgedProduct {
  readonly id: string
  readonly product: RefinedProduct
  readonly of: {
    readonly language: string
    readonly thing: number
    readonly color: number | null
    readonly role: 'itself' | 'for it' | 'with it'
    /** What one that mentions the thing is itself. */
    readonly also?: number
  }
}

export interface JudgedQuery {
  readonly q: string
  readonly kind: string
  readonly language: string
  readonly thing: number
  readonly color: number | null
}

const idOf = (text: string): string => {
  const hex = createHash('sha256').update(text).digest('hex')
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`
}
const makers = ['Aldin', 'Borrel', 'Castan']
const sized = (language: string, thing: number, color: number) =>
  `${(thing + 2) * 10 + color} cm ${language}`.split(' ').slice(0, 2).join(' ')

export function judgedProducts(): JudgedProduct[] {
  return languages.flatMap((language) => {
    const colors = language.colors.split(' ')
    const made = (text: string, description: string, of: Omit<JudgedProduct['of'], 'language'>): JudgedProduct => {
      const key = `${language.code} ${of.thing} ${of.role} ${of.color}`
      const sku = `${language.code.toUpperCase()}-${of.thing}${of.color ?? 'X'}${of.role.length}`
      const product = {
        ...unrefined,
        ...complete,
        title: text,
        description,
        sku,
        gtin: null,
        mpn: null,
        brand: of.color === null ? null : (makers[of.color] ?? null),
        categoryPath: [],
        color: of.color === null ? null : (colors[of.color] ?? null),
      }
      return { id: idOf(key), product, of: { language: language.code, ...of } }
    }
    return language.things.split(' ').flatMap((pair, thing) => {
      const [one = ''] = pair.split('/')
      const itself = colors.map((color, i) =>
        made(`${makers[i]} ${one} ${color} ${sized(language.code, thing, i)}`, language.about, {
          thing,
          color: i,
          role: 'itself',
        }),
      )
      const forIt = made(language.forIt.replace('*', one), language.about, { thing, color: null, role: 'for it' })
      // Another thing, whose text mentions this one.
      const other = (language.things.split(' ')[(thing + 3) % 10] ?? '').split('/')[0] ?? ''
      const withIt = made(
        `${other} classic ${language.code}`,
        `${language.about}. ${language.withIt.replace('*', one)}`,
        { thing, color: null, role: 'with it', also: (thing + 3) % 10 },
      )
      return [...itself, forIt, withIt]
    })
  })
}

const withoutMarks = (text: string) => text.normalize('NFD').replace(/\p{M}/gu, '').replaceAll('ł', 'l')
/** Two letters in the middle change places. */
const mistyped = (word: string) => {
  const at = Math.floor(word.length / 2)
  return word.slice(0, at) + word[at + 1] + word[at] + word.slice(at + 2)
}

export function judgedQueries(): JudgedQuery[] {
  return languages.flatMap(({ code, things, colors }) =>
    things.split(' ').flatMap((pair, thing) => {
      const [one = '', several = ''] = pair.split('/')
      const color = thing % 3
      const colored = colors.split(' ')[color] ?? ''
      const ask = (kind: string, q: string, of: number | null = null): JudgedQuery => ({
        q,
        kind,
        language: code,
        thing,
        color: of,
      })
      const queries = [
        ask('one', one),
        ask('several', several),
        ask('color', `${colored} ${several}`, color),
        ask('maker', `${makers[color]} ${withoutMarks(one).toUpperCase()}`, color),
        ask('measure', `${one} ${sized(code, thing, color).replace(' ', '')}`, color),
      ]
      return code !== 'ja' && one.length > 5 ? [...queries, ask('mistyped', mistyped(one))] : queries
    }),
  )
}

/** 3: what is meant; 1: something for it, or that mentions it. */
export function gradeOf({ of }: JudgedProduct, { language, thing, color }: JudgedQuery): number {
  if (of.language === language && of.also === thing) return color === null ? 3 : 0
  if (of.language !== language || of.thing !== thing) return 0
  if (of.role !== 'itself') return color === null ? 1 : 0
  return color === null || of.color === color ? 3 : 0
}

/** Of the ten first against the best ten there could be. */
export function ndcg(grades: readonly number[], all: readonly number[]): number {
  const sum = (of: readonly number[]) =>
    of.slice(0, 10).reduce((total, grade, i) => total + (2 ** grade - 1) / Math.log2(i + 2), 0)
  return sum(grades) / sum([...all].sort((a, b) => b - a))
}
