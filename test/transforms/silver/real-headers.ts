/** Headers of real files, trimmed and each name once, as mapHeader is given them. */

const names = (lines: string) => lines.trim().replace(/\s+/g, ' ').split(' | ')

export const realHeaders = {
  shopify: names(`
    Handle | Title | Body (HTML) | Vendor | Standardized Product Type | Custom Product Type | Tags | Published |
    Option1 Name | Option1 Value | Option2 Name | Option2 Value | Option3 Name | Option3 Value | Variant SKU |
    Variant Grams | Variant Inventory Tracker | Variant Inventory Qty | Variant Inventory Policy | Variant
    Fulfillment Service | Variant Price | Variant Compare At Price | Variant Requires Shipping | Variant Taxable |
    Variant Barcode | Image Src | Image Position | Image Alt Text | Gift Card | SEO Title | SEO Description |
    Google Shopping / Google Product Category | Google Shopping / Gender | Google Shopping / Age Group | Google
    Shopping / MPN | Google Shopping / AdWords Grouping | Google Shopping / AdWords Labels | Google Shopping /
    Condition | Google Shopping / Custom Product | Google Shopping / Custom Label 0 | Google Shopping / Custom
    Label 1 | Google Shopping / Custom Label 2 | Google Shopping / Custom Label 3 | Google Shopping / Custom Label
    4 | Variant Image | Variant Weight Unit | Variant Tax Code | Cost per item | Status`),
  woocommerce: names(`
    ID | Type | SKU | Name | Published | Is featured? | Visibility in catalog | Short description | Description |
    Date sale price starts | Date sale price ends | Tax status | Tax class | In stock? | Stock | Low stock amount
    | Backorders allowed? | Sold individually? | Weight (kg) | Length (cm) | Width (cm) | Height (cm) | Allow
    customer reviews? | Purchase note | Sale price | Regular price | Categories | Tags | Shipping class | Images |
    Download limit | Download expiry days | Parent | Grouped products | Upsells | Cross-sells | External URL |
    Button text | Position | Attribute 1 name | Attribute 1 value(s) | Attribute 1 visible | Attribute 1 global |
    Attribute 2 name | Attribute 2 value(s) | Attribute 2 visible | Attribute 2 global | Meta: _wpcom_is_markdown
    | Attribute 1 default | Attribute 2 default | Download 1 name | Download 1 URL | Download 2 name | Download 2
    URL | Meta: _generate-sidebar-layout-meta`),
  magento: names(`
    sku | store_view_code | attribute_set_code | product_type | categories | product_websites | name | description
    | short_description | weight | product_online | tax_class_name | visibility | price | special_price |
    special_price_from_date | special_price_to_date | url_key | meta_title | meta_keywords | meta_description |
    base_image | base_image_label | small_image | small_image_label | thumbnail_image | thumbnail_image_label |
    created_at | updated_at | new_from_date | new_to_date | display_product_options_in | map_price | msrp_price |
    map_enabled | gift_message_available | custom_design | custom_design_from | custom_design_to |
    custom_layout_update | page_layout | product_options_container | msrp_display_actual_price_type |
    country_of_manufacture | additional_attributes | qty | out_of_stock_qty | use_config_min_qty | is_qty_decimal
    | allow_backorders | use_config_backorders | min_cart_qty | use_config_min_sale_qty | max_cart_qty |
    use_config_max_sale_qty | is_in_stock | notify_on_stock_below | use_config_notify_stock_qty | manage_stock |
    use_config_manage_stock | use_config_qty_increments | qty_increments | use_config_enable_qty_inc |
    enable_qty_increments | is_decimal_divided | website_id | configurable_variations |
    configurable_variation_prices | configurable_variation_labels | additional_images`),
  vendure: names(`
    name | slug | description | assets | facets | optionGroups | optionValues | sku | price | taxCategory |
    stockOnHand | trackInventory | variantAssets | variantFacets`),
  prestashop: names(`
    Product ID | Active (0/1) | Name * | Categories (x,y,z...) | Price tax excluded | Tax rules ID | Wholesale
    price | On sale (0/1) | Discount amount | Discount percent | Discount from (yyyy-mm-dd) | Discount to
    (yyyy-mm-dd) | Reference # | Supplier reference # | Supplier | Manufacturer | EAN13 | UPC | MPN | Ecotax |
    Width | Height | Depth | Weight | Delivery time of in-stock products | Delivery time of out-of-stock products
    with allowed orders | Quantity | Minimal quantity | Low stock level | Send me an email when the quantity is
    under this level | Visibility | Additional shipping cost | Unity | Unit price | Summary | Description | Tags
    (x,y,z...) | Meta title | Meta keywords | Meta description | URL rewritten | Text when in stock | Text when
    backorder allowed | Available for order (0 = No, 1 = Yes) | Product available date | Product creation date |
    Show price (0 = No, 1 = Yes) | Image URLs (x,y,z...) | Image alt texts (x,y,z...) | Delete existing images (0
    = No, 1 = Yes) | Feature(Name:Value:Position) | Available online only (0 = No, 1 = Yes) | Condition |
    Customizable (0 = No, 1 = Yes) | Uploadable files (0 = No, 1 = Yes) | Text fields (0 = No, 1 = Yes) | Out of
    stock action | Virtual product | File URL | Number of allowed downloads | Expiration date | Number of days |
    ID / Name of shop | Advanced stock management | Depends On Stock | Warehouse | Acessories  (x,y,z...)`),
  hm: names(`
    id | productName | brandName | url | price | colorName | productImage`),
  odoo: names(`
    Name | Product Type | Internal Reference | Cost | Mengeneinheit | Einkauf ME | Routen | Verkaufspreis |
    Auslieferungszeit | Durchlaufzeit der Fertigung | Strichcode`),
  flipkart: names(`
    uniq_id | crawl_timestamp | product_url | product_name | product_category_tree | pid | retail_price |
    discounted_price | image | is_FK_Advantage_product | description | product_rating | overall_rating | brand |
    product_specifications`),
  flights: names(`
    ID | Destination ID | Origin ID | Destination name | Origin name | Flight description | Image URL | Final URL
    | Flight price | Sale Price | brand`),
  meta: names(`
    id | title | description | availability | condition | price | link | image_link | brand |
    google_product_category | fb_product_category | quantity_to_sell_on_facebook | sale_price |
    sale_price_effective_date | item_group_id | gender | color | size | age_group | material | pattern | shipping
    | shipping_weight | gtin | video[0].url | video[0].tag[0] | product_tags[0] | product_tags[1] | style[0]`),
  italian: names(`
    Cat | SCat | IdProd | CodVen | Titolo | Descrizione | Peso | Prezzo | Listino | Iva | Marca | Disponibilita |
    DisponibilitaFutura | PrezzoPromo | DataInizioPromo | DataFinePromo | Ean | LinkImmagine | ProductID | NoDrop`),
  german: names(`
    Artikelnummer | Kurzbez. | Lagerware | Warengruppe | Warenuntergruppe | Langtext | Artikelhinweis |
    Abmessungen | Sockel | Lichtfarbe | Leistung | Lichtstrom | CRI | Anzahl LEDs | LED Typ | Abstrahlwinkel |
    Optik | Gehäuse | Farbe | Gewicht | Eingangsspannung | Powerfaktor | Schutzart | Betriebstemperatur |
    Luftfeuchtigkeit | Lifetime | Garantie | Zertifikate`),
  rakuten: names(`
    コントロールカラム | 商品管理番号（商品URL） | 商品番号 | 全商品ディレクトリID | タグID | PC用キャッチコピー | モバイル用キャッチコピー | 商品名 | 販売価格 | 表示価格 | 消費税 |
    送料 | 個別送料 | 送料区分1 | 送料区分2 | 代引料 | 倉庫指定 | 商品情報レイアウト | 注文ボタン | 資料請求ボタン | 商品問い合わせボタン | 再入荷お知らせボタン | モバイル表示 | のし対応
    | PC用商品説明文 | モバイル用商品説明文 | スマートフォン用商品説明文 | PC用販売説明文 | 商品画像URL | 商品画像名（ALT） | 動画 | 販売期間指定 | 注文受付数 | 在庫タイプ | 在庫数
    | 在庫数表示 | 項目選択肢別在庫用横軸項目名 | 項目選択肢別在庫用縦軸項目名 | 項目選択肢別在庫用残り表示閾値 | RAC番号 | サーチ非表示 | 闇市パスワード | カタログID | 在庫戻しフラグ |
    在庫切れ時の注文受付 | 在庫あり時納期管理番号 | 在庫切れ時納期管理番号 | 予約商品発売日 | ポイント変倍率 | ポイント変倍率適用期間 | ヘッダー・フッター・レフトナビ | 表示項目の並び順 |
    共通説明文（小） | 目玉商品 | 共通説明文（大） | レビュー本文表示 | サイズ表リンク`),
  shopifyApparel: names(`
    Handle | Title | Body (HTML) | Vendor | Type | Tags | Published | Option1 Name | Option1 Value | Option2 Name
    | Option2 Value | Option3 Name | Option3 Value | Variant SKU | Variant Grams | Variant Inventory Tracker |
    Variant Inventory Qty | Variant Inventory Policy | Variant Fulfillment Service | Variant Price | Variant
    Compare At Price | Variant Requires Shipping | Variant Taxable | Variant Barcode | Image Src | Image Position
    | Image Alt Text | Gift Card | SEO Title | SEO Description | Google Shopping / Google Product Category |
    Google Shopping / Gender | Google Shopping / Age Group | Google Shopping / MPN | Google Shopping / AdWords
    Grouping | Google Shopping / AdWords Labels | Google Shopping / Condition | Google Shopping / Custom Product |
    Google Shopping / Custom Label 0 | Google Shopping / Custom Label 1 | Google Shopping / Custom Label 2 |
    Google Shopping / Custom Label 3 | Google Shopping / Custom Label 4 | Variant Image | Variant Weight Unit |
    Variant Tax Code`),
}
