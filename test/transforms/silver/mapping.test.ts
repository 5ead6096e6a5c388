import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type Field, fieldNames, fields } from '../../../schemas/product.ts'
import { sampleOf } from '../../../transforms/silver/column-values.ts'
import { mapHeader } from '../../../transforms/silver/mapping.ts'
import { realHeaders } from './real-headers.ts'

const targets = (header: readonly string[]) =>
  Object.fromEntries(Object.entries(mapHeader(header).mapping).map(([column, { field }]) => [column, field]))

test('a price that is an object says its amount and its currency', () => {
  expect(targets(['sku', 'price.value', 'price.currency'])).toMatchObject({
    'price.value': 'price',
    'price.currency': 'currency',
  })
  expect(targets(['sku', 'price.amount', 'price.currencyCode', 'sale_price.amount'])).toMatchObject({
    'price.amount': 'price',
    'price.currencyCode': 'currency',
    'sale_price.amount': 'sale_price',
  })
})

describe('the header of a real file', () => {
  test.each(['shopify', 'shopifyApparel'] as const)(
    '%s gives the variant its own columns and leaves costs alone',
    (file) => {
      expect(mapHeader(realHeaders[file]).platform).toBe('shopify')
      const category = file === 'shopify' ? { 'Custom Product Type': 'category' } : { Type: 'category' }
      expect(targets(realHeaders[file])).toEqual({
        ...category,
        Handle: 'item_group_id',
        Title: 'title',
        'Body (HTML)': 'description',
        Vendor: 'brand',
        Tags: 'tags',
        'Variant SKU': 'sku',
        'Variant Grams': 'weight',
        'Variant Inventory Tracker': 'track_stock',
        'Variant Inventory Qty': 'quantity',
        'Variant Inventory Policy': 'allow_backorder',
        'Variant Price': 'price',
        'Variant Compare At Price': 'original_price',
        'Variant Barcode': 'gtin',
        'Image Src': 'images',
        'Variant Image': 'image',
        'SEO Title': 'seo_title',
        'SEO Description': 'seo_description',
        'Google Shopping / Google Product Category': 'google_product_category',
        'Google Shopping / Gender': 'gender',
        'Google Shopping / Age Group': 'age_group',
        'Google Shopping / MPN': 'mpn',
        'Google Shopping / Condition': 'condition',
      })
    },
  )

  test('WooCommerce has a regular and a sale price, and its external address is no link', () => {
    expect(mapHeader(realHeaders.woocommerce).platform).toBe('woocommerce')
    expect(targets(realHeaders.woocommerce)).toEqual({
      ID: 'source_id',
      SKU: 'sku',
      Name: 'title',
      'Short description': 'short_description',
      Description: 'description',
      'In stock?': 'availability',
      Stock: 'quantity',
      'Backorders allowed?': 'allow_backorder',
      'Weight (kg)': 'weight',
      'Length (cm)': 'length',
      'Width (cm)': 'width',
      'Height (cm)': 'height',
      'Date sale price starts': 'sale_price_start_date',
      'Date sale price ends': 'sale_price_end_date',
      'Sale price': 'sale_price',
      'Regular price': 'price',
      Categories: 'category',
      Tags: 'tags',
      Images: 'images',
    })
  })

  test('Magento takes the base image and no url key', () => {
    expect(mapHeader(realHeaders.magento).platform).toBe('magento')
    expect(targets(realHeaders.magento)).toEqual({
      sku: 'sku',
      categories: 'category',
      name: 'title',
      description: 'description',
      short_description: 'short_description',
      weight: 'weight',
      special_price_from_date: 'sale_price_start_date',
      special_price_to_date: 'sale_price_end_date',
      price: 'price',
      special_price: 'sale_price',
      msrp_price: 'original_price',
      meta_title: 'seo_title',
      meta_description: 'seo_description',
      base_image: 'image',
      additional_images: 'images',
      qty: 'quantity',
      allow_backorders: 'allow_backorder',
      is_in_stock: 'availability',
      manage_stock: 'track_stock',
    })
  })

  test('PrestaShop sells at the price without tax and never at the wholesale price', () => {
    expect(mapHeader(realHeaders.prestashop).platform).toBe('prestashop')
    expect(targets(realHeaders.prestashop)).toEqual({
      'Product ID': 'source_id',
      'Name *': 'title',
      'Categories (x,y,z...)': 'category',
      'Price tax excluded': 'price',
      'Reference #': 'sku',
      Manufacturer: 'brand',
      EAN13: 'gtin',
      MPN: 'mpn',
      Weight: 'weight',
      Width: 'width',
      Height: 'height',
      Depth: 'length',
      'Product available date': 'availability_date',
      'Discount from (yyyy-mm-dd)': 'sale_price_start_date',
      'Discount to (yyyy-mm-dd)': 'sale_price_end_date',
      Quantity: 'quantity',
      Summary: 'short_description',
      Description: 'description',
      'Tags (x,y,z...)': 'tags',
      'Meta title': 'seo_title',
      'Meta description': 'seo_description',
      'Image URLs (x,y,z...)': 'images',
      Condition: 'condition',
    })
  })

  test('Vendure gives facets as tags and the slug as the group', () => {
    expect(mapHeader(realHeaders.vendure).platform).toBe('vendure')
    expect(targets(realHeaders.vendure)).toEqual({
      name: 'title',
      slug: 'item_group_id',
      description: 'description',
      assets: 'images',
      facets: 'tags',
      sku: 'sku',
      price: 'price',
      stockOnHand: 'quantity',
      trackInventory: 'track_stock',
    })
  })

  test('Odoo in two languages: what a thing costs the shop is never its price', () => {
    expect(mapHeader(realHeaders.odoo).platform).toBe('odoo')
    expect(targets(realHeaders.odoo)).toEqual({
      Name: 'title',
      'Internal Reference': 'sku',
      Verkaufspreis: 'price',
      Strichcode: 'gtin',
    })
  })

  test('a scraped list in camel case', () => {
    expect(mapHeader(realHeaders.hm).platform).toBe('generic')
    expect(targets(realHeaders.hm)).toEqual({
      id: 'source_id',
      productName: 'title',
      brandName: 'brand',
      url: 'link',
      price: 'price',
      colorName: 'color',
      productImage: 'images',
    })
  })

  test('a crawled marketplace', () => {
    expect(targets(realHeaders.flipkart)).toEqual({
      uniq_id: 'source_id',
      product_url: 'link',
      product_name: 'title',
      product_category_tree: 'category',
      retail_price: 'price',
      discounted_price: 'sale_price',
      image: 'images',
      description: 'description',
      brand: 'brand',
    })
  })

  test('a Google or Meta feed calls the SKU id', () => {
    expect(mapHeader(realHeaders.meta).platform).toBe('google')
    expect(targets(realHeaders.meta)).toMatchObject({
      id: 'sku',
      image_link: 'image',
      availability: 'availability',
      quantity_to_sell_on_facebook: 'quantity',
      item_group_id: 'item_group_id',
      gtin: 'gtin',
    })
    expect(targets(['g:id', 'title', 'link', 'g:image_link', 'g:price', 'g:availability'])).toMatchObject({
      'g:id': 'sku',
      'g:image_link': 'image',
      'g:price': 'price',
    })
    expect(targets(['id', 'sku', 'title', 'link', 'image_link', 'availability'])).toMatchObject({
      id: 'source_id',
      sku: 'sku',
    })
  })

  test('price lists in Italian, German and Japanese', () => {
    expect(targets(realHeaders.italian)).toEqual({
      Cat: 'category',
      IdProd: 'sku',
      Titolo: 'title',
      Descrizione: 'description',
      Peso: 'weight',
      DataInizioPromo: 'sale_price_start_date',
      DataFinePromo: 'sale_price_end_date',
      Prezzo: 'price',
      Listino: 'original_price',
      Marca: 'brand',
      Disponibilita: 'availability',
      PrezzoPromo: 'sale_price',
      Ean: 'gtin',
      LinkImmagine: 'images',
      ProductID: 'source_id',
    })
    expect(targets(realHeaders.german)).toEqual({
      Artikelnummer: 'sku',
      'Kurzbez.': 'title',
      Warengruppe: 'category',
      Langtext: 'description',
      Farbe: 'color',
      Gewicht: 'weight',
      Abmessungen: 'dimensions',
    })
    expect(targets(realHeaders.rakuten)).toMatchObject({
      '商品管理番号（商品URL）': 'source_id',
      商品番号: 'sku',
      商品名: 'title',
      販売価格: 'price',
      商品画像URL: 'images',
      在庫数: 'quantity',
    })
  })

  test('the workbook of VTEX, whatever stands behind its names', () => {
    const header = [
      '_SkuId (Not changeable)',
      '_SkuName',
      '_SkuEan',
      '_SKUReferenceCode',
      '_ManufacturerCode',
      '_Weight',
    ]
    const more = [
      '_ProductId (Not changeable)',
      '_ProductName (Required)',
      '_ProductShortDescription',
      '_ProductDescription',
    ]
    const last = ['_Keywords', '_SiteTitle', '_MetaTagDescription', '_CategoryName', '_Brand', '_BrandId']
    expect(mapHeader([...header, ...more, ...last]).platform).toBe('vtex sheet')
    expect(targets([...header, ...more, ...last])).toEqual({
      '_SkuId (Not changeable)': 'source_id',
      _SkuEan: 'gtin',
      _SKUReferenceCode: 'sku',
      _ManufacturerCode: 'mpn',
      _Weight: 'weight',
      '_ProductId (Not changeable)': 'item_group_id',
      '_ProductName (Required)': 'title',
      _ProductShortDescription: 'short_description',
      _ProductDescription: 'description',
      _Keywords: 'tags',
      _SiteTitle: 'seo_title',
      _MetaTagDescription: 'seo_description',
      _CategoryName: 'category',
      _Brand: 'brand',
    })
  })

  test('Shopify’s newer template, Odoo by its technical names, Rakuten by its SKUs, and Magento 1', () => {
    const shopify = [
      'Title',
      'URL handle',
      'SKU',
      'Barcode',
      'Option1 value',
      'Price',
      'Compare-at price',
      'Product image URL',
    ]
    expect(targets([...shopify, 'Google Shopping / Manufacturer part number (MPN)'])).toMatchObject({
      SKU: 'sku',
      Barcode: 'gtin',
      'Google Shopping / Manufacturer part number (MPN)': 'mpn',
    })
    expect(
      targets([
        'name',
        'default_code',
        'barcode',
        'list_price',
        'standard_price',
        'categ_id/complete_name',
        'qty_available',
      ]),
    ).toEqual({
      name: 'title',
      default_code: 'sku',
      barcode: 'gtin',
      list_price: 'price',
      'categ_id/complete_name': 'category',
      qty_available: 'quantity',
    })
    expect(
      targets([
        '商品管理番号（商品URL）',
        'SKU管理番号',
        '商品名',
        '通常購入販売価格',
        '表示価格',
        '在庫数',
        'カタログID',
      ]),
    ).toEqual({
      '商品管理番号（商品URL）': 'source_id',
      SKU管理番号: 'sku',
      商品名: 'title',
      通常購入販売価格: 'price',
      表示価格: 'original_price',
      在庫数: 'quantity',
      カタログID: 'gtin',
    })
    expect(
      targets(['sku', '_store', '_attribute_set', '_type', '_category', 'name', 'price', '_media_image', 'qty']),
    ).toEqual({
      sku: 'sku',
      _category: 'category',
      name: 'title',
      price: 'price',
      _media_image: 'images',
      qty: 'quantity',
    })
  })

  test('flights do not look like products', () => {
    expect(mapHeader(realHeaders.flights)).toEqual({ platform: 'flights', mapping: {}, passedOver: new Map() })
  })
})

describe('names', () => {
  test('of our own map to themselves, in snake and camel case', () => {
    const own = targets(fieldNames)
    for (const field of fieldNames) expect(own[field]).toBe(field)
    expect(targets(['salePrice', 'itemGroupId', 'seoTitle', 'googleProductCategory'])).toEqual({
      salePrice: 'sale_price',
      itemGroupId: 'item_group_id',
      seoTitle: 'seo_title',
      googleProductCategory: 'google_product_category',
    })
    expect(targets(['sku', 'assay:options'])).toEqual({ sku: 'sku', 'assay:options': 'options' })
  })

  test.each<[string, string, Field]>([
    ['en', 'Product Name', 'title'],
    ['de', 'Artikel-Nr.', 'sku'],
    ['de', 'Größe', 'size'],
    ['fr', 'Prix de vente', 'price'],
    ['es', 'Código de barras', 'gtin'],
    ['pt', 'Preço promocional', 'sale_price'],
    ['it', 'Disponibilità', 'availability'],
    ['nl', 'Verkoopprijs', 'price'],
    ['pl', 'Dostępność', 'availability'],
    ['pl', 'Zdjęcie', 'images'],
    ['cs', 'Výrobce', 'brand'],
    ['ru', 'Название товара', 'title'],
    ['ja', 'メーカー', 'brand'],
    ['zh', '条形码', 'gtin'],
    ['en', 'Sale price effective date', 'sale_price_effective_date'],
    ['de', 'Verfügbar ab', 'availability_date'],
    ['fr', 'Période de promotion', 'sale_price_effective_date'],
    ['es', 'Fecha de disponibilidad', 'availability_date'],
    ['pt', 'Início da promoção', 'sale_price_start_date'],
    ['it', 'Fine promozione', 'sale_price_end_date'],
    ['nl', 'Gewichtseenheid', 'weight_unit'],
    ['pl', 'Szerokość', 'width'],
    ['cs', 'Rozměry', 'dimensions'],
    ['ru', 'Высота', 'height'],
    ['ja', '内容量', 'unit_pricing_measure'],
    ['zh', '长度', 'length'],
  ])('in %s: %s is a %s', (_language, column, field) => {
    expect(targets([column])).toEqual({ [column]: field })
  })

  test.each<[Field, string]>([
    [
      'gtin',
      'UPC/EAN|EAN/UPC|GTIN-14|GTIN-13|GTIN-12|GTIN-8|ISBN/EAN|EAN/ISBN|EAN-8|GTIN/UPC|UPC/GTIN|EAN (GTIN-13)|Variant Barcode',
    ],
    [
      'quantity',
      'Qty On Hand|On Hand|In Stock Qty|Quantity On Hand|on_hand_qty|QtyOnHand|In-Stock Quantity|QOH|Variant Inventory Qty',
    ],
    ['weight', 'Variant Grams|Grams'],
    ['price', 'Variant Price'],
    ['dimensions', 'Maße|Dimensioner|Boyutlar|Mitat'],
  ])('of a %s in further forms are known: %s', (field, columns) => {
    for (const column of columns.split('|')) expect(targets([column])).toEqual({ [column]: field })
  })

  test('with a sign inside that nobody sees are known', () => {
    for (const column of ['s\u200bku', 's\u00adku', 'sk\ufeffu', '\u2060sku'])
      expect(targets([column])).toEqual({ [column]: 'sku' })
  })

  test('that are one without accents go by their values: Maße or Masse', () => {
    const by = (...cells: string[]) =>
      mapHeader(['Masse'], sampleOf(cells.length, new Map([['Masse', cells]]))).mapping.Masse?.field
    expect(by('12 x 30 x 5 cm', '10 × 20 × 3 cm')).toBe('dimensions')
    expect(by('1,2 kg', '800 g')).toBe('weight')
  })

  test('with a currency, a unit or a number behind them are still known', () => {
    expect(targets(['Price (EUR)', 'Weight [g]', 'Image 1', 'Image 2'])).toEqual({
      'Price (EUR)': 'price',
      'Weight [g]': 'weight',
      'Image 1': 'images',
      'Image 2': 'images',
    })
    const sides = ['Abmessungen (LxBxH)', 'Länge in mm', 'Width (cm)', 'height_in', 'Füllmenge (ml)']
    expect(Object.values(targets(sides))).toEqual(['dimensions', 'length', 'width', 'height', 'unit_pricing_measure'])
    for (const name of ['Dimensions L x W x H (cm)', 'dimensions lxwxh', 'Maße: Abmessungen', 'Dimensions H/W/D'])
      expect(targets([name])).toEqual(name.startsWith('Maße') ? {} : { [name]: 'dimensions' })
    const elsewhere = ['Maße', 'Maße (B x H x T)', 'Dimensioni (L x P x H)', 'Rozměry (š x v x h)', 'Габариты (ДхШхВ)']
    for (const name of elsewhere) expect(targets([name])).toEqual({ [name]: 'dimensions' })
    expect(targets(['Masse (kg)'])).toEqual({ 'Masse (kg)': 'weight' })
    expect(targets(['Masse in cm'])).toEqual({ 'Masse in cm': 'dimensions' })
    expect(targets(['Size FR', 'Flight price', 'Weight cm', 'Dimensions kg'])).toEqual({})
  })

  test.each<[string, Field]>([
    ['Preis in €', 'price'],
    ['€ Preis', 'price'],
    ['Prix € TTC', 'price'],
    ['Cena Kč s DPH', 'price'],
    ['Cena (zł)', 'price'],
    ['Precio en USD', 'price'],
    ['Pris i kr', 'price'],
    ['Цена, руб.', 'price'],
    ['価格（円）', 'price'],
    ['Preço (R$)', 'price'],
    ['priceUSD', 'price'],
    ['UVP in €', 'original_price'],
    ['Aktionspreis €', 'sale_price'],
  ])('with a currency anywhere in them are still known: %s is %s', (name, field) => {
    expect(targets([name])).toEqual({ [name]: field })
  })

  test.each(['€', 'Price EUR/USD', 'price top seller', 'PRICE ALL TAXES'])(
    'that say no one currency of an amount stay raw: %s',
    (name) => {
      expect(targets([name])).toEqual({})
    },
  )

  test.each([
    ['Estado', 'nuevo', 'usado'],
    ['Estado', 'novo', 'seminovo'],
    ['Stav', 'nové', 'použité'],
    ['Stato', 'nuovo', 'usato'],
    ['状态', '全新', '二手'],
  ])('for a state of any kind are the condition where the values are: %s', (name, one, other) => {
    const mapped = (texts: string[]) =>
      mapHeader(['SKU', name], sampleOf(texts.length, new Map([[name, texts]]))).mapping
    const forty = Array.from({ length: 40 }, (_, row) => (row % 3 ? one : other))
    expect(mapped(forty)[name]?.field).toBe('condition')
    expect(mapped(forty.map(() => 'publicado'))[name]).toBeUndefined()
  })

  test('of two for one field, the more telling wins and the other stays raw', () => {
    expect(targets(['Name', 'Product name'])).toEqual({ 'Product name': 'title' })
    expect(targets(['name', 'image', 'images'])).toEqual({ name: 'title', image: 'image', images: 'images' })
  })

  test.each([
    ['price.value', 'price'],
    ['price.amount', 'price'],
    ['Preis.amount', 'price'],
    ['regular_price.value', 'price'],
    ['salePrice.amount', 'sale_price'],
    ['list_price.value', 'original_price'],
    ['sale_price.currencyCode', 'currency'],
    ['title.de', 'title'],
    ['description.pt-BR', 'description'],
    ['weight.value', undefined],
    ['title.id', undefined],
  ])('of members mean what the name of their object does: %s', (name, field) => {
    expect(targets(['sku', name])[name]).toBe(field)
  })

  test('of a text in two languages: the first is taken, and the other told as passed over', () => {
    const { mapping, passedOver } = mapHeader(['sku', 'title.en', 'title.de'])
    expect(mapping['title.en']?.field).toBe('title')
    expect([...passedOver]).toEqual([['title.de', 'title']])
  })

  test('of any kind never give a scalar field twice (KF-05)', () => {
    const anyName = fc.oneof(fc.string(), fc.constantFrom(...Object.values(realHeaders).flat()))
    fc.assert(
      fc.property(fc.uniqueArray(anyName), (header) => {
        const given = Object.values(targets(header)).filter((field) => fields[field] === 'scalar')
        expect(new Set(given).size).toBe(given.length)
      }),
    )
  })
})
