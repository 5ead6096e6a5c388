/** German column names. */
import type { ColumnNames } from './column-names.ts'

export const de: ColumnNames = {
  sku: 'artikelnummer | artikelnr | artikel nr | art nr | bestellnummer | produktnummer | artikelcode | bestellnr | best nr | lieferantenartikelnummer | artnr',
  source_id: 'produkt id | artikel id | produktid | artikelid | angebots id',
  gtin: 'strichcode | ean code | ean nummer | ean nr | gtin nummer | barcodenummer | ean barcode',
  mpn: 'herstellernummer | hersteller artikelnummer | herstellerartikelnummer | hersteller nr | herstellerteilenummer | teilenummer | modellnummer | hersteller art nr',
  brand: 'marke | hersteller | markenname | herstellername | fabrikat',
  title:
    'produktname | artikelname | titel | produkttitel | produktbezeichnung | artikelbezeichnung | bezeichnung | kurzbezeichnung | kurzbez | produkt',
  description:
    'beschreibung | produktbeschreibung | artikelbeschreibung | langbeschreibung | langtext | beschreibungstext | detailbeschreibung | produkttext',
  short_description: 'kurzbeschreibung | kurztext | zusammenfassung | kurze beschreibung',
  link: 'produktlink | produkt url | artikel url | produktseite | shop url | artikellink | webadresse',
  price:
    'preis | verkaufspreis | vk preis | bruttopreis | vk brutto | endpreis | preis brutto | endkundenpreis | ladenpreis | einzelpreis | vk | regulärer preis',
  sale_price: 'angebotspreis | aktionspreis | sonderpreis | rabattpreis | reduzierter preis | sale preis',
  original_price:
    'regulärer preis | uvp | listenpreis | alter preis | streichpreis | unverbindliche preisempfehlung | statt preis | ursprungspreis | originalpreis',
  currency: 'währung | währungscode | preiswährung | waehrung',
  availability:
    'verfügbarkeit | verfügbar | lieferbarkeit | lieferstatus | lagerstatus | verfuegbarkeit | auf lager | lieferbar | bestandsstatus | vorrätig',
  quantity: 'bestand | lagerbestand | lagermenge | menge | stückzahl | verfügbare menge | verfügbarer bestand | lager',
  track_stock: 'lagerbestand verfolgen | bestand verfolgen | bestandsführung | lagerführung | bestand verwalten',
  allow_backorder:
    'lieferrückstand erlaubt | rückstand erlauben | nachbestellung erlaubt | überverkauf erlauben | nachlieferung möglich',
  condition: 'zustand | artikelzustand | produktzustand',
  category:
    'kategorie | kategorien | warengruppe | produktkategorie | produktgruppe | artikelgruppe | kategoriepfad | hauptkategorie | sortiment | produkttyp',
  google_product_category: 'google kategorie | google produktkategorie | google shopping kategorie | google taxonomie',
  image: 'hauptbild | titelbild | hauptbild url | vorschaubild | erstes bild',
  images:
    'bild | bilder | bild url | bildurl | bildlink | produktbild | produktbilder | artikelbild | bilder url | artikelbilder | weitere bilder | zusatzbilder | foto url | bildadresse',
  item_group_id:
    'elternartikel | vaterartikel | variantengruppe | gruppen id | artikelgruppen id | hauptartikelnummer | vaterartikelnummer | modell id',
  color: 'farbe | farbname | farbton | produktfarbe',
  size: 'größe | konfektionsgröße | groesse | schuhgröße | kleidergröße',
  material: 'materialien | werkstoff | obermaterial | stoff | materialzusammensetzung',
  pattern: 'muster | musterung | dessin',
  gender: 'geschlecht | zielgeschlecht',
  age_group: 'altersgruppe | altersklasse',
  weight: 'gewicht | nettogewicht | bruttogewicht | artikelgewicht | versandgewicht | produktgewicht',
  seo_title: 'meta titel | seo titel | seitentitel | metatitel',
  seo_description: 'meta beschreibung | seo beschreibung | metabeschreibung | seitenbeschreibung',
  tags: 'schlagworte | schlagwörter | stichworte | stichwörter | suchbegriffe | schlüsselwörter',
  attributes: 'eigenschaften json | attribute json | attribute | merkmale json',
  sale_price_effective_date: 'aktionszeitraum | angebotszeitraum',
  sale_price_start_date: 'aktion von | aktion ab | aktionsbeginn',
  sale_price_end_date: 'aktion bis | aktionsende',
  unit_pricing_measure: 'grundpreis menge | nettoinhalt | füllmenge',
  unit_pricing_base_measure: 'grundpreis einheit | grundpreis basis | grundeinheit',
  availability_date: 'verfügbar ab | lieferbar ab | verfügbarkeitsdatum',
  expiration_date: 'angebot gültig bis | angebotsende',
  weight_unit: 'gewichtseinheit | einheit gewicht',
  dimensions: 'abmessungen | produktabmessungen | produktmaße | artikelmaße | maße',
  dimensions_unit: 'maßeinheit abmessungen | längeneinheit',
  length: 'länge | tiefe',
  width: 'breite',
  height: 'höhe',
}
