/** Column names that say most exactly what a buyer pays now: they go before any other name for a price, our own too. */

/** A price beside one of these is the one without tax. A German "Bruttopreis" is none: to dealers it is the list price. */
const withTax =
  'price tax included | price tax incl | price including tax | price incl tax | price inc tax | price including vat | ' +
  'price incl vat | price inc vat | price gross | preis brutto | vk brutto | preis inkl mwst | prix ttc | ' +
  'prix de vente ttc | prix unitaire ttc | precio con iva | prezzo ivato | prezzo iva inclusa | prijs incl btw | ' +
  'prijs inclusief btw | preço com iva | cena brutto | cena s dph | cena včetně dph | цена с ндс | 税込価格 | 販売価格 税込'

/** A price beside one of these is the one before it came down. */
const final =
  'final price | current price | endpreis | prix final | precio final | prezzo finale | eindprijs | preço final | ' +
  'cena końcowa | koncová cena'

/** Says nothing of which price it is. */
const bare = 'price | preis | prix | precio | prezzo | prijs | preço | cena'

export const askedPrices = { withTax, final, bare } as const
