/** Italian column names. */
import type { ColumnNames } from './column-names.ts'

export const it: ColumnNames = {
  sku: 'codice articolo | codice prodotto | cod articolo | cod art | numero articolo | riferimento | codice interno | codice sku | cod prodotto | riferimento prodotto',
  source_id: 'id prodotto | id articolo | identificativo | identificativo prodotto | id univoco',
  gtin: 'codice a barre | codice ean | barcode ean | cod ean | codice barre',
  mpn: 'codice produttore | codice del produttore | codice fornitore produttore | part number produttore | numero modello | codice modello',
  brand: 'marca | marchio | produttore | nome marca | casa produttrice',
  title: 'nome prodotto | nome del prodotto | titolo | nome | denominazione | titolo prodotto | nome articolo',
  description:
    'descrizione | descrizione prodotto | descrizione lunga | descrizione completa | descrizione estesa | descrizione dettagliata | descrizione articolo',
  short_description: 'descrizione breve | riassunto | descrizione corta | riepilogo | sintesi',
  link: 'collegamento | url prodotto | link prodotto | link al prodotto | pagina prodotto | indirizzo web',
  price:
    'prezzo | prezzo di vendita | prezzo vendita | prezzo al pubblico | prezzo ivato | prezzo iva inclusa | prezzo unitario | prezzo finale | prezzo di listino',
  sale_price:
    'prezzo promo | prezzo scontato | prezzo offerta | prezzo promozionale | prezzo speciale | prezzo in offerta | prezzo saldo',
  original_price:
    'prezzo di listino | prezzo listino | listino | prezzo originale | prezzo consigliato | vecchio prezzo | prezzo barrato | prezzo pieno',
  currency: 'valuta | divisa | codice valuta | moneta',
  availability:
    'disponibilità | disponibile | stato magazzino | in magazzino | stato disponibilità | disponibilità prodotto',
  quantity:
    'quantità | giacenza | quantità disponibile | qta | quantità in magazzino | scorte | giacenza magazzino | quantità magazzino',
  track_stock: 'gestisci magazzino | gestione magazzino | traccia inventario | gestisci scorte | controlla giacenza',
  allow_backorder:
    'consenti ordini arretrati | ordini arretrati | consenti ordini senza scorte | vendi senza giacenza | permetti ordini arretrati',
  condition:
    'condizione | condizioni | stato prodotto | condizione articolo | stato del prodotto | condizione prodotto',
  category:
    'categoria | categorie | categoria prodotto | reparto | famiglia | tipo prodotto | tipologia prodotto | gruppo merceologico | categoria merceologica',
  google_product_category:
    'categoria google | categoria prodotto google | categoria google shopping | tassonomia google',
  image: 'immagine principale | foto principale | immagine copertina | immagine in evidenza',
  images:
    'immagine | immagini | link immagine | url immagine | foto | immagini aggiuntive | foto prodotto | immagine prodotto | url immagini | altre immagini | galleria',
  item_group_id:
    'id gruppo | sku padre | id gruppo articoli | codice padre | articolo padre | gruppo varianti | id padre',
  color: 'colore | nome colore | colore prodotto | colori',
  size: 'taglia | misura | taglie | numero scarpa | taglia prodotto',
  material: 'materiale | tessuto | materiali',
  pattern: 'fantasia | motivo | stampa fantasia',
  gender: 'genere | sesso | genere target',
  age_group: "fascia di età | fascia d'età | gruppo di età",
  weight: 'peso | peso netto | peso lordo | peso prodotto | peso articolo | peso spedizione',
  seo_title: 'titolo seo | meta titolo | titolo pagina | titolo meta',
  seo_description: 'meta descrizione | descrizione seo | descrizione meta | metadescrizione',
  tags: 'etichette | parole chiave | parola chiave | tag prodotto',
  attributes: 'attributi json | attributi | caratteristiche json',
  sale_price_effective_date: 'periodo promozione',
  sale_price_start_date: 'data inizio promo | inizio promozione',
  sale_price_end_date: 'data fine promo | fine promozione',
  unit_pricing_measure: 'contenuto netto',
  unit_pricing_base_measure: 'unità di prezzo',
  availability_date: 'data di disponibilità | disponibile dal',
  expiration_date: 'offerta valida fino al',
  weight_unit: 'unità di peso',
  dimensions: 'dimensioni | misure',
  dimensions_unit: 'unità di misura dimensioni',
  length: 'lunghezza | profondità',
  width: 'larghezza',
  height: 'altezza',
}
