/** Tells whether a title sells instead of naming: free shipping, discounts, calls to buy, signs that shout. */

/** Phrases that are no product's name, in the languages that our column names come in. */
const latin = [
  ...['free shipping', 'free delivery', 'free gift', 'buy now', 'order now', 'shop now', 'best price', 'lowest price'],
  ...['limited time', 'special offer', 'hot deal', 'on sale', 'clearance sale', 'buy one get one', 'money back'],
  ...['versandkostenfrei', 'kostenloser versand', 'gratis versand', 'jetzt kaufen', 'sonderangebot', 'bestpreis'],
  ...['livraison gratuite', 'livraison offerte', 'meilleur prix', 'offre spéciale'],
  ...[
    'envío gratis',
    'envio gratis',
    'mejor precio',
    'oferta especial',
    'frete grátis',
    'frete gratis',
    'melhor preço',
  ],
  ...['spedizione gratuita', 'miglior prezzo', 'offerta speciale', 'gratis verzending', 'gratis bezorging'],
  ...['darmowa dostawa', 'darmowa wysyłka', 'najlepsza cena', 'doprava zdarma', 'doprava zadarmo', 'nejlepší cena'],
]
/** `50% off`, `-20 % Rabatt`: a share alone may be the product's, as in 100% cotton. */
const share =
  '\\d ?% (?:off|discount|rabatt|de descuento|de desconto|de réduction|di sconto|korting|rabatu|slev[ay])\\b'
const plain = new RegExp(`${share}|\\b(?:${latin.join('|')})\\b`, 'i')
const others =
  /送料無料|激安|特価|最安値|ポイント\d+倍|包邮|免运费|特价|促销|бесплатная доставка|лучшая цена|скидк[аи] \d|акция!|[★☆✓✔❤❣☞►◄♛🔥💥🎁]/iu

const notAscii = /[^\0-\x7f]/

export function isPromotion(title: string): boolean {
  if (title.includes('!!') || plain.test(title)) return true
  return notAscii.test(title) && others.test(title)
}
