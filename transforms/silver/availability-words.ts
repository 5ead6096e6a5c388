/** Stock words met in suppliers' files, and the yes and no of stock columns. */
import type { Availability } from '../../schemas/product.ts'
import { foldName } from './fold-name.ts'
import { synonyms } from './synonyms.ts'
import { wordTable } from './words.ts'

const list = (...lines: string[]) => lines.join('|')

export const availabilityOf = wordTable<Availability>({
  in_stock: list(
    'in stock|instock|available|in store|limited availability|limitedavailability|limited stock|low stock|instoreonly|onlineonly|in stock now|ready to ship',
    'few left|last items|last pieces|available now|available immediately|ships today|in warehouse',
    'auf lager|lieferbar|sofort lieferbar|verfügbar|sofort verfügbar|lagernd|vorrätig|ab lager|ab lager lieferbar|am lager|begrenzt verfügbar|nur noch wenige',
    'en stock|disponible|stock limité|disponible immédiatement|disponible en stock|dernières pièces|en existencia|en existencias|hay existencias',
    'disponible inmediatamente|con existencias|pocas unidades|últimas unidades|disponibile|in magazzino|disponibilità immediata|subito disponibile|disponibile subito',
    'disponibilità limitata|pronta consegna|em estoque|disponível|em stock|pronta entrega|disponível em estoque|últimas unidades em estoque|disponibilidade imediata',
    'op voorraad|beschikbaar|leverbaar|direct leverbaar|uit voorraad leverbaar|beperkt op voorraad|w magazynie|dostępny|dostępna|dostępne|na stanie|ostatnie sztuki',
    'produkt dostępny|skladem|dostupné|dostupný|dostupná|na skladě|ihned k odeslání|poslední kusy|в наличии|есть|есть в наличии|на складе|доступен|доступно',
    'имеется|имеется в наличии|мало|много|в продаже|在庫あり|在庫有り|在庫有|有|あり|販売中|在庫僅少|残りわずか|即納|有货|有貨|现货|現貨|有库存|在售|库存充足',
    'i lager|finns i lager|på lager|finns på lager|i webblager|tillgänglig|få i lager|få kvar|lagervare|få på lager|tilgængelig|tilgjengelig',
    'varastossa|heti varastossa|saatavilla|saatavilla heti|stokta|stokta var|stokta mevcut|stoklarda|mevcut|satışta|stoktan teslim|stokta bulunuyor',
    'od ręki|dostępny od ręki|dostępna od ręki|dostępne od ręki|na sklade|skladom|ihneď k odoslaniu|posledné kusy|есть на складе|в наличии на складе',
    'в наявності|є в наявності|на складі|є на складі|доступний|доступно|متوفر|在庫残りわずか|raktáron|készleten|în stoc|disponibil|재고있음',
  ),
  out_of_stock: list(
    'out of stock|outofstock|sold out|soldout|not available|unavailable|discontinued|no stock|not in stock|temporarily out of stock|currently unavailable',
    'temporarily unavailable|no longer available|end of life|oos',
    'ausverkauft|nicht auf lager|nicht lieferbar|nicht verfügbar|vergriffen|nicht vorrätig|derzeit nicht verfügbar|zurzeit nicht lieferbar|nicht mehr lieferbar|nicht am lager',
    'épuisé|rupture de stock|en rupture|indisponible|en rupture de stock|hors stock|temporairement indisponible|plus disponible|stock épuisé',
    'non disponible|agotado|agotada|sin existencias|sin stock|no disponible|fuera de stock|no hay existencias|temporalmente agotado|descatalogado',
    'esaurito|esaurita|non disponibile|non in magazzino|non più disponibile|momentaneamente non disponibile|temporaneamente non disponibile|fuori produzione',
    'esgotado|esgotada|fora de estoque|indisponível|sem estoque|sem stock|produto esgotado|não disponível|uitverkocht|niet op voorraad|niet leverbaar|niet beschikbaar',
    'tijdelijk uitverkocht|tijdelijk niet leverbaar|brak w magazynie|niedostępny|niedostępna|niedostępne|wyprzedany|wyprzedane|brak|brak na stanie|chwilowo niedostępny|produkt niedostępny',
    'vyprodáno|není skladem|nedostupné|nedostupný|momentálně nedostupné|dočasně nedostupné|vyprodané|již se nevyrábí|нет в наличии|нет|распродано|отсутствует|под заказ нет',
    'нет на складе|недоступен|недоступно|закончился|снят с производства|снято с производства|временно отсутствует|продано',
    '在庫なし|在庫無し|在庫無|在庫切れ|売り切れ|売切れ|品切れ|完売|販売終了|欠品|缺货|缺貨|无货|無貨|售罄|无库存|已售完|暂时缺货|已下架',
    'slutsåld|slutsålt|slut i lager|ej i lager|inte i lager|finns ej i lager|finns inte i lager|tillfälligt slut|ej tillgänglig|utgått',
    'utsolgt|midlertidig utsolgt|udsolgt|midlertidigt udsolgt|ikke på lager|ej på lager|ikke tilgængelig|ikke tilgjengelig|udgået',
    'loppu|loppu varastosta|tilapäisesti loppu|loppuunmyyty|ei varastossa|ei saatavilla|tükendi|stok tükendi|tükenmiş|stokta yok|stok yok|mevcut değil',
    'stokta bulunmuyor|temin edilemiyor|vypredané|vypredaný|nie je na sklade|nie je skladom|nedostupný|немає в наявності|немає на складі|немає',
    'відсутній|відсутнє|закінчився|розпродано|غير متوفر|elfogyott|nincs raktáron|nincs készleten|stoc epuizat|indisponibil|품절',
  ),
  preorder: list(
    'preorder|pre order|preordered|pre order now|presale|pre sale|coming soon|vorbestellbar|vorbestellung|vorbestellen|bald verfügbar|demnächst verfügbar',
    'précommande|en précommande|pré commande|bientôt disponible|à paraître|preventa|en preventa|reserva|próximamente|preordine|prevendita|in prenotazione|prenotabile|prossimamente',
    'pré venda|em pré venda|pré encomenda|em breve|vooruitbestellen|pre order mogelijk|voorbestelling|binnenkort verwacht',
    'przedsprzedaż|w przedsprzedaży|zapowiedź|wkrótce dostępny|předobjednávka|předobjednávky|v předprodeji|předprodej|připravujeme|предзаказ|предварительный заказ|скоро в продаже',
    '予約|予約受付中|予約商品|予約販売|近日発売|预售|預售|预购|預購|即将上市|新品预售|förhandsbokning|förhandsboka|förbeställning|förbeställ|förbeställbar',
    'forudbestilling|forudbestil|forhåndsbestilling|forhåndsbestill|forhåndssalg|kommer snart|ennakkotilaus|ennakkotilattavissa|tulossa pian',
    'ön sipariş|ön siparişte|ön satış|ön satışta|yakında satışta|predobjednávka|predpredaj|v predpredaji|передзамовлення|előrendelés|előrendelhető|precomandă',
  ),
  backorder: list(
    'backorder|back order|backordered|on backorder|available on backorder|available for order|made to order|madetoorder|build to order|on order|special order',
    'auf bestellung|bestellbar|nachbestellt|auf anfrage bestellbar|lieferrückstand|auf bestellung lieferbar|wird nachbestellt|auf bestellung gefertigt',
    'sur commande|en réapprovisionnement|disponible sur commande|en cours de réapprovisionnement|bajo pedido|por encargo|disponible bajo pedido|sobre pedido',
    'su ordinazione|ordinabile|in arrivo|in riassortimento|sob encomenda|por encomenda|sob pedido|op bestelling|in nabestelling|nabestelling|in backorder',
    'na zamówienie|dostępny na zamówienie|na objednávku|na objednání|под заказ|на заказ|доступно под заказ|можно заказать',
    '取り寄せ|お取り寄せ|取寄せ|取寄|受注生産|受注発注|入荷待ち|メーカー取寄|订货|訂貨|可预订|接受预订|按订单生产|补货中|beställningsvara|bestillingsvare|restordre|i restordre|tilaustuote',
    'sipariş üzerine|na objednávku|під замовлення|на замовлення|rendelésre|la comandă',
  ),
})

const yes = 'true|y|ja|oui|si|sí|sì|sim|tak|ano|да|так|evet|kyllä|igen|はい|是|wahr|vrai|verdadero|vero|verdadeiro'
const no = 'false|n|nein|non|não|nao|nee|nej|nei|nie|ne|нет|ні|hayır|nem|いいえ|否|falsch|faux|falso'

/** The words alone: a number is a count, where nothing asks for a yes. */
export const plainYesOrNo = wordTable<'yes' | 'no'>({ yes, no })

/** With what systems write for them, and for a policy of stock. */
export const yesOrNo = wordTable<'yes' | 'no'>({
  yes: `${yes}|1|t|on|continue|allow|allowed|notify|shopify|2`,
  no: `${no}|0|f|off|deny|denied|not allowed|none`,
})

/** Names of columns that ask whether a product is in stock, so that yes and no are answers. */
export const asksForStock = (column: string) =>
  /stock\b|\bavailable\b|in ?stock|auf lager|lieferbar|verfügbar\b|disponible|disponibile|dispon[ií]vel|op voorraad|dost[ęe]pny|skladem|в наличии|在庫|有货/i.test(
    column.replaceAll('_', ' '),
  )

const names = new Set(synonyms.flatMap(({ name, field }) => (field === 'availability' ? foldName(name) : [])))

/** Names of columns that mean availability: a yes or no in words is an answer there, though nothing else is. */
export const meansAvailability = (column: string) => names.has(foldName(column))
