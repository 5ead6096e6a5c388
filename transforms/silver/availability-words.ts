/** Stock words met in suppliers' files, and the yes and no of stock columns. */
import type { Availability } from '../../schemas/product.ts'
import { wordTable } from './words.ts'

const list = (...lines: string[]) => lines.join('|')

export const availabilityOf = wordTable<Availability>({
  in_stock: list(
    'in stock|instock|available|in store|limited availability|limitedavailability|limited stock|low stock|instoreonly|onlineonly',
    'auf lager|lieferbar|sofort lieferbar|verfügbar|lagernd|vorrätig|ab lager|en stock|disponible|stock limité|en existencia|en existencias',
    'disponibile|in magazzino|disponibilità immediata|em estoque|disponível|em stock|pronta entrega|op voorraad|beschikbaar|leverbaar',
    'w magazynie|dostępny|dostępna|na stanie|skladem|dostupné|na skladě|в наличии|есть|есть в наличии|на складе|доступен',
    '在庫あり|在庫有り|有|あり|販売中|有货|有貨|现货|有库存|i lager|på lager|varastossa|stokta|متوفر|在庫残りわずか',
  ),
  out_of_stock: list(
    'out of stock|outofstock|sold out|soldout|not available|unavailable|discontinued|no stock|not in stock|temporarily out of stock',
    'ausverkauft|nicht auf lager|nicht lieferbar|nicht verfügbar|vergriffen|nicht vorrätig|épuisé|rupture de stock|en rupture|indisponible',
    'non disponible|agotado|sin existencias|sin stock|no disponible|fuera de stock|esaurito|non disponibile|non in magazzino',
    'esgotado|fora de estoque|indisponível|sem estoque|sem stock|uitverkocht|niet op voorraad|niet leverbaar|niet beschikbaar',
    'brak w magazynie|niedostępny|wyprzedany|brak|vyprodáno|není skladem|nedostupné|нет в наличии|нет|распродано|отсутствует|под заказ нет',
    '在庫なし|在庫無し|在庫切れ|売り切れ|売切れ|品切れ|完売|缺货|缺貨|无货|售罄|无库存|slutsåld|ej i lager|utsolgt|udsolgt|loppu|غير متوفر',
  ),
  preorder: list(
    'preorder|pre order|presale|coming soon|vorbestellbar|vorbestellung|bald verfügbar|précommande|en précommande|preventa|reserva',
    'preordine|prevendita|in prenotazione|pré venda|pré encomenda|vooruitbestellen|pre order mogelijk|przedsprzedaż|zapowiedź',
    'předobjednávka|предзаказ|предварительный заказ|予約|予約受付中|予約商品|预售|预购|förhandsbokning|ennakkotilaus',
  ),
  backorder: list(
    'backorder|back order|backordered|on backorder|available for order|made to order|build to order|on order|special order',
    'auf bestellung|bestellbar|nachbestellt|auf anfrage bestellbar|lieferrückstand|sur commande|en réapprovisionnement|bajo pedido',
    'por encargo|su ordinazione|ordinabile|sob encomenda|op bestelling|in nabestelling|na zamówienie|na objednávku|под заказ|на заказ',
    '取り寄せ|お取り寄せ|受注生産|入荷待ち|订货|可预订|接受预订|beställningsvara|bestillingsvare',
  ),
})

export const yesOrNo = wordTable<'yes' | 'no'>({
  yes: '1|true|y|t|on|ja|oui|si|sí|sì|sim|tak|ano|да|はい|是|wahr|vrai|verdadero|vero|verdadeiro|continue|allow|allowed|notify|shopify|2',
  no: '0|false|n|f|off|nein|non|não|nao|nee|nie|ne|нет|いいえ|否|falsch|faux|falso|deny|denied|not allowed|none',
})

/** Names of columns that ask whether a product is in stock, so that yes and no are answers. */
export const asksForStock = (column: string) =>
  /stock\b|\bavailable\b|in ?stock|auf lager|lieferbar|verfügbar\b|disponible|disponibile|dispon[ií]vel|op voorraad|dost[ęe]pny|skladem|в наличии|在庫|有货/i.test(
    column.replaceAll('_', ' '),
  )
