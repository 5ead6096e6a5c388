/** Czech column names. */
import type { ColumnNames } from './column-names.ts'

export const cs: ColumnNames = {
  sku: 'katalogové číslo | kód produktu | kód zboží | číslo zboží | kód | objednací číslo | číslo produktu | interní kód | katalogový kód',
  source_id: 'id produktu | identifikátor | id položky | id zboží | identifikátor produktu',
  gtin: 'čárový kód | ean kód | kód ean | čárový kód ean | číslo ean',
  mpn: 'kód výrobce | výrobní číslo | produktové číslo výrobce | číslo výrobce | číslo dílu | part number výrobce',
  brand: 'značka | výrobce | název výrobce | název značky',
  title: 'název produktu | název | název zboží | jméno produktu | titulek | název výrobku',
  description: 'popis | popis produktu | dlouhý popis | podrobný popis | detailní popis | popis zboží',
  short_description: 'krátký popis | stručný popis | zkrácený popis | anotace',
  link: 'odkaz | url produktu | odkaz na produkt | adresa produktu | stránka produktu | www adresa',
  price: 'cena | cena s dph | prodejní cena | cena za kus | koncová cena | cena včetně dph | běžná cena',
  sale_price: 'akční cena | cena po slevě | zvýhodněná cena | cena v akci | slevová cena | výprodejová cena',
  original_price:
    'původní cena | běžná cena | doporučená cena | cena před slevou | stará cena | katalogová cena | doporučená moc',
  currency: 'měna | kód měny | měna ceny',
  availability: 'dostupnost | skladem | stav dostupnosti | skladová dostupnost | dostupné',
  quantity:
    'množství | počet kusů | počet | stav skladu | skladové množství | zásoba | počet na skladě | ks skladem | skladová zásoba',
  track_stock: 'sledovat sklad | sledování skladu | spravovat sklad | řídit zásoby | hlídat sklad',
  allow_backorder:
    'povolit objednávky mimo sklad | objednávky mimo sklad | povolit nákup do mínusu | prodej do mínusu | povolit zpětné objednávky',
  condition: 'stav zboží | stav produktu | stav výrobku | stav položky',
  category:
    'kategorie | kategorie produktu | kategorie zboží | kategorie výrobku | skupina zboží | cesta kategorie | hlavní kategorie | typ produktu',
  google_product_category:
    'google kategorie | kategorie google | kategorie produktu google | google kategorie produktu | taxonomie google',
  image: 'hlavní obrázek | hlavní fotka | hlavní foto | úvodní obrázek | výchozí obrázek',
  images:
    'obrázek | obrázky | url obrázku | fotka | fotky | foto produktu | odkaz na obrázek | další obrázky | fotografie | adresa obrázku | obrázek produktu',
  item_group_id:
    'id skupiny | skupina variant | nadřazený produkt | hlavní produkt | kód hlavního produktu | id rodiče | skupina položek',
  color: 'barva | název barvy | barva produktu | barvy',
  size: 'velikost | velikosti | velikost bot | velikost produktu',
  material: 'materiál | látka | materiály | složení materiálu',
  pattern: 'vzor | vzorek | dekor vzor',
  gender: 'pohlaví | určení pohlaví | cílové pohlaví',
  age_group: 'věková skupina | věková kategorie',
  weight: 'hmotnost | váha | hmotnost produktu | váha produktu | čistá hmotnost | hrubá hmotnost',
  seo_title: 'seo titulek | meta titulek | titulek stránky | seo název',
  seo_description: 'seo popis | meta popis | popis stránky | popis meta',
  tags: 'štítky | klíčová slova | tagy | klíčové slovo',
  attributes: 'atributy json | atributy | vlastnosti json | parametry json',
  sale_price_effective_date: 'doba akce',
  sale_price_start_date: 'akce od | začátek akce',
  sale_price_end_date: 'akce do | konec akce',
  unit_pricing_measure: 'čistý obsah',
  unit_pricing_base_measure: 'jednotková množství',
  availability_date: 'datum dostupnosti | dostupné od',
  expiration_date: 'nabídka platí do',
  weight_unit: 'jednotka hmotnosti',
  dimensions: 'rozměry | rozměry produktu',
  dimensions_unit: 'jednotka rozměrů',
  length: 'délka | hloubka',
  width: 'šířka',
  height: 'výška',
}
