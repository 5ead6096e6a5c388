/** What the facts of a product are called in a text about it, in the languages that catalogs mostly come in. */

/** In the order of `factNames`. */
export const factNames = [
  ...['brand', 'color', 'size', 'material', 'pattern', 'gender', 'ageGroup'],
  ...['weight', 'length', 'width', 'height', 'category'],
] as const
export type FactName = (typeof factNames)[number]

const labels: Readonly<Record<string, string>> = {
  en: 'Brand|Colour|Size|Material|Pattern|Gender|Age group|Weight|Length|Width|Height|Category',
  de: 'Marke|Farbe|Größe|Material|Muster|Geschlecht|Altersgruppe|Gewicht|Länge|Breite|Höhe|Kategorie',
  fr: 'Marque|Couleur|Taille|Matière|Motif|Genre|Âge|Poids|Longueur|Largeur|Hauteur|Catégorie',
  es: 'Marca|Color|Talla|Material|Estampado|Género|Edad|Peso|Largo|Ancho|Alto|Categoría',
  pt: 'Marca|Cor|Tamanho|Material|Estampa|Gênero|Faixa etária|Peso|Comprimento|Largura|Altura|Categoria',
  it: 'Marca|Colore|Taglia|Materiale|Fantasia|Genere|Età|Peso|Lunghezza|Larghezza|Altezza|Categoria',
  nl: 'Merk|Kleur|Maat|Materiaal|Patroon|Geslacht|Leeftijd|Gewicht|Lengte|Breedte|Hoogte|Categorie',
  pl: 'Marka|Kolor|Rozmiar|Materiał|Wzór|Płeć|Wiek|Waga|Długość|Szerokość|Wysokość|Kategoria',
  cs: 'Značka|Barva|Velikost|Materiál|Vzor|Pohlaví|Věk|Hmotnost|Délka|Šířka|Výška|Kategorie',
  ru: 'Бренд|Цвет|Размер|Материал|Узор|Пол|Возраст|Вес|Длина|Ширина|Высота|Категория',
  ja: 'ブランド|色|サイズ|素材|柄|性別|対象年齢|重さ|長さ|幅|高さ|カテゴリー',
  zh: '品牌|颜色|尺码|材质|图案|性别|适用年龄|重量|长度|宽度|高度|类别',
}
const tables = new Map(Object.entries(labels).map(([code, words]) => [code, words.split('|')]))

/** @param language of ISO 639-1 @returns null in a language that has no words here: what cannot be named is not said */
export const factLabel = (language: string | null, name: FactName): string | null =>
  (language === null ? undefined : tables.get(language))?.[factNames.indexOf(name)] ?? null
