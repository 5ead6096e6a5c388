/** How often the letters beyond ASCII are met in each language's texts: what tells one reading of a file's bytes from another. */
import type { EncodingName } from './names.ts'

export interface Alphabet {
  /** From the most frequent to the rarest, small letters only; written by hand from the language's everyday words. */
  readonly letters: string
  /** For people, where the name of the table is no good word for it. */
  readonly shown?: string
  /** Most of what its texts have beyond ASCII are signs. */
  readonly signs?: boolean
  /** An alphabet of its own, of which each letter is common: frequencies fall slowly. */
  readonly whole?: boolean
  /** Thousands of characters beyond those that are listed: where a national standard keeps the common ones. */
  readonly rest?: CommonPlane
}

/** What a standard sorts before all others, "level 1"; its pairs of bytes as that encoding has them. */
export interface CommonPlane {
  readonly encoding: EncodingName
  readonly leads: readonly [first: number, last: number]
  readonly firstTrail: number
}

const jis1: CommonPlane = { encoding: 'euc-jp', leads: [0xb0, 0xcf], firstTrail: 0xa1 }
const gb1: CommonPlane = { encoding: 'gb18030', leads: [0xb0, 0xd7], firstTrail: 0xa1 }
const big5One: CommonPlane = { encoding: 'big5', leads: [0xa4, 0xc6], firstTrail: 0x40 }
const ksHangul: CommonPlane = { encoding: 'euc-kr', leads: [0xb0, 0xc8], firstTrail: 0xa1 }

const kana =
  'のいにはとるたしをてがなでれらかすさうもこんまくりよあきけせどそつちえばわやめだじおみろゆほねむげごぶずひふへびぐぬぞぎべざっゃゅょンースルトラアイリクッシフドマグカジタセプロコレバメサニオパテデミキブエビムチャボウホノナポワヤユヨハヒヘモゴガゲズゼダネヌベピペソツケェィァョュ'
/** As cash registers write them. */
const halfKana = 'ﾝﾞｽｰﾄﾗﾙｲｱﾘｯﾟｸｼﾌﾏｶﾀｾﾛｺﾚﾊﾒﾆｻｵﾃﾐｷｴﾋﾑﾁﾎｳﾉﾅﾔﾜﾕﾖﾍﾓｹﾈﾇﾂｿｪｨｧｮｭｬｦｩｫ'
const japanese =
  '日本商品送料無大小用色年月人中車部入気取番号在庫税込円新発売定価格限可能便利対応専製素材表示期間店会社国内外別注文型幅高重量長さ約付後前上下左右方法情報手軽白黒赤青緑紫金銀茶純正電動自転乗輪交換調整安全保証返金代引配達予'
const chinese =
  '的一是不了在人有我他这中大来上个国到说们为子和你地出道也时年得就那要下以生会自着去之过家学对可她里后小么心多天而能好都然没日于起还发成事只作当想看文无开手用主行方又如前所本见经头面公同三已老从动两长品色包装新款男女式件套规格价元码白黑红蓝绿黄灰金银棉质料产型号名称颜尺寸库存类别描述图片重量米厘克升双鞋衣服裤帽机电水食饮茶酒杯壶碗盘铁钢木瓷布皮条高级厂商店订货单库'
const traditional =
  '的一是不了在人有我他這中大來上個國到說們為子和你地出道也時年得就那要下以生會自著去之過家學對可她裡後小麼心多天而能好都然沒日於起還發成事只作當想看文無開手用主行方又如前所本見經頭面公同三已老從動兩長品色包裝新款男女式件套規格價元碼白黑紅藍綠黃灰金銀棉質料產型號名稱顏尺寸庫存類別描述圖片重量米釐克升雙鞋衣服褲帽機電水食飲茶酒杯壺碗盤鐵鋼木瓷布皮條高級廠商店訂貨單庫製陶馬公分組入台灣香港限最特賣優惠免運費洗濕燈椅桌布袋'
const korean =
  '이다는의에하고을를가은지한서도로기사자리나어인시대그해여정아수으일보라부상주전스구게성원제장있만과들연조비동유트선무신소오것모우화마생거용진안미치국세계공방양음물실중경당드레색크기내입할적요했습니품명격매판재고배송료최저특가남녀공용블랙화이트세트신형가죽면소컵접시'

export const alphabets = {
  english: { letters: 'éèñöüçáï', signs: true },
  german: { letters: 'üäößé' },
  french: { letters: 'éèàêçîùâôûïëœ' },
  spanish: { letters: 'óáíéñúü' },
  portuguese: { letters: 'ãçáéóêíõâúàô' },
  italian: { letters: 'àèùòéì' },
  nordic: { letters: 'äåöøæéü', shown: 'a Nordic language' },
  icelandic: { letters: 'áíðöþéóæúý' },
  polish: { letters: 'ąęółżśćńź' },
  czech: { letters: 'íáéěřýčžšůúťňóďäľôŕĺ' },
  hungarian: { letters: 'éáőöóíüúű' },
  romanian: { letters: 'ăîâşţșț' },
  croatian: { letters: 'šžčćđ' },
  turkish: { letters: 'ıişğüçöâ' },
  lithuanian: { letters: 'ėšžųįąčęū' },
  latvian: { letters: 'āīēšļņūģžķč' },
  estonian: { letters: 'äõüöšž' },
  greek: { letters: 'αοιετςσνηυρπκμλτωδγχθφβξζψόάίήέύώϊ', whole: true },
  russian: { letters: 'оеаинтсрвлкмдпуяыьгзбчйхжшюцщэфъё', whole: true },
  ukrainian: { letters: 'оаниівтерслкумдпязьбгйчхжшїцющєфґ', whole: true },
  bulgarian: { letters: 'аеиотнрсвлкдпмзуябгчъщйжцхшюфь', whole: true },
  hebrew: { letters: 'יוהלארתבשמנםדעקחפסטזגצןכךףץ', whole: true },
  arabic: { letters: 'اليمنوتربةعدسفهكقحجشطصخضذثزظغىءئأإآؤپچگک', whole: true },
  thai: { letters: 'านรอกเงมยลวดท่สต้ีปัิ์บคหแจุพช็ขใไโผูำซณะ', whole: true },
  japanese: { letters: kana + japanese + halfKana, whole: true, rest: jis1 },
  registers: { letters: halfKana, shown: 'Japanese', whole: true },
  chinese: { letters: chinese, whole: true, rest: gb1 },
  traditional: { letters: traditional, shown: 'traditional Chinese', whole: true, rest: big5One },
  korean: { letters: korean, whole: true, rest: ksHangul },
} as const satisfies Record<string, Alphabet>

export type Language = keyof typeof alphabets

const western = [
  'english',
  'german',
  'french',
  'spanish',
  'portuguese',
  'italian',
  'nordic',
  'icelandic',
] as const satisfies readonly Language[]
const central = [
  'polish',
  'czech',
  'hungarian',
  'romanian',
  'croatian',
  'german',
] as const satisfies readonly Language[]
const cyrillic = ['russian', 'ukrainian', 'bulgarian'] as const satisfies readonly Language[]

/** What is written in each encoding; the weight is how rarely files come in it, as a power of e. */
export const written: Partial<Record<EncodingName, { readonly in: readonly Language[]; readonly rarity: number }>> = {
  'windows-1252': { in: western, rarity: 0 },
  'windows-1250': { in: central, rarity: 1 },
  'windows-1251': { in: cyrillic, rarity: 1 },
  'windows-1253': { in: ['greek'], rarity: 2 },
  'windows-1254': { in: ['turkish'], rarity: 2 },
  'windows-1255': { in: ['hebrew'], rarity: 2 },
  'windows-1256': { in: ['arabic'], rarity: 2 },
  'windows-1257': { in: ['lithuanian', 'latvian', 'estonian'], rarity: 2 },
  'windows-874': { in: ['thai'], rarity: 2 },
  'iso-8859-15': { in: western, rarity: 3 },
  'iso-8859-2': { in: central, rarity: 2 },
  'iso-8859-5': { in: cyrillic, rarity: 4 },
  'iso-8859-7': { in: ['greek'], rarity: 4 },
  'koi8-r': { in: ['russian', 'bulgarian'], rarity: 3 },
  'koi8-u': { in: ['ukrainian'], rarity: 4 },
  ibm866: { in: ['russian', 'bulgarian'], rarity: 3 },
  macintosh: { in: western, rarity: 4 },
  shift_jis: { in: ['japanese', 'registers'], rarity: 1 },
  gb18030: { in: ['chinese', 'traditional'], rarity: 1 },
  big5: { in: ['traditional'], rarity: 2 },
  'euc-kr': { in: ['korean'], rarity: 1 },
  'euc-jp': { in: ['japanese'], rarity: 3 },
}

/** Signs that stand between words of any language, from the most frequent. */
export const signs = '\u00a0’–°®™“”•€„£©«»…²½³·‘×—µ§¼¾±¡¿ºª†‰›‹¥¢¶¤¬¦¹÷№′″´¨¸ˆ˜‚'
export const wideSigns = '、。・「」（）【】！？：；，～％／＋－　★☆◆●■○※→『』＆〜…×①②③④⑤℃φ㎜㎝㎏￥ァィゥｰ'
