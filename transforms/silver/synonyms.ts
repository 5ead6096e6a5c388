/** Column names met in suppliers' files, per field, in order of preference: the first that a header has gives the field. */
import type { Field } from '../../schemas/product.ts'

/** Names stand between bars; case, accents, camel case and marks make no difference. One line a language, English first. */
export const synonyms: Readonly<Partial<Record<Field, readonly string[]>>> = {
  sku: [
    'sku | product sku | variant sku | article number | item number | item no | item code | product code | product number | stock code',
    'artikelnummer | artikelnr | artikel nr | art nr | bestellnummer | produktnummer',
    'référence | reference produit | code article | referencia | código | código de artículo | codice articolo | codice prodotto',
    'código do produto | referência | numer katalogowy | kod produktu | indeks | katalogové číslo | kód produktu | kód zboží',
    'артикул | код товара | 商品番号 | 商品コード | 品番 | 货号 | 商品编码 | 商品编号 | artikkelnummer | artikelkod | numero',
    'reference | ref | code | codice | kod | id prod',
  ],
  source_id: [
    'id | product id | item id | source id | uniq id | unique id | uid | produkt id | artikel id | id produit | id producto',
    'id prodotto | id produto | product ID | id produktu | идентификатор | 商品id | 产品id | pid',
  ],
  gtin: [
    'gtin | ean | ean13 | ean 13 | gtin13 | gtin14 | upc | barcode | bar code | ean code | isbn | jan | gtin ean | ean upc | ean gtin',
    'strichcode | ean code | code barres | code à barres | código de barras | codice a barre | codice ean | streepjescode',
    'kod kreskowy | kod ean | čárový kód | ean kód | штрихкод | штрих код | janコード | バーコード | 条形码 | 条码',
  ],
  mpn: [
    'mpn | manufacturer part number | part number | model number | manufacturer number | vendor code | mfr part number',
    'herstellernummer | hersteller artikelnummer | référence fabricant | referencia fabricante | codice produttore',
    'referência do fabricante | fabrikantnummer | kod producenta | kód výrobce | код производителя | メーカー型番 | 型番 | 型号',
  ],
  brand: [
    'brand | brand name | brands | manufacturer | vendor | maker | marke | hersteller | markenname',
    'marca | fabricante | marque | fabricant | marchio | produttore | merk | fabrikant | marka | producent | značka | výrobce',
    'бренд | марка | производитель | ブランド | メーカー | 品牌 | 制造商 | märke | tillverkare | valmistaja | mærke',
  ],
  title: [
    'title | product name | product title | item name | item title | name | product',
    'produktname | artikelname | titel | produkttitel | produktbezeichnung | artikelbezeichnung | bezeichnung | kurzbezeichnung | kurzbez',
    'nom du produit | nom produit | titre | nom | libellé | désignation | nombre del producto | nombre producto | título | nombre',
    'nome prodotto | nome del prodotto | titolo | nome | nome do produto | nome produto | productnaam | naam | nazwa produktu | nazwa',
    'název produktu | název | название товара | название | наименование | наименование товара | 商品名 | 製品名 | 商品名称 | 产品名称',
    '商品标题 | 标题 | 名称 | produktnamn | namn | navn | nimi | tuotenimi',
  ],
  description: [
    'description | long description | product description | full description | body html | body | details',
    'beschreibung | produktbeschreibung | artikelbeschreibung | langbeschreibung | langtext | description longue | description produit',
    'descripción | descripción larga | descrizione | descrizione prodotto | descrizione lunga | descrição | descrição do produto',
    'omschrijving | productomschrijving | beschrijving | opis | opis produktu | popis | popis produktu | dlouhý popis',
    'описание | описание товара | 商品説明 | 商品説明文 | 説明 | 描述 | 商品描述 | 产品描述 | beskrivning | beskrivelse | kuvaus',
  ],
  short_description: [
    'short description | summary | excerpt | kurzbeschreibung | kurztext | description courte | résumé | descripción corta | resumen',
    'descrizione breve | descrição curta | resumo | korte omschrijving | samenvatting | krótki opis | krátký popis | краткое описание',
    '短い説明 | キャッチコピー | 简介 | 短描述',
  ],
  link: [
    'link | url | product url | product link | page url | deeplink | deep link | permalink | uri | web link | landing page',
    'produktlink | produkt url | artikel url | lien | lien produit | url produit | enlace | url del producto | collegamento | url prodotto',
    'link do produto | url do produto | productlink | adres url | odkaz | ссылка | url товара | 商品url | 商品ページurl | 链接 | 商品链接',
  ],
  price: [
    'price | regular price | selling price | sales price | unit price | retail price | price incl vat | price gross | our price',
    'preis | verkaufspreis | vk preis | bruttopreis | vk brutto | endpreis | prix | prix de vente | prix ttc | prix unitaire',
    'precio | precio de venta | pvp | precio venta | prezzo | prezzo di vendita | prezzo vendita | preço | preço de venda | valor',
    'prijs | verkoopprijs | cena | cena brutto | cena sprzedaży | cena s dph | prodejní cena | цена | стоимость | 価格 | 販売価格',
    '値段 | 价格 | 售价 | 单价 | 销售价 | pris | hinta | price info price',
  ],
  sale_price: [
    'sale price | special price | discounted price | discount price | promo price | promotional price | offer price | reduced price',
    'angebotspreis | aktionspreis | sonderpreis | rabattpreis | prix promo | prix soldé | prix promotionnel | prix remisé',
    'precio de oferta | precio oferta | precio rebajado | prezzo promo | prezzo scontato | prezzo offerta | preço promocional | preço de oferta',
    'actieprijs | aanbiedingsprijs | cena promocyjna | akční cena | cena po slevě | цена со скидкой | акционная цена | セール価格 | 特価',
    '促销价 | 特价 | 折扣价 | tarjoushinta | kampanjpris',
  ],
  original_price: [
    'original price | compare at price | list price | old price | was price | rrp | msrp | recommended retail price | price info original price',
    'uvp | listenpreis | alter preis | streichpreis | prix barré | prix conseillé | ancien prix | precio original | precio anterior | precio antes',
    'prezzo di listino | prezzo listino | listino | prezzo originale | preço original | preço de | adviesprijs | oude prijs | van prijs',
    'cena katalogowa | stara cena | cena regularna | původní cena | běžná cena | старая цена | цена без скидки | 定価 | 通常価格 | 表示価格 | 原价 | 市场价',
  ],
  sale_price_effective_date: [
    'sale price effective date | sale price dates | sale dates | sale period | promotion period | aktionszeitraum | angebotszeitraum',
    'période de promotion | période promo | periodo de oferta | período de oferta | periodo promozione | período promocional | actieperiode',
    'okres promocji | doba akce | период акции | セール期間 | 促销期 | 促销时间',
  ],
  sale_price_start_date: [
    'sale price start date | sale start date | sale start | sale from | special price from date | special price from | promotion start',
    'date sale price starts | discount from | aktion von | aktion ab | aktionsbeginn | date début promo | début de la promotion',
    'fecha inicio oferta | inicio de la oferta | data inizio promo | inizio promozione | início da promoção | startdatum actie',
    'promocja od | data rozpoczęcia promocji | akce od | začátek akce | начало акции | セール開始日 | 促销开始时间 | 促销开始日期',
  ],
  sale_price_end_date: [
    'sale price end date | sale end date | sale end | sale to | special price to date | special price to | promotion end',
    'date sale price ends | discount to | aktion bis | aktionsende | date fin promo | fin de la promotion',
    'fecha fin oferta | fin de la oferta | data fine promo | fine promozione | fim da promoção | einddatum actie',
    'promocja do | data zakończenia promocji | akce do | konec akce | конец акции | セール終了日 | 促销结束时间 | 促销结束日期',
  ],
  unit_pricing_measure: [
    'unit pricing measure | unit price measure | net content | grundpreis menge | nettoinhalt | füllmenge | contenu net | contenance',
    'contenido neto | contenuto netto | conteúdo líquido | netto inhoud | zawartość netto | čistý obsah | объем нетто | 内容量 | 净含量',
  ],
  unit_pricing_base_measure: [
    'unit pricing base measure | unit price base measure | unit price base | grundpreis einheit | grundpreis basis | grundeinheit',
    'unité de prix | unidad de precio | unità di prezzo | unidade de preço | prijseenheid | jednostka ceny | jednotková množství',
    'базовая единица цены | 単価単位 | 单价单位',
  ],
  currency: [
    'currency | currency code | price currency | currency id | price info currency code | währung | devise | monnaie | moneda | divisa',
    'valuta | moeda | waluta | měna | валюта | 通貨 | 货币 | 币种',
  ],
  availability: [
    'availability | stock status | stock availability | in stock | instock | is in stock | available | availability status | stock state',
    'verfügbarkeit | verfügbar | lieferbarkeit | lieferstatus | lagerstatus | disponibilité | en stock | état du stock | disponibilidad',
    'en existencia | estado de stock | disponibilità | disponibile | disponibilidade | disponível | beschikbaarheid | op voorraad',
    'dostępność | dostępny | dostupnost | skladem | наличие | в наличии | доступность | 在庫状況 | 在庫有無 | 库存状态 | 是否有货 | saatavuus',
  ],
  availability_date: [
    'availability date | available from | available date | available on | product available date | preorder date | restock date | ships from date',
    'verfügbar ab | lieferbar ab | verfügbarkeitsdatum | date de disponibilité | disponible à partir du | disponible le',
    'fecha de disponibilidad | disponible desde | disponible a partir de | data di disponibilità | disponibile dal | data de disponibilidade',
    'disponível a partir de | beschikbaar vanaf | leverbaar vanaf | data dostępności | dostępny od | datum dostupnosti | dostupné od',
    'дата доступности | доступен с | дата поступления | 入荷予定日 | 予約商品発売日 | 到货日期 | 上市日期',
  ],
  expiration_date: [
    'expiration date | offer expiration date | offer valid until | listing end date | angebot gültig bis | angebotsende',
    'offre valable jusqu au | date de fin de l offre | oferta válida hasta | offerta valida fino al | oferta válida até',
    'aanbod geldig tot | oferta ważna do | nabídka platí do | предложение действует до | 掲載終了日 | 下架时间',
  ],
  quantity: [
    'quantity | qty | stock quantity | quantity in stock | stock qty | stock on hand | inventory quantity | inventory | stock level | stock',
    'bestand | lagerbestand | lagermenge | menge | quantité | quantité en stock | cantidad | existencias | quantità | giacenza',
    'quantidade | estoque | aantal | voorraad | ilość | stan magazynowy | stan | množství | počet kusů | počet | stav skladu',
    'количество | остаток | остатки | кол во | 在庫数 | 数量 | 在庫 | 库存 | 库存数量 | varastosaldo | lagersaldo',
  ],
  track_stock: [
    'track stock | track inventory | manage stock | inventory tracker | lagerbestand verfolgen | suivre le stock | controlar inventario',
    'gestisci magazzino | gerenciar estoque | voorraad beheren | zarządzaj stanem | sledovat sklad | учитывать остатки | 在庫管理 | 库存跟踪',
  ],
  allow_backorder: [
    'allow backorder | allow backorders | backorders allowed | backorder | backorders | inventory policy | lieferrückstand erlaubt',
    'autoriser les commandes en rupture | permitir pedidos pendientes | consenti ordini arretrati | permitir encomendas | nabestellen toestaan',
  ],
  condition: [
    'condition | item condition | product condition | zustand | artikelzustand | état | état du produit | condición | estado del producto',
    'condizione | condizioni | condição | estado do produto | staat | conditie | stan produktu | stav zboží | состояние | 商品の状態 | 状態 | 新旧程度',
  ],
  category: [
    'category | category path | categories | product category | product type | category tree | product category tree | category name | main category',
    'kategorie | kategorien | warengruppe | produktkategorie | produktgruppe | artikelgruppe | catégorie | catégories | catégorie produit',
    'categoría | categorías | categoria | categorie | categoria prodotto | categoria do produto | productcategorie | productgroep',
    'kategoria | kategorie produktu | kategorie zboží | категория | раздел | категории | カテゴリ | カテゴリー | 商品カテゴリ',
    '类别 | 分类 | 商品分类 | 类目 | kategori | tyyppi | tuoteryhmä | department | cat',
  ],
  google_product_category: [
    'google product category | google category | google kategorie | google taxonomy | product category google',
  ],
  image: [
    'main image | primary image | base image | hauptbild | image principale | imagen principal | immagine principale | imagem principal',
  ],
  images: [
    'images | image | image url | image urls | image link | image links | image src | product image | product images | product image url',
    'additional images | additional image link | additional image links | picture | pictures | picture url | photo | photos | photo url | img | img url',
    'imgurl | gallery | bild | bilder | bild url | bildurl | bildlink | produktbild | produktbilder | artikelbild | url image | lien image | photo produit',
    'imagen | imágenes | url de imagen | url imagen | foto | fotos | immagine | immagini | link immagine | url immagine | imagem | imagens',
    'url da imagem | afbeelding | afbeeldingen | afbeelding url | zdjęcie | zdjęcia | url zdjęcia | obrázek | obrázky | url obrázku',
    'изображение | изображения | фото | картинка | ссылка на фото | 画像 | 商品画像 | 画像url | 商品画像url | 图片 | 主图 | 图片链接 | 商品图片 | kuva | kuvat',
  ],
  item_group_id: [
    'item group id | group id | parent sku | parent id | variant group | product group id | style number | style id | model id',
    'elternartikel | vaterartikel | variantengruppe | id groupe | sku padre | id de grupo | sku parent | sku pai | groep id | id grupy | id skupiny',
    'группа | グループid | 款号 | 父sku',
  ],
  color: [
    'color | colour | color name | colour name | farbe | farbname | couleur | color del producto | colore | cor | kleur | kolor | barva | цвет',
    'カラー | 色 | 颜色 | färg | farve | väri',
  ],
  size: [
    'size | size name | product size | größe | grösse | konfektionsgröße | taille | pointure | talla | tamaño | taglia | misura | tamanho',
    'maat | rozmiar | velikost | размер | サイズ | 尺码 | 尺寸 | storlek | størrelse | koko',
  ],
  material: [
    'material | materials | fabric | materialien | matière | matériau | materiale | tessuto | materiaal | materiał | materiál | материал | 素材 | 材質 | 材质',
  ],
  pattern: [
    'pattern | muster | motif | estampado | fantasia | padrão | patroon | wzór | vzor | узор | рисунок | 柄 | 图案',
  ],
  gender: [
    'gender | sex | target gender | geschlecht | genre | sexe | género | sexo | genere | sesso | gênero | geslacht | płeć | pohlaví | пол | 性別 | 性别',
  ],
  age_group: [
    'age group | altersgruppe | tranche d âge | groupe d âge | grupo de edad | fascia di età | faixa etária | leeftijdsgroep | grupa wiekowa | věková skupina | возрастная группа | 年齢層 | 年龄段',
  ],
  weight: [
    'weight | product weight | item weight | shipping weight | net weight | gross weight | gewicht | nettogewicht | bruttogewicht | poids | peso',
    'peso netto | peso líquido | waga | hmotnost | váha | вес | 重量 | 重さ | 毛重 | vikt | vægt | paino',
  ],
  weight_unit: [
    'weight unit | unit of weight | item weight unit | product weight unit | variant weight unit | gewichtseinheit | einheit gewicht',
    'unité de poids | unidad de peso | unità di peso | unidade de peso | gewichtseenheid | jednostka wagi | jednotka hmotnosti',
    'единица веса | 重量単位 | 重量单位',
  ],
  dimensions: [
    'dimensions | product dimensions | item dimensions | measurements | size l x w x h | abmessungen | produktabmessungen | produktmaße | artikelmaße',
    'dimensions du produit | dimensions produit | dimensiones | medidas | dimensioni | misure | dimensões | medidas do produto | afmetingen',
    'wymiary | wymiary produktu | rozměry | rozměry produktu | размеры товара | габариты | 寸法 | 外形寸法 | 商品尺寸 | 外形尺寸',
  ],
  dimensions_unit: [
    'dimensions unit | dimension unit | size unit | length unit | maßeinheit abmessungen | längeneinheit | unité de dimension',
    'unidad de medida de dimensiones | unità di misura dimensioni | unidade de dimensão | afmetingseenheid | jednostka wymiarów | jednotka rozměrů',
    'единица размеров | 寸法単位 | 尺寸单位',
  ],
  length: [
    'length | product length | item length | depth | product depth | dimensions length | dimensions depth | länge | tiefe | longueur | profondeur',
    'largo | longitud | fondo | profundidad | lunghezza | profondità | comprimento | profundidade | lengte | diepte',
    'długość | głębokość | délka | hloubka | длина | глубина | 奥行 | 奥行き | 長さ | 长度 | 深度',
  ],
  width: [
    'width | product width | item width | dimensions width | breite | largeur | ancho | anchura | larghezza | largura | breedte',
    'szerokość | šířka | ширина | 幅 | 宽度',
  ],
  height: [
    'height | product height | item height | dimensions height | höhe | hauteur | alto | altura | altezza | hoogte',
    'wysokość | výška | высота | 高さ | 高度',
  ],
  seo_title: [
    'seo title | meta title | page title | titre seo | meta titel | seo titel | titre méta | título seo | titolo seo | meta titolo',
  ],
  seo_description: [
    'seo description | meta description | meta beschreibung | seo beschreibung | description seo | descripción seo | meta descrizione | meta descrição',
  ],
  tags: [
    'tags | tag | keywords | labels | schlagworte | schlagwörter | stichworte | mots clés | étiquettes | etiquetas | palabras clave | etichette | palavras chave | trefwoorden | tagi | słowa kluczowe | štítky | теги | метки | タグ | 标签',
  ],
  attributes: ['attributes | additional attributes json | eigenschaften json'],
}
