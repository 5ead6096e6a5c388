/** Units of measure, each with the words for it: abbreviations, names in our languages, and the codes of UCUM and of UN/ECE 20, which GS1 uses. */
import { foldName } from './fold-name.ts'
import { wordTable } from './words.ts'

export type Quantity = 'weight' | 'length' | 'volume' | 'area' | 'count'

const list = (...lines: string[]) => lines.join('|')

/** Our codes are those of Google's unit pricing (G-dig), and mg, t, mm, dl beside them. */
const words = {
  weight: {
    mg: 'mgm|milligram|milligrams|milligramm|milligramme|miligramo|miligramos|milligrammo|miligrama|мг|миллиграмм|毫克',
    g: list(
      'grm|gr|gram|grams|gramm|gramme|grammes|gramo|gramos|grammo|grammi|grama|gramas|gramy|gramow|gramů',
      'г|гр|грамм|граммов|グラム|克',
    ),
    kg: list(
      'kgm|kgs|kilo|kilos|kilogram|kilograms|kilogramm|kilogramme|kilogrammes|kilogramo|kilogramos|chilogrammo|chilogrammi',
      'quilograma|quilogramas|kilogramy|kilogramů|кг|килограмм|キログラム|キロ|千克|公斤',
    ),
    t: 'tne|tonne|tonnes|metric ton|tonnen|tonelada|toneladas|tonnellata|tonnellate|tona|tuna|тонна|トン|吨',
    oz: list(
      'onz|oz_av|ounce|ounces|unze|unzen|once|onces|onza|onzas|oncia|once|onça|onças|ons|uncja|uncje|unce',
      'унция|унции|オンス|盎司',
    ),
    lb: list(
      'lbr|lbs|lb_av|pound|pounds|livre|livres|libra|libras|libbra|libbre|funt|funty|libry|фунт|фунта|фунтов',
      'ポンド|磅',
    ),
  },
  length: {
    mm: 'mmt|millimeter|millimeters|millimetre|millimetres|millimètre|milímetro|milímetros|millimetro|millimetri|milimetr|мм|миллиметр|ミリ|毫米',
    cm: 'cmt|centimeter|centimeters|centimetre|centimetres|zentimeter|centimètre|centimètres|centímetro|centímetros|centimetro|centimetri|centymetr|centimetr|см|сантиметр|センチ|厘米|公分',
    m: 'mtr|meter|meters|metre|metres|mètre|mètres|metro|metros|metri|metr|metry|м|метр|метра|метров|メートル|米',
    in: list(
      'inh|in_i|inch|inches|"|″|”|zoll|pouce|pouces|pulgada|pulgadas|pollice|pollici|polegada|polegadas',
      'cal|cale|palec|palce|дюйм|дюйма|дюймов|インチ|英寸|吋',
    ),
    ft: "fot|ft_i|foot|feet|'|′|fuss|fuß|pied|pieds|pie|pies|piede|piedi|pé|pés|voet|stopa|stopy|фут|фута|футов|フィート|英尺",
    yd: 'yrd|yd_i|yard|yards|yarda|yardas|iarda|jarda|ярд|ヤード|码',
  },
  volume: {
    ml: 'mlt|milliliter|milliliters|millilitre|millilitres|mililitro|mililitros|millilitro|millilitri|mililitr|мл|миллилитр|ミリリットル|毫升',
    cl: 'clt|centiliter|centilitre|centilitres|zentiliter|centilitro|centilitri|centylitr|centilitr|сл|厘升',
    dl: 'dlt|deciliter|decilitre|deziliter|décilitre|decilitro|decilitri|decylitr|decilitr|дл|分升',
    l: 'ltr|liter|liters|litre|litres|litro|litros|litri|litr|litry|litrů|л|литр|литра|литров|リットル|升',
    floz: 'oza|fl oz|fl. oz|fluid ounce|fluid ounces|foz_us|液体オンス|液盎司',
    pt: 'ptl|pint|pints|pt_us|pinte|pinta|пинта|品脱',
    qt: 'qtl|quart|quarts|qt_us',
    gal: 'gll|gallon|gallons|gal_us|gallone|galón|gallone|galão|galon|галлон|ガロン|加仑',
    cbm: list(
      'mtq|m3|m³|m^3|cu m|cu. m|cu.m|cubic meter|cubic meters|cubic metre|cubic metres|kubikmeter|mètre cube|mètres cubes',
      'metro cúbico|metros cúbicos|metro cubo|metri cubi|kubieke meter|metr sześcienny|metr krychlový|м3|куб м|куб. м|куб.м|кубический метр|立方米',
    ),
  },
  area: {
    sqm: list(
      'mtk|m2|m²|m^2|qm|sq m|sq. m|sq.m|sq mt|sq mtr|square meter|square meters|square metre|square metres|quadratmeter|mètre carré|mètres carrés',
      'metro cuadrado|metros cuadrados|metro quadro|metri quadri|metri quadrati|mq|metro quadrado|metros quadrados|vierkante meter|metr kwadratowy|metry kwadratowe',
      'metr čtvereční|kvm|kvadratmeter|neliömetri|metrekare|м2|кв м|кв. м|кв.м|квадратный метр|квадратных метров|平方米|平米|平方メートル',
    ),
    sqft: 'ftk|ft2|ft²|ft^2|sft_i|square foot|square feet|sq ft|sq. ft|sq.ft|sq feet|pied carré|pieds carrés|pie cuadrado|pies cuadrados|平方英尺',
  },
  count: {
    ct: list(
      'h87|c62|ea|each|count|pc|pcs|piece|pieces|unit|units|stück|stk|st|pièce|pièces|unité|unités|pieza|piezas|unidad|unidades',
      'pezzo|pezzi|unità|peça|peças|unidade|stuk|stuks|sztuka|sztuk|szt|kus|kusy|kusů|ks|шт|штука|штук|個|枚|本|入|个|件|片',
    ),
  },
} as const satisfies Record<Quantity, Record<string, string>>

const quantities = new Map<string, Quantity>(
  Object.entries(words).flatMap(([quantity, units]) => Object.keys(units).map((unit) => [unit, quantity as Quantity])),
)
const named = wordTable<string>(Object.assign({}, ...Object.values(words)) as Record<string, string>)

/** What a unit of ours measures. */
export const quantityOf = (unit: string): Quantity | undefined => quantities.get(unit)

/** The unit that a word, an abbreviation or a code stands for, where it measures one of these. */
export function unitOf(word: string, wanted: readonly Quantity[]): string | null {
  const unit = named(word) ?? named(word.replace(/^\[|\]$|\.$/g, ''))
  const quantity = unit === undefined ? undefined : quantities.get(unit)
  return unit !== undefined && quantity !== undefined && wanted.includes(quantity) ? unit : null
}

const most = 1_000
const byColumn = new Map<string, string | null>()

/** The unit that a column's name says for all its cells: `Weight (kg)`, `Länge in mm`, `Variant Grams`. */
export function unitOfColumn(column: string, quantity: Quantity): string | null {
  const key = `${quantity}:${column}`
  const known = byColumn.get(key)
  if (known !== undefined) return known
  if (byColumn.size >= most) byColumn.clear()
  const names = foldName(column).split(' ')
  // A preposition, but where nothing follows it.
  const last = names.findLast((name, at) => (name !== 'in' || at === names.length - 1) && unitOf(name, [quantity]))
  const unit = last === undefined ? null : unitOf(last, [quantity])
  byColumn.set(key, unit)
  return unit
}
