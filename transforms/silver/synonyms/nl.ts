/** Dutch column names. */
import type { ColumnNames } from './column-names.ts'

export const nl: ColumnNames = {
  sku: 'artikelnummer | artikelcode | productcode | artikel nummer | bestelnummer | productnummer | art nr | interne referentie | artnr',
  source_id: 'product id | artikel id | productid | unieke id | identificatie',
  gtin: 'streepjescode | ean code | ean nummer | barcode nummer | eancode',
  mpn: 'fabrikantnummer | fabrikantcode | onderdeelnummer | artikelnummer fabrikant | modelnummer | typenummer | fabrikant artikelnummer',
  brand: 'merk | fabrikant | merknaam | producent',
  title: 'productnaam | naam | titel | producttitel | artikelnaam',
  description:
    'omschrijving | productomschrijving | beschrijving | lange omschrijving | productbeschrijving | uitgebreide omschrijving | lange beschrijving | artikelomschrijving',
  short_description: 'korte omschrijving | samenvatting | korte beschrijving | kort omschrijving | omschrijving kort',
  link: 'productlink | product url | productpagina | webadres | link naar product | producturl',
  price:
    'prijs | verkoopprijs | prijs incl btw | stuksprijs | consumentenprijs | prijs inclusief btw | eenheidsprijs | vk prijs | reguliere prijs',
  sale_price:
    'actieprijs | aanbiedingsprijs | kortingsprijs | speciale prijs | afgeprijsde prijs | promotieprijs | sale prijs',
  original_price:
    'reguliere prijs | adviesprijs | oude prijs | van prijs | oorspronkelijke prijs | originele prijs | catalogusprijs',
  currency: 'valuta | munteenheid | valutacode | munt',
  availability: 'beschikbaarheid | op voorraad | beschikbaar | voorraadstatus | leverbaarheid | leverbaar',
  quantity:
    'aantal | voorraad | hoeveelheid | voorraadaantal | aantal op voorraad | beschikbaar aantal | voorraad aantal',
  track_stock: 'voorraad beheren | voorraadbeheer | voorraad bijhouden | voorraad volgen',
  allow_backorder:
    'nabestellen toestaan | nabestelling toestaan | nabestellingen toestaan | backorders toestaan | nalevering toestaan',
  condition: 'staat | conditie | staat van het product | productstaat | productconditie | artikelstaat',
  category:
    'categorie | categorieën | productcategorie | productgroep | artikelgroep | hoofdcategorie | producttype | categoriepad',
  google_product_category: 'google categorie | google productcategorie | google shopping categorie | google taxonomie',
  image: 'hoofdafbeelding | hoofdfoto | primaire afbeelding | uitgelichte afbeelding',
  images:
    'afbeelding | afbeeldingen | afbeelding url | foto | productafbeelding | extra afbeeldingen | afbeeldingslink | afbeelding link | productfoto | foto url | productafbeeldingen',
  item_group_id:
    'groep id | itemgroep id | ouder sku | hoofdartikel | variantgroep | artikelgroep id | groepsid | hoofdproduct',
  color: 'kleur | kleurnaam | productkleur | kleuren',
  size: 'maat | maten | afmeting maat | schoenmaat | kledingmaat',
  material: 'materiaal | materialen | stof | samenstelling',
  pattern: 'patroon | dessin | print patroon',
  gender: 'geslacht | sekse | doelgroep geslacht',
  age_group: 'leeftijdsgroep | leeftijdscategorie',
  weight: 'gewicht | nettogewicht | brutogewicht | productgewicht | verzendgewicht',
  seo_title: 'seo titel | meta titel | paginatitel | metatitel',
  seo_description: 'seo omschrijving | meta omschrijving | meta beschrijving | seo beschrijving | metabeschrijving',
  tags: 'trefwoorden | zoekwoorden | zoektermen | sleutelwoorden',
  attributes: 'attributen json | attributen | kenmerken json | eigenschappen json',
  sale_price_effective_date: 'actieperiode',
  sale_price_start_date: 'startdatum actie',
  sale_price_end_date: 'einddatum actie',
  unit_pricing_measure: 'netto inhoud',
  unit_pricing_base_measure: 'prijseenheid',
  availability_date: 'beschikbaar vanaf | leverbaar vanaf',
  expiration_date: 'aanbod geldig tot',
  weight_unit: 'gewichtseenheid',
  dimensions: 'afmetingen',
  dimensions_unit: 'afmetingseenheid',
  length: 'lengte | diepte',
  width: 'breedte',
  height: 'hoogte',
}
