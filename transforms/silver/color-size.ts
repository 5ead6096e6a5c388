/** Reads colour and size: text as on the product, but for the words that stand for none, for many colours, or for one size. */
import { wordTable } from './words.ts'

const list = (...lines: string[]) => lines.join('|')

/** Typed where a platform asks for a value that the product has not; Shopify and WooCommerce write the first. */
const none = list(
  'default|default title|n a|na|n/a|none|null|no color|no colour|no size|not applicable|does not apply|not specified|unknown|undefined',
  'keine angabe|nicht zutreffend|unbekannt|keine|ohne farbe|standardtitel|par défaut|sans objet|non applicable|aucune|aucun|inconnu|inconnue',
  'por defecto|no aplica|ninguno|ninguna|sin talla|sin color|desconocido|padrão|não se aplica|nenhum|nenhuma|predefinito|nessuno|nessuna|non applicabile',
  'standaard|niet van toepassing|geen|onbekend|domyślny|domyślna|nie dotyczy|brak|výchozí|netýká se|neuvedeno|bez barvy',
  'по умолчанию|нет|не указан|не указано|не применимо|без цвета|без размера|指定なし|なし|無し|不明|デフォルト|默认|默認|无|無|无尺码|未知',
)

/**
 * Google asks for the colour's own name in the language of the feed, and takes these two words in any: products are compared by
 * them. "Assorted" is left as it is, since it says that the buyer cannot choose.
 */
const colors = wordTable<'multicolor' | 'none'>({
  multicolor: list(
    'multicolor|multicolour|multi color|multi colour|multi|multicolored|multicoloured|multi colored|multi coloured|many colors|rainbow colors',
    'mehrfarbig|bunt|vielfarbig|mehrfärbig|multicolore|multicolores|multi couleur|multi couleurs|multicouleur|multicouleurs|polychrome',
    'multi colores|multicolorido|multicolorida|multicor|multi cores|multi colore|policromo|meerkleurig|veelkleurig|multikleur|multi kleur',
    'wielokolorowy|wielokolorowa|wielokolorowe|wielobarwny|multikolor|vícebarevný|vícebarevná|vícebarevné|různobarevný|různobarevná|mnohobarevný',
    'разноцветный|разноцветная|разноцветное|разноцветные|многоцветный|многоцветная|мультиколор|мультицвет|マルチカラー|マルチ|多色|多色展開|多彩|彩色|杂色',
    'flerfärgad|flerfarget|flerfarvet|monivärinen|çok renkli|viacfarebný|viacfarebná|viacfarebné|різнокольоровий|різнокольорова|багатокольоровий|többszínű',
  ),
  none,
})

const sizes = wordTable<'one size' | 'none'>({
  'one size': list(
    'one size|onesize|1 size|one size fits all|one size fits most|one size only|osfa|osfm|os|o/s|free size|freesize|universal size',
    'einheitsgröße|einheitsgrösse|einheitsgroesse|universalgröße|unigröße|unisize|taille unique|t.u.|tu|taille universelle|talla única|talla unica',
    'tamaño único|única talla|tamanho único|tam. único|tam único|taglia unica|misura unica|eenheidsmaat|één maat|een maat|universele maat',
    'rozmiar uniwersalny|uniwersalny|jeden rozmiar|univerzální velikost|univerzální|jedna velikost|единый размер|один размер|безразмерный|безразмерная',
    'универсальный|универсальный размер|フリーサイズ|フリー|ワンサイズ|均码|均碼|单一尺码|通用尺码|一個尺寸|one size storlek|yksi koko|tek beden',
    'en storlek|én størrelse|én storlek|standart beden|tek ebat|jedna veľkosť|univerzálna veľkosť|один розмір|єдиний розмір|універсальний розмір|egy méret|mărime universală',
  ),
  none,
})

function canonical<T extends string>(words: (text: string) => T | 'none' | undefined) {
  return (text: string): string | null => {
    const known = words(text)
    return known === 'none' ? null : (known ?? text)
  }
}

/** @param text cleaned, as every text is */
export const colorOf = canonical(colors)
export const sizeOf = canonical(sizes)
