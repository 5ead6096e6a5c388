/** Polish column names. */
import type { ColumnNames } from './column-names.ts'

export const pl: ColumnNames = {
  sku: 'numer katalogowy | kod produktu | indeks | kod towaru | symbol | numer artykułu | indeks produktu | symbol produktu | kod katalogowy | kod artykułu',
  source_id: 'id produktu | identyfikator | id oferty | identyfikator produktu | id towaru',
  gtin: 'kod kreskowy | kod ean | numer ean | kod paskowy | kod gtin',
  mpn: 'kod producenta | numer producenta | numer części | numer katalogowy producenta | symbol producenta | numer modelu',
  brand: 'marka | producent | nazwa marki | nazwa producenta',
  title: 'nazwa produktu | nazwa | tytuł | nazwa towaru | tytuł produktu | tytuł oferty | nazwa artykułu | produkt',
  description: 'opis | opis produktu | pełny opis | długi opis | opis szczegółowy | opis towaru',
  short_description: 'krótki opis | skrócony opis | opis skrócony | podsumowanie',
  link: 'adres url | link do produktu | odnośnik | adres produktu | url produktu | adres strony',
  price: 'cena | cena brutto | cena sprzedaży | cena detaliczna | cena jednostkowa | cena końcowa | cena regularna',
  sale_price:
    'cena promocyjna | cena po obniżce | cena specjalna | cena wyprzedażowa | cena po rabacie | cena obniżona',
  original_price:
    'cena katalogowa | stara cena | cena regularna | cena sugerowana | cena przed obniżką | poprzednia cena | cena pierwotna',
  currency: 'waluta | kod waluty | waluta ceny',
  availability: 'dostępność | dostępny | status dostępności | w magazynie | stan dostępności | dostępność produktu',
  quantity:
    'ilość | stan magazynowy | stan | liczba sztuk | ilość sztuk | zapas | dostępna ilość | ilość w magazynie | stany magazynowe',
  track_stock: 'zarządzaj stanem | zarządzanie stanem | śledź stan magazynowy | śledzenie zapasów | kontrola stanów',
  allow_backorder:
    'zezwól na zamówienia oczekujące | zamówienia oczekujące | sprzedaż przy braku towaru | zezwól na zamówienia | pozwól zamawiać przy braku',
  condition: 'stan produktu | stan towaru | kondycja | stan przedmiotu | stan',
  category:
    'kategoria | kategorie | kategoria produktu | grupa towarowa | dział | grupa produktów | ścieżka kategorii | kategoria główna | typ produktu',
  google_product_category:
    'kategoria google | kategoria produktu google | kategoria produktów google | taksonomia google',
  image: 'zdjęcie główne | główne zdjęcie | obrazek główny | zdjęcie wyróżniające | główny obraz',
  images:
    'zdjęcie | zdjęcia | url zdjęcia | obraz | obrazy | link do zdjęcia | adres zdjęcia | zdjęcia produktu | dodatkowe zdjęcia | obrazek | zdjęcie produktu | linki do zdjęć',
  item_group_id:
    'id grupy | sku rodzica | identyfikator grupy | grupa wariantów | produkt nadrzędny | id rodzica | grupa produktu',
  color: 'kolor | barwa | nazwa koloru | kolor produktu',
  size: 'rozmiar | rozmiary | rozmiar buta | rozmiar produktu',
  material: 'materiał | tkanina | materiały | skład materiału',
  pattern: 'wzór | deseń | wzornictwo',
  gender: 'płeć | płeć docelowa | rodzaj płci',
  age_group: 'grupa wiekowa | przedział wiekowy',
  weight: 'waga | masa | waga netto | waga brutto | waga produktu | masa produktu | ciężar',
  seo_title: 'tytuł seo | meta tytuł | tytuł strony | tytuł meta',
  seo_description: 'opis seo | meta opis | opis meta | opis strony',
  tags: 'tagi | słowa kluczowe | etykiety | słowo kluczowe',
  attributes: 'atrybuty json | atrybuty | cechy json | parametry json',
  sale_price_effective_date: 'okres promocji',
  sale_price_start_date: 'promocja od | data rozpoczęcia promocji',
  sale_price_end_date: 'promocja do | data zakończenia promocji',
  unit_pricing_measure: 'zawartość netto',
  unit_pricing_base_measure: 'jednostka ceny',
  availability_date: 'data dostępności | dostępny od',
  expiration_date: 'oferta ważna do',
  weight_unit: 'jednostka wagi',
  dimensions: 'wymiary | wymiary produktu',
  dimensions_unit: 'jednostka wymiarów',
  length: 'długość | głębokość',
  width: 'szerokość',
  height: 'wysokość',
}
