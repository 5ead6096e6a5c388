/** Column names met in files of other languages, as far as they were met. */
import type { ColumnNames } from './column-names.ts'

/** Swedish, Danish, Norwegian, Finnish and Turkish. */
export const further: Partial<ColumnNames> = {
  sku: 'artikkelnummer | artikelkod | varenummer | varenr | tuotenumero | tuotekoodi | stok kodu | ürün kodu | numero',
  gtin: 'streckkod | stregkode | strekkode | viivakoodi | barkod',
  brand: 'märke | varumärke | tillverkare | valmistaja | tuotemerkki | mærke | merke | produsent | marka adı',
  title: 'produktnamn | namn | navn | produktnavn | varenavn | nimi | tuotenimi | ürün adı',
  description: 'beskrivning | produktbeskrivning | beskrivelse | produktbeskrivelse | kuvaus | tuotekuvaus | açıklama',
  link: 'länk | produktlänk | lenke | tuotelinkki | ürün linki',
  price: 'pris | hinta | fiyat | satış fiyatı | myyntihinta',
  sale_price: 'tarjoushinta | kampanjpris | rea pris | tilbudspris | udsalgspris | indirimli fiyat',
  original_price: 'ordinarie pris | normalpris | førpris | veiledende pris | ohjehinta | liste fiyatı',
  currency: 'valuuttakoodi | valuutta | para birimi',
  availability:
    'saatavuus | tillgänglighet | lagerstatus | tilgængelighed | tilgjengelighet | stok durumu | i lager | på lager | varastossa',
  quantity: 'varastosaldo | lagersaldo | antal | antall | lagerantal | lagerbeholdning | määrä | stok | stok adedi',
  condition: 'skick | stand | tilstand | kunto',
  category: 'kategori | tyyppi | tuoteryhmä | varugrupp | varegruppe',
  images: 'kuva | kuvat | bildlänk | billede | billeder | bilde | bilder url | resim | görsel',
  color: 'färg | farve | farge | väri | renk',
  size: 'storlek | størrelse | koko | beden',
  gender: 'kön | køn | kjønn | sukupuoli | cinsiyet',
  weight: 'vikt | vægt | vekt | paino | ağırlık',
  dimensions: 'dimensioner | dimensjoner | produktmått | produktmål | mitat | boyutlar | ölçüler',
}

/** Names that mean a field only where no better one stands beside them; a condition moreover has to be borne out by its values. */
export const weak: Partial<ColumnNames> = {
  sku: 'reference | ref | code | codice | kod | id prod',
  category: 'cat',
  // German for the sizes too, where its ß is written as ss: those go first.
  weight: 'masse',
  // "State" in Spanish, Portuguese, Czech, Slovak, Italian, Romanian, Hungarian, Finnish, Turkish and Chinese: of the goods, the stock or the listing.
  condition: 'estado | stav | stato | stare | állapot | tila | durum | 状态 | 狀態',
}
