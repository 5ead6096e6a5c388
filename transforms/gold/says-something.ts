/** Tells a text that says something from one that only keeps its place: test data, templates and words for nothing. */

/** Met in place of titles and descriptions, in lower case and without the marks at their end. */
const fillers = new Set(
  [
    'test|testing|test product|test title|test description|tbd|tba|todo|n/a|na|n.a|none|null|nil|undefined|-|--|---|?|x|xx|xxx|asdf',
    'title|product title|product name|untitled|new product|product|sample|sample product|sample description|example product|copy',
    'description|product description|no description|no description available|description coming soon|coming soon|placeholder',
    'beschreibung|produktbeschreibung|keine beschreibung|beschreibung folgt|folgt|testprodukt|testartikel',
    'description du produit|sans description|pas de description|description à venir|produit test',
    'descripción|sin descripción|producto de prueba|descrição|sem descrição|produto teste',
    'descrizione|nessuna descrizione|prodotto di prova|beschrijving|geen beschrijving|testproduct',
    'opis|brak opisu|produkt testowy|popis|bez popisu|testovací produkt|описание|нет описания|тест|тестовый товар',
    'テスト|テスト商品|商品説明|说明|测试|测试商品|无|なし',
  ].flatMap((line) => line.split('|')),
)
const longest = 32
const ending = /[\s.…!:]+$/u

const printers = /^\s*lorem ipsum/i
/** Punctuation, lines and signs of arithmetic say nothing; a picture may. */
const anything = /[\p{L}\p{N}\p{So}]/u

export function saysSomething(text: string | null): text is string {
  if (text === null || !anything.test(text) || printers.test(text)) return false
  return text.length > longest || !fillers.has(text.trim().toLowerCase().replace(ending, ''))
}
