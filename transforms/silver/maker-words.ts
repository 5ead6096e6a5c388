/** Words that stand where a brand, a maker's number or a barcode is missing, in the languages met, folded when they are looked up. */

const list = (...lines: string[]) => lines.join('|')

/** Said of any; eBay writes the first where a product has none. No word that a maker is called by: Altro makes floors. */
export const missingWords = list(
  "does not apply|doesn't apply|not applicable|na|n a|n/a|unknown|not available|not specified|unspecified|to be defined|tbd|tba|other|others",
  'none|null|nil|no data|not set|undefined',
  'nicht zutreffend|nicht verfügbar|nicht vorhanden|unbekannt|keine angabe|keine|ohne|sonstige|entfällt|siehe beschreibung',
  "non applicable|ne s'applique pas|sans objet|inconnu|inconnue|non précisé|non spécifié|aucun|aucune|autre|autres|néant",
  'no aplica|no aplicable|no corresponde|desconocido|desconocida|sin especificar|no especificado|ninguno|ninguna|otro|otros|otra',
  'não aplicável|não se aplica|desconhecido|desconhecida|não especificado|nenhum|nenhuma|outro|outros|outra',
  'non pertinente|non specificato|sconosciuto|sconosciuta|nessuno|nessuna|altri',
  'niet van toepassing|onbekend|niet gespecificeerd|geen|overige|overig',
  'nie dotyczy|nieznany|nieznana|nie podano|brak|inny|inne|inna',
  'netýká se|neuvedeno|neznámý|neznámá|nezadáno|žádný|žádná|ostatní|jiné',
  'не применимо|не применяется|неизвестно|неизвестный|не указан|не указано|не указана|нет|отсутствует|прочее|прочие|другое|другой',
  'ej tillämpligt|ej angivet|inte angivet|okänd|okänt|ikke relevant|ikke angivet|ukendt|ikke aktuelt|ikke oppgitt|ukjent|ei sovellettavissa|tuntematon',
  'uygulanamaz|geçerli değil|belirtilmemiş|bilinmiyor|не застосовується|невідомо|невідомий|не вказано|netýka sa|neuvedené|neznámy',
  '該当なし|不明|なし|無し|未設定|その他|不适用|不適用|未知|无|無|暂无|没有|其他|其它',
)

/** Said of brands alone: a plain product, or a shop's word for one. */
export const noBrandWords = list(
  'generic|unbranded|no brand|nobrand|no name|noname|without brand|brandless|not branded|non branded',
  'ohne marke|keine marke|markenlos|no name produkt|generisch|ohne hersteller|kein hersteller',
  'sans marque|aucune marque|générique|marque inconnue|sin marca|genérico|genérica|marca genérica|marca desconocida',
  'sem marca|marca própria genérica|senza marca|nessuna marca|generico|generica|non di marca',
  'geen merk|zonder merk|merkloos|onbekend merk|bez marki|brak marki|nieoznaczony|bez značky|neznačkový|neznačkové|značka neuvedena',
  'без бренда|нет бренда|бренд не указан|без марки|без торговой марки|noname бренд',
  'märkeslös|utan märke|inget märke|okänt märke|mærkeløs|uden mærke|intet mærke|ukendt mærke|merkeløs|uten merke|ukjent merke|ei merkkiä|merkitön|tuntematon merkki',
  'markasız|markasız ürün|marka yok|bilinmeyen marka|без бренду|немає бренду|neznačkový tovar|márka nélkül|márkátlan|fără marcă|fără brand',
  'ノーブランド|ノーブランド品|ブランドなし|ブランド無し|无品牌|無品牌|无牌|没有品牌|非品牌|白牌',
)

/** What stands before a name where a page's line was copied with its label. */
export const brandLabels = list(
  'brand|brand name|manufacturer|maker|marke|hersteller|marque|fabricant|marca|fabricante|marchio|produttore|merk|fabrikant',
  'marka|producent|značka|výrobce|бренд|марка|производитель|ブランド|メーカー|品牌|牌子|制造商',
)
